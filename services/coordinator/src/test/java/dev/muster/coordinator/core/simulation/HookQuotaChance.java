package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces that may have few pods, those of hooks among them: the API server takes none while
 * there are as many. That is no failure of a hook, which is waited for as long as others may leave;
 * where its job alone has them all, its command fails and says so.
 */
final class HookQuotaChance implements Piece {
    private static final Hook HOOK = HookedCommands.hook(Duration.ofSeconds(8), 1);

    private static final List<String> NAMES = List.of("pods", "count/pods");

    /** As many as there are. */
    private static final Amounts TIGHT = Amounts.of(Map.of("pods", 1_000L));

    /** So often the API server is asked again. */
    private static final int MOST_ASKED = 40;

    /** So often each job is scaled. */
    private static final int SCALED = 3;

    /**
     * A hook without room is looked at so often, and a little later where nobody tells anything.
     */
    private static final Duration SOON = Duration.ofSeconds(17);

    private final Random random;
    private final Set<JobId> scaled = new HashSet<>();

    /** What is told last of the pods that the API server did not take. */
    private final Map<String, Event.PodSeen> refused = new HashMap<>();

    /** What it is asked next about each of these, and how often it was. */
    private final Map<String, Event.PodSeen> asked = new HashMap<>();

    private final Map<String, Integer> times = new HashMap<>();

    /** Pods that it took. */
    private final Set<String> taken = new HashSet<>();

    /** The makings that were refused, and not taken since. */
    private final Set<String> waiting = new HashSet<>();

    private final Map<JobId, HookRun> before = new TreeMap<>();
    private Map<String, Long> room = new TreeMap<>();
    private Set<JobId> full = new HashSet<>();

    /** How many pods there are in a namespace. */
    private final Map<String, Long> used = new TreeMap<>();

    /** Everybody was heard of since then. */
    private Instant seenSince = Instant.MIN;

    /** Hooks that came in the end, and those that could not. */
    private final int[] weighed = new int[2];

    HookQuotaChance(long seed) {
        random = new Random(seed ^ 0x400c0L);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, elastic(spec), request);
            case Event.NamespaceQuotaGone _ when random.nextInt(3) > 0 -> event;
            case Event.NamespaceQuotaGone(_, var namespace) -> quota(namespace);
            case Event.NamespaceQuotaSeen(_, var namespace, var hard, _, _)
                    when hard.equals(TIGHT) ->
                    quota(namespace, Math.max(1, used.getOrDefault(namespace, 1L)));
            case Event.NamespaceQuotaSeen(_, var namespace, _, _, _) -> quota(namespace);
            case Event.ChangeAsked(var job, var change, var request) ->
                    new Event.ChangeAsked(job, HookedCommands.hooked(change, () -> HOOK), request);
            case Event.PodGone(_, var job, var mark) when isWanted(job, mark) ->
                    new Event.WatcherAlive(WATCHER);
            case Event.PodSeen(var by, var job, var pod) when goesOn(job, pod) ->
                    new Event.PodSeen(
                            by,
                            job,
                            Fixtures.pod(
                                    pod.mark(),
                                    pod.resourceVersion(),
                                    Event.PodPhase.RUNNING,
                                    pod.node(),
                                    null));
            case Event.PlanApplied(var job, var version, var confirm, var pods) ->
                    new Event.PlanApplied(job, version, confirm, there(job, pods));
            default -> event;
        };
    }

    /** Most jobs train until somebody ends them: others are over before their hooks are. */
    private static boolean goesOn(JobId job, Event.Pod pod) {
        boolean hasEnded =
                pod.phase() == Event.PodPhase.SUCCEEDED || pod.phase() == Event.PodPhase.FAILED;
        return hasEnded && !pod.mark().rank().equals(Hook.RANK) && job.uid().offset() % 4 > 0;
    }

    /** What is not there cannot be lost either. */
    private boolean isWanted(JobId job, PodMark mark) {
        var run = before.get(job);
        var making = run == null ? null : run.making();
        return refused.containsKey(mark.podUid()) && making != null && making.isOf(mark);
    }

    /** Nothing of what is not there, whose deletion is only that nobody asks for it any more. */
    @Override
    public List<Event> said(Event event) {
        return switch (event) {
            case Event.PodSeen seen when isAsked(seen.pod().mark()) -> asked(seen);
            case Event.PodGone(_, _, var mark) when refused.remove(mark.podUid()) != null ->
                    List.of();
            default -> List.of(event);
        };
    }

    /** But for what was not taken. */
    private List<Event.ListedPod> there(JobId job, List<Event.ListedPod> pods) {
        return pods.stream().filter(pod -> mayBe(job, pod.mark())).toList();
    }

    private boolean mayBe(JobId job, PodMark mark) {
        return !mark.rank().equals(Hook.RANK)
                || taken.contains(mark.podUid())
                || room.getOrDefault(job.namespace(), Long.MAX_VALUE) > 0;
    }

    /** Some have one of their own, where nobody else leaves. */
    @Override
    public String namespace(int job, String namespace) {
        return job % 2 == 0 ? namespace : namespace + "-" + job;
    }

    /** More of them than elsewhere, and some have few pods of their own. */
    private static JobSpec elastic(JobSpec spec) {
        var first = spec.roles().getFirst();
        boolean isOther = spec.work().elastic() != null || spec.roles().size() > 1;
        var one = Respec.roles(spec, role -> Fixtures.atLeast(1, role));
        return isOther ? spec : ElasticJobs.elastic(1, first.replicas() + 3, one);
    }

    private Event quota(String namespace) {
        return quota(namespace, 4 + random.nextInt(8));
    }

    private Event quota(String namespace, long pods) {
        var name = NAMES.get(random.nextInt(NAMES.size()));
        return new Event.NamespaceQuotaSeen(
                WATCHER,
                namespace,
                Amounts.of(Map.of(name, pods)),
                Amounts.of(Map.of(name, (long) random.nextInt(2))));
    }

    private boolean isAsked(PodMark mark) {
        return mark.rank().equals(Hook.RANK) && !taken.contains(mark.podUid());
    }

    /** Whether it is there by now, and as what. */
    private List<Event> asked(Event.PodSeen seen) {
        var mark = seen.pod().mark();
        var making = making(seen.job(), mark.attempt(), mark.incarnation());
        var newest = newer(refused.getOrDefault(mark.podUid(), seen), seen);
        refused.put(mark.podUid(), newest);
        if (!mayBe(seen.job(), mark)) {
            waiting.add(making);
            return List.of();
        }
        taken.add(mark.podUid());
        refused.remove(mark.podUid());
        weighed[0] += waiting.remove(making) ? 1 : 0;
        room.computeIfPresent(seen.job().namespace(), (_, left) -> left - 1);
        return List.of(newest);
    }

    private static Event.PodSeen newer(Event.PodSeen one, Event.PodSeen other) {
        return one.pod().resourceVersion() < other.pod().resourceVersion() ? other : one;
    }

    private static String making(JobId job, int attempt, int incarnation) {
        return job + " " + attempt + " " + incarnation;
    }

    /** Jobs are scaled now and then; and what was refused is asked for again. */
    @Override
    public List<Later> echoes(Event told) {
        if (!(told instanceof Event.PodSeen seen)) {
            return List.of();
        }
        var mark = seen.pod().mark();
        if (!mark.rank().equals(Hook.RANK)) {
            return scaled.add(seen.job())
                    ? LongStream.range(0, SCALED).boxed().flatMap(i -> scale(seen, i)).toList()
                    : List.of();
        }
        boolean isFirst = !asked.containsKey(mark.podUid());
        if (!isAsked(mark)
                || mayBe(seen.job(), mark)
                || !isFirst && asked.get(mark.podUid()) != seen
                || times.merge(mark.podUid(), 1, Integer::sum) > MOST_ASKED) {
            return List.of();
        }
        var next = newer(seen, refused.getOrDefault(mark.podUid(), seen));
        asked.put(mark.podUid(), next);
        var alive = new Event.PodManagerAlive("pods", Set.of(0), Set.of(), false);
        return List.of(
                new Later(3_000, new Event.WatcherAlive(WATCHER)),
                new Later(3_000, alive),
                new Later(3_000, next));
    }

    /** Soon after it there may be hardly more than there are, for a while. */
    private Stream<Later> scale(Event.PodSeen seen, long times) {
        var job = seen.job();
        var terms = HookedCommands.hooked(Change.Terms.PLAIN, HOOK);
        var change =
                random.nextInt(3) == 0
                        ? new Change.ScaleOut("worker", 1, terms)
                        : new Change.ScaleIn("worker", 1, new TreeSet<>(), terms);
        long at = times * 70_000 + random.nextInt(5_000);
        var tight = new Event.NamespaceQuotaSeen(WATCHER, job.namespace(), TIGHT, Amounts.NONE);
        return Stream.of(
                new Later(at, new Event.ChangeAsked(job, change, null)),
                new Later(at + random.nextInt(3) * 1_000, tight),
                new Later(at + 15_000 + random.nextInt(40_000), quotaGone(job)));
    }

    private static Event quotaGone(JobId job) {
        return new Event.NamespaceQuotaGone(WATCHER, job.namespace());
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        boolean isBlind =
                play.rows(Row.Table.SOURCE).values().stream()
                        .anyMatch(row -> ((Source) row).isBlind(play.now()));
        seenSince = isBlind ? play.now() : seenSince;
        var runs = new TreeMap<JobId, HookRun>();
        for (var row : play.rows(Row.Table.HOOK).values()) {
            runs.put(((HookRun) row).job(), (HookRun) row);
        }
        before.forEach((id, run) -> isWaitedFor(play, run, runs.get(id)));
        count(play, runs);
        before.clear();
        before.putAll(runs);
    }

    private void isWaitedFor(Play play, HookRun was, @Nullable HookRun now) {
        var making = was.making();
        var row = play.rows(Row.Table.JOB).get(was.job().toString());
        if (making == null
                || making.podUid() != null
                || !(row instanceof Job job)
                || !job.state().isUp()
                || job.fences().attempt() != making.attempt()
                || !waiting.contains(making(was.job(), making.attempt(), making.incarnation()))) {
            return;
        }
        var scaling = job.past().scaling();
        var its = now == null ? null : now.making();
        boolean isSame = its != null && its.incarnation() == making.incarnation();
        if (its != null && isSame && isLate(play, its.until())) {
            boolean isTold = scaling != null && scaling.hook() != null && scaling.hook().waiting();
            if (full.contains(was.job()) || !isTold) {
                throw new AssertionError("%s waits for ever, told %s".formatted(now, scaling));
            }
        }
        if (isSame || scaling == null || scaling.number() != was.command()) {
            return;
        }
        boolean isFailed = scaling.isOver() && scaling.reason().equals("HookFailed");
        if (full.contains(was.job()) && isFailed) {
            weighed[1]++;
        }
        if (!full.contains(was.job())
                && (isFailed || !scaling.isOver())
                && room.getOrDefault(was.job().namespace(), Long.MAX_VALUE) <= 0) {
            throw new AssertionError("%s is not waited for: %s".formatted(was, scaling));
        }
    }

    private boolean isLate(Play play, Instant until) {
        var since = until.isAfter(seenSince) ? until : seenSince;
        return since.plus(SOON).isBefore(play.now());
    }

    /** How many pods there may be more, and which jobs alone have all that there may be. */
    private void count(Play play, Map<JobId, HookRun> runs) {
        room = new TreeMap<>();
        full = new HashSet<>();
        used.clear();
        play.ranks().values().stream()
                .flatMap(List::stream)
                .filter(rank -> !rank.sight().released())
                .forEach(rank -> used.merge(rank.job().namespace(), 1L, Long::sum));
        for (var row : play.rows(Row.Table.NAMESPACE).values()) {
            var quota = (NamespaceQuota) row;
            for (var hard : quota.most().entrySet()) {
                long there = quota.othersUse().get(hard.getKey());
                for (var ofJob : play.ranks().entrySet()) {
                    boolean isThere = ofJob.getKey().namespace().equals(quota.namespace());
                    long pods =
                            ofJob.getValue().stream()
                                    .filter(rank -> counts(rank, hard.getKey()))
                                    .count();
                    there += isThere ? pods : 0;
                    long own =
                            ofJob.getValue().stream()
                                    .filter(rank -> !rank.sight().released())
                                    .count();
                    if (isThere && own >= hard.getValue()) {
                        full.add(ofJob.getKey());
                    }
                }
                there +=
                        runs.values().stream()
                                .filter(run -> run.job().namespace().equals(quota.namespace()))
                                .filter(run -> run.making() != null)
                                .filter(run -> !waiting.contains(ofRun(run)))
                                .count();
                room.merge(quota.namespace(), hard.getValue() - there, Math::min);
            }
        }
    }

    private static String ofRun(HookRun run) {
        var making = run.making();
        return making == null ? "" : making(run.job(), making.attempt(), making.incarnation());
    }

    /** Of one name also those count that have ended and are there. */
    private static boolean counts(Rank rank, String name) {
        return !rank.sight().released() || name.equals("count/pods") && !rank.sight().gone();
    }

    @Override
    public int weighed() {
        return Math.min(weighed[0], weighed[1]);
    }
}
