package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Fences.isNewer;
import static dev.muster.podmanager.core.Fences.isOf;
import static dev.muster.podmanager.core.Fences.isOver;
import static dev.muster.podmanager.core.Fences.isPast;
import static dev.muster.podmanager.core.Fences.making;
import static dev.muster.podmanager.core.Fences.mark;
import static java.util.stream.Collectors.toCollection;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Create;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.Action.Outdated;
import dev.muster.podmanager.core.Action.Refuse;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Action.Wait;
import dev.muster.podmanager.core.Plan.Gone;
import dev.muster.podmanager.core.Plan.Impossible;
import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done so that the cluster becomes what a plan wants.
 *
 * <p>Level-triggered: only the plan and the list count, never what was done before. After the
 * writes of an answer the question is put again with a new list, until the answer holds no write.
 */
public final class Reconcile {
    /** The API server forgets the pod, whatever its kubelet does. */
    private static final long AT_ONCE = 0;

    /** Seconds for what a sleeper made when he woke: all else of its attempt was seen gone. */
    static final long LATE = 2;

    private final String installation;
    private final LaunchingSecret secrets;
    private final Pods pods;

    /**
     * @param agents each with a token of its own
     * @param keys each time others
     */
    public Reconcile(String installation, Supplier<Agent.Files> agents, Supplier<Ssh.Keys> keys) {
        this.installation = installation;
        this.secrets = new LaunchingSecret(installation, agents, keys);
        this.pods = new Pods(installation);
    }

    /**
     * The next steps for {@code plan}, writes first.
     *
     * @return empty for a plan that wants nothing; else it ends with a report or a refusal when no
     *     write is left, or with a wait, or with the last write; or it says only that the plan is
     *     outdated
     */
    public List<Action> decide(Plan plan, Listing listing) {
        var wanted = wanted(plan);
        var newer = listing.objects().stream().filter(o -> isNewer(o, plan, wanted)).findFirst();
        if (newer.isPresent()) {
            return List.of(new Outdated(Hitch.newer(plan, newer.get())));
        }
        return switch (plan.wanted()) {
            case Run run -> run(plan, run, wanted, listing);
            case Stop stop -> stop(plan, stop, listing);
            case Impossible(var reason, var message) -> List.of(new Refuse(reason, message));
            case Gone() -> List.of();
        };
    }

    /**
     * The same for a plan of a submission that a newer one of the same name has replaced: that
     * one's plan deletes the objects. This one deletes only what dead nodes hold of its pods, which
     * nobody else forces, and tells what is still there.
     */
    public List<Action> decideReplaced(Plan plan, Listing listing) {
        return switch (plan.wanted()) {
            case Stop stop -> {
                var forced = forced(plan, stop, listing);
                yield forced.isEmpty()
                        ? List.of(report(plan, listing))
                        : deletions(plan, forced, AT_ONCE);
            }
            case Run _, Impossible _, Gone _ -> List.of();
        };
    }

    private List<Action> run(Plan plan, Run run, Map<Rank, PlannedPod> wanted, Listing listing) {
        var past = listing.objects().stream().filter(o -> isPast(o, plan)).toList();
        if (!past.isEmpty()) {
            var actions = new ArrayList<Action>();
            past.stream()
                    .filter(o -> !o.deleting())
                    .forEach(o -> actions.add(delete(plan, o, isOf(o, plan) ? LATE : null)));
            actions.add(new Wait("an older attempt is still there", Hitch.earlier(plan, past)));
            return actions;
        }
        var refusal = refusal(plan, run, listing);
        if (refusal.isPresent()) {
            return List.of(refusal.get());
        }
        // Before a host goes, its launcher knows that it does.
        var hosts = HostList.tell(installation, plan, run, listing);
        if (!hosts.isEmpty()) {
            return hosts;
        }
        var asked = CheckpointFile.tell(plan, run, wanted, listing);
        if (!asked.isEmpty()) {
            return asked;
        }
        var over = listing.ours(Kind.POD).stream().filter(o -> isOver(o, wanted)).toList();
        var actions = new ArrayList<Action>(drains(plan, run, wanted, listing));
        for (var pod : over) {
            var next = wanted.get(making(pod).rank());
            if (run.forced().has(making(pod)) || next != null && next.force()) {
                if (!isForced(pod)) {
                    actions.add(delete(plan, pod, AT_ONCE));
                }
            } else if (!pod.deleting()) {
                actions.add(delete(plan, pod, grace(run)));
            }
        }
        actions.addAll(missing(plan, run, listing));
        var inTheWay = over.stream().filter(o -> wanted.containsKey(making(o).rank())).toList();
        if (!inTheWay.isEmpty()) {
            var why = "an older pod of a wanted rank is still there";
            actions.add(new Wait(why, Hitch.stuck(inTheWay)));
        } else if (actions.isEmpty()) {
            actions.add(report(plan, listing));
        }
        return actions;
    }

    /**
     * Of pods that are there and not wanted, in seconds; null: what each says itself. Where the
     * plan before wanted the same and was carried out, they were made since.
     */
    private static @Nullable Long grace(Run run) {
        var given = run.grace() == null ? null : graceSeconds(run.grace());
        if (!run.repeats()) {
            return given;
        }
        return given == null ? LATE : Math.min(LATE, given);
    }

    /**
     * An agent that is told to go ends by itself when its work is done. What else a worker runs
     * would end at once: it goes when its time is over and the plan is without it.
     */
    private static List<Action> drains(
            Plan plan, Run run, Map<Rank, PlannedPod> wanted, Listing listing) {
        var actions = new ArrayList<Action>();
        for (var pod : listing.ours(Kind.POD)) {
            var planned = wanted.get(making(pod).rank());
            var drain = planned == null ? null : planned.drain();
            if (drain != null
                    && !pod.deleting()
                    && !isOver(pod, wanted)
                    && Launching.endsWithItsWork(run, run.role(making(pod).rank().role()))) {
                actions.add(delete(plan, pod, graceSeconds(drain)));
            }
        }
        return actions;
    }

    /** The service comes first, and alone: all the rest names it as its owner. */
    private List<Action> missing(Plan plan, Run run, Listing listing) {
        var service = listing.ours(Kind.SERVICE).stream().findFirst().orElse(null);
        if (run.wantsService()) {
            if (service != null && service.deleting()) {
                return List.of(Wait.forEnd(service));
            }
            if (service == null || mark(service).attempt() != plan.attempt()) {
                var next = HeadlessService.of(installation, plan, run);
                return List.of(Apply.over(service, Kind.SERVICE, next, Edits.UNDONE));
            }
        }
        var first = new ArrayList<Action>();
        if (service != null) {
            first.addAll(budget(plan, run, listing, service));
            first.addAll(groups(plan, run, listing, service));
        }
        // What only is to go may be refused at every try, and no pod waits for it.
        if (first.stream().allMatch(action -> action instanceof Delete)) {
            first.addAll(missingPods(plan, run, listing, service));
        }
        return first;
    }

    private List<Action> missingPods(Plan plan, Run run, Listing listing, @Nullable Seen service) {
        var around = new Pods.Around(service, listing.restarting());
        var there = new HashMap<String, Seen>();
        listing.ours(Kind.POD).forEach(o -> there.put(o.name(), o));
        var actions = new ArrayList<Action>();
        for (var pod : run.pods()) {
            if (pod.drain() == null && !there.containsKey(pod.rank().podName(plan.job().job()))) {
                actions.add(new CreatePod(pods.pod(plan, run, pod, around)));
            }
        }
        var hook = run.hook();
        if (hook != null && !there.containsKey(Rank.HOOK.podName(plan.job().job()))) {
            actions.add(new CreatePod(HookPod.of(installation, plan, run, hook, service)));
        }
        var hosts = run.hosts();
        if (hosts != null
                && service != null
                && !actions.isEmpty()
                && listing.ours(Kind.LAUNCHING_SECRET).isEmpty()) {
            return List.of(
                    new Create(Kind.LAUNCHING_SECRET, secrets.of(plan, run, hosts, service)));
        }
        actions.addAll(RestartRequest.missing(installation, plan, run, listing, there));
        return actions;
    }

    /**
     * Applied under every plan, since it is of the roles that train then. One that somebody has
     * edited stays as it is: whoever lets a drain through means it.
     */
    private List<Action> budget(Plan plan, Run run, Listing listing, Seen anchor) {
        var least = run.leastAvailable();
        var there = listing.ours(Kind.DISRUPTION_BUDGET).stream().findFirst().orElse(null);
        if (least == null) {
            return List.of();
        }
        if (there != null && there.deleting()) {
            return List.of(Wait.forEnd(there));
        }
        if (there != null && mark(there).plan() >= plan.version()) {
            return List.of();
        }
        var next = DisruptionBudget.of(installation, plan, run, least, anchor);
        // The one of an attempt before goes with that one's service, whenever Kubernetes comes to
        // it.
        boolean isThis = there != null && mark(there).attempt() == plan.attempt();
        var edits = isThis ? Edits.KEPT : Edits.UNDONE;
        return List.of(Apply.over(there, Kind.DISRUPTION_BUDGET, next, edits));
    }

    /** Applied under every plan, since their sizes are the plan's. */
    private List<Action> groups(Plan plan, Run run, Listing listing, Seen anchor) {
        var backend = GangBackend.of(run.grouping().backend());
        var there = new TreeMap<String, Seen>();
        backend.kinds().stream()
                .flatMap(kind -> listing.ours(kind).stream())
                .forEach(o -> there.put(o.name(), o));
        var going = there.values().stream().filter(Seen::deleting).findFirst();
        if (going.isPresent()) {
            return List.of(Wait.forEnd(going.get()));
        }
        var actions = new ArrayList<Action>();
        for (var group : backend.groups(installation, plan, run, anchor)) {
            var known = there.remove(group.getMetadata().getName());
            if (known == null || mark(known).plan() < plan.version()) {
                var kind = backend.kinds().getFirst();
                actions.add(Apply.over(known, kind, group, Edits.UNDONE));
            }
        }
        // Of a role that is over it would keep its share of the backend's queue.
        there.values().forEach(group -> actions.add(delete(plan, group, null)));
        return actions;
    }

    private static Optional<Action> refusal(Plan plan, Run run, Listing listing) {
        var job = plan.job().job();
        var foreign = listing.objects().stream().filter(o -> o.mark() == null).toList();
        if (foreign.isEmpty()) {
            return Optional.empty();
        }
        var names = new HashSet<String>();
        wanted(plan).keySet().forEach(rank -> names.add(rank.podName(job)));
        return foreign.stream()
                .filter(o ->
                        switch (o.kind()) {
                            case SERVICE -> run.wantsService() && o.name().equals(job.name());
                            case DISRUPTION_BUDGET ->
                                    run.leastAvailable() != null && o.name().equals(job.name());
                            case VOLCANO_GROUP -> GroupNames.isOne(job, plan.attempt(), o.name());
                            case POD -> names.contains(o.name());
                            case HOST_LIST ->
                                    run.hosts() != null && o.name().equals(HostList.name(job));
                            case RESTART_REQUEST, LAUNCHING_SECRET -> false;
                        })
                .findFirst()
                .map(o ->
                        new Refuse(
                                "NameTaken",
                                "%s %s in namespace %s is not Muster's; it was left alone"
                                        .formatted(o.kind().words(), o.name(), job.namespace())));
    }

    /** Without a kubelet's word, also what is on its way out. */
    private static Set<Seen> forced(Plan plan, Stop stop, Listing listing) {
        return listing.ours(Kind.POD).stream()
                .filter(o -> isOf(o, plan) && !isNewer(o, plan, Map.of()))
                .filter(o -> stop.forces(making(o)) && !isForced(o))
                .collect(toCollection(LinkedHashSet::new));
    }

    /** It is to be gone at once, and only a finalizer keeps it. */
    private static boolean isForced(Seen pod) {
        return pod.deleting() && Objects.equals(pod.grace(), AT_ONCE);
    }

    private List<Action> stop(Plan plan, Stop stop, Listing listing) {
        var forced = forced(plan, stop, listing);
        var unwanted =
                listing.ours(Kind.POD).stream()
                        .filter(o -> !forced.contains(o))
                        .filter(o -> !isOf(o, plan) || !stop.keeps(o))
                        .filter(o -> !o.deleting() || isToEndSooner(o, stop))
                        .toList();
        // A group without pods would keep its share of the backend's queue, and a budget would keep
        // pods that nobody needs any more from being evicted. Neither waits for a pod: that may be
        // refused at every try. A list of all may show more than the plan asks for.
        var others =
                Look.of(plan)
                        .kinds()
                        .filter(kind -> kind != Kind.SERVICE)
                        .flatMap(kind -> listing.ours(kind).stream())
                        .filter(o -> !o.deleting())
                        .toList();
        var actions = new ArrayList<>(deletions(plan, forced, AT_ONCE));
        actions.addAll(deletions(plan, unwanted, graceSeconds(stop.grace())));
        actions.addAll(deletions(plan, others, null));
        if (!actions.isEmpty()) {
            return actions;
        }
        var services =
                listing.ours(Kind.SERVICE).stream()
                        .filter(o -> !o.deleting())
                        .filter(o -> !isOf(o, plan) || stop.keep() == Keep.NONE)
                        .toList();
        // Pods that are ending may still speak to each other: the service goes last.
        if (!services.isEmpty() && listing.ours(Kind.POD).isEmpty()) {
            return deletions(plan, services, null);
        }
        return List.of(report(plan, listing));
    }

    /** The API server shortens the time of what is ending, and never makes it longer. */
    private static boolean isToEndSooner(Seen pod, Stop stop) {
        var grace = pod.grace();
        return stop.sooner() && grace != null && grace > graceSeconds(stop.grace());
    }

    /** Zero would mean to the API server: forget the pod without the kubelet's word. */
    static long graceSeconds(Duration grace) {
        return Math.max(1, grace.plusMillis(999).toSeconds());
    }

    private static List<Action> deletions(
            Plan plan, Collection<Seen> objects, @Nullable Long grace) {
        return objects.stream().<Action>map(o -> delete(plan, o, grace)).toList();
    }

    private static Delete delete(Plan plan, Seen object, @Nullable Long grace) {
        return new Delete(
                object.kind(), plan.job().job().namespace(), object.name(), object.uid(), grace);
    }

    private static Report report(Plan plan, Listing listing) {
        return new Report(
                listing.ours(Kind.POD).stream()
                        .filter(o -> mark(o).offset() <= plan.job().offset())
                        .toList());
    }

    private static Map<Rank, PlannedPod> wanted(Plan plan) {
        var wanted = new HashMap<Rank, PlannedPod>();
        if (plan.wanted() instanceof Run run) {
            run.all().forEach(pod -> wanted.put(pod.rank(), pod));
        }
        return wanted;
    }
}
