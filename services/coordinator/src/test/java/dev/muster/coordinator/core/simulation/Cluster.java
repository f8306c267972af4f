package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ListedPod;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The pretended cluster of a simulation: it makes pods and ends them late as plans say, and what
 * its silent nodes hold goes when they are heard of or by force.
 */
final class Cluster {
    private final Random random;
    private final World world;
    private final Play play;
    private final Agenda coming;
    private final ContainerChance again;
    private final LifeChance life;
    private final TreeMap<String, Made> pods = new TreeMap<>();
    private final Set<String> leaving = new HashSet<>();
    private final Set<String> silent = new HashSet<>();
    private final Map<JobId, Effect.Plan> plans = new HashMap<>();

    /** How many pods were made of each. */
    private final Map<String, Integer> makings = new HashMap<>();

    /** Pods that are to go and cannot, since their nodes are silent. */
    private final TreeMap<String, Made> stuck = new TreeMap<>();

    /** What was told of each before what was told last. */
    private final Map<String, Made> earlier = new HashMap<>();

    /** Of its own, so that all else comes as it did. */
    private final Random lateness;

    private long version = 10;

    /** What happened while nobody watched is not all told yet. */
    boolean isBehind;

    Cluster(Random random, long seed, Chance chance, World world, Agenda coming) {
        this.random = random;
        this.world = world;
        this.coming = coming;
        play = coming.play();
        lateness = new Random(seed + 11);
        again = new ContainerChance(random, () -> version++);
        var readiness = new ReadyChance(seed, () -> version++);
        life = new LifeChance(random, () -> version++, chance, again, readiness);
    }

    /** All that are there. */
    List<Made> pods() {
        return List.copyOf(pods.values());
    }

    /** The same, at times each as it was before it was told of last. */
    List<Made> listed() {
        boolean isLate = lateness.nextInt(4) == 0 && !isBehind;
        return isLate
                ? pods.values().stream()
                        .map(made -> earlier.getOrDefault(made.uid(), made))
                        .toList()
                : pods();
    }

    /**
     * What is told of a pod is how it is from now on.
     *
     * @return false: it was deleted before this came so far
     */
    boolean tells(Event event) {
        if (event instanceof Event.PodSeen(_, var job, var pod)) {
            var known = pods.get(pod.mark().podUid());
            if (known == null) {
                return false;
            }
            if (known.pod().resourceVersion() < pod.resourceVersion()) {
                earlier.put(pod.mark().podUid(), known);
                pods.put(pod.mark().podUid(), new Made(job, pod));
            }
        }
        if (event instanceof Event.PodGone(_, _, var mark)) {
            pods.remove(mark.podUid());
        }
        return true;
    }

    /** Nothing is heard of a node any more. */
    void silence(String node) {
        silent.add(node);
    }

    /** All nodes are heard of again, and what was to go from them goes. */
    void speaks() {
        silent.clear();
        stuck.values().forEach(this::leave);
        stuck.clear();
    }

    /** Nobody watches; at times pod-manager begins anew meanwhile, and misses a pod. */
    void isUnwatched() {
        isBehind = true;
        var replaced = world.replaced(pods.values());
        if (replaced != null && plans.get(replaced.job()) instanceof RunPlan plan) {
            pods.remove(replaced.uid());
            apply(plan);
        }
    }

    /** Carries it out, some time later. */
    void apply(Effect.Plan plan) {
        var before = plans.put(plan.job(), plan);
        if (random.nextInt(10) == 0) {
            coming.later(random.nextInt(3000), alive());
        }
        switch (plan) {
            case RunPlan run -> {
                SavingPromises.planKeepsWhatWaits(play, run);
                if (!isBehind) {
                    run.pods().forEach(pod -> Promises.isListedWhileItRuns(pod, there(run, pod)));
                }
                pods.values().stream()
                        .filter(made -> !leaving.contains(made.uid()) && !isStuck(made))
                        .forEach(made -> Promises.isRepeatedWhereNobodyGoes(run, made));
                run.all().stream()
                        .filter(pod -> pod.part().drain() == null)
                        .forEach(pod -> make(run, pod));
                var dead = dead();
                pods.values().forEach(made -> ScalePromises.isForcedWhereDead(run, made, dead));
                ScalePromises.everyoneIsForced(play, run);
                pods.values().stream()
                        .filter(made -> made.isOver(run))
                        .forEach(made -> end(made, run.forced()));
            }
            case StopPlan stop -> stop(stop, before instanceof RunPlan);
            case Effect.GonePlan gone -> EndPromises.nothingIsLeft(gone, pods.values());
        }
        boolean confirm = plan instanceof StopPlan stop && stop.stop().confirm();
        var listed =
                pods.values().stream()
                        .filter(made -> made.job().equals(plan.job()))
                        .map(made -> new ListedPod(made.job().uid(), made.pod().mark(), false))
                        .toList();
        coming.later(
                1 + random.nextInt(200),
                new Event.PlanApplied(plan.job(), plan.version(), confirm, listed));
    }

    Event alive() {
        return new Event.PodManagerAlive("pods", Set.of(0), Set.of(), random.nextBoolean());
    }

    /** The silence of some is told only after they were heard of again. */
    private Set<String> dead() {
        var dead = new HashSet<>(silent);
        for (var row : play.rows(Row.Table.NODE).values()) {
            if (row instanceof Node node && !node.ready()) {
                dead.add(node.name());
            }
        }
        return dead;
    }

    private Optional<Pod> there(RunPlan plan, Effect.PlannedPod planned) {
        return pods.values().stream()
                .filter(made -> made.isOf(plan, planned))
                .map(Made::pod)
                .findFirst();
    }

    private void make(RunPlan plan, Effect.PlannedPod planned) {
        pods.values().forEach(made -> Promises.isNotOlder(plan, made.job(), made.pod().mark()));
        var there = there(plan, planned);
        if (there.isPresent()) {
            again.asked(planned.inPlace(), plan.job(), there.get())
                    .forEach(due -> coming.later(due.millis(), due.event()));
            return;
        }
        int before = makings.merge(Made.uid(plan, planned, 0), 1, Integer::sum) - 1;
        var mark =
                new Event.PodMark(
                        planned.rank(),
                        plan.attempt(),
                        planned.incarnation(),
                        plan.version(),
                        Made.uid(plan, planned, before));
        pods.values().removeIf(made -> makesWay(made, plan, planned));
        var node = random.nextInt(12) == 0 ? null : world.bound(mark.podUid(), planned.node());
        show(plan.job(), mark, PodPhase.PENDING, node, null);
        if (node != null) {
            live(plan.job(), mark, node, random.nextInt(2000));
        }
    }

    private boolean makesWay(Made made, RunPlan plan, Effect.PlannedPod planned) {
        boolean older = made.isOlder(plan, planned);
        if (older) {
            coming.later(
                    random.nextInt(100), new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
        }
        return older;
    }

    private void live(JobId job, Event.PodMark mark, String node, long start) {
        life.of(job, play.job(job).spec(), mark, node)
                .forEach(due -> coming.later(start + due.millis(), due.event()));
    }

    private void show(
            JobId job, Event.PodMark mark, PodPhase phase, String node, Integer exitCode) {
        var pod = Fixtures.pod(mark, version++, phase, node, exitCode);
        pods.put(mark.podUid(), new Made(job, pod));
        coming.later(random.nextInt(50), new Event.PodSeen(WATCHER, job, pod));
    }

    /**
     * @param isFirst nothing was told to go before
     */
    private void stop(StopPlan plan, boolean isFirst) {
        var going = pods.values().stream().filter(made -> made.goes(plan)).toList();
        going.stream().filter(_ -> isFirst).forEach(made -> EndPromises.mayGo(play, made));
        going.forEach(made -> end(made, plan.stop().forced()));
    }

    private boolean isStuck(Made made) {
        return stuck.containsKey(made.uid());
    }

    /** Of what a silent node holds only that ends which is forced. */
    private void end(Made made, List<ForcedPods> forced) {
        boolean isForced = made.isAmong(forced);
        if (made.pod().node() != null && silent.contains(made.pod().node()) && !isForced) {
            stuck.put(made.uid(), made);
        } else {
            leave(made);
        }
    }

    private void leave(Made made) {
        if (leaving.add(made.uid())) {
            coming.later(
                    1 + random.nextInt(1000),
                    new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
        }
    }
}
