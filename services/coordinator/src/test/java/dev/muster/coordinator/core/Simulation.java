package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ListedPod;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import dev.muster.coordinator.core.state.Effect.StopPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A pool beside a pretended cluster in virtual time: pods start late, fail and vanish, the watcher
 * repeats itself and lists anew, plans are applied late, and the coordinator is made again from its
 * rows at any event. All chance comes from one seed.
 */
final class Simulation {
    /** The nodes' cores. */
    private static final List<long[]> CLUSTERS =
            List.of(
                    new long[] {8, 8, 4, 4},
                    new long[] {16},
                    new long[] {8, 4},
                    new long[] {4, 4, 4, 4, 4, 4});

    final Random random;
    private final long[] cores;
    private final Chance chance;
    private final ContainerChance again;
    private final LifeChance life;
    private final SignalChance signals;
    final StepChance steps;
    final HealthChance health;
    final World world;
    final SavingPromises saving = new SavingPromises();
    final HostPromises hosts = new HostPromises();
    final Play play;
    private final Agenda coming = new Agenda();
    private final TreeMap<String, Made> pods = new TreeMap<>();
    private final Map<JobId, Effect.Plan> plans = new HashMap<>();
    private final Map<JobId, List<Effect>> news = new HashMap<>();
    private final Set<String> leaving = new HashSet<>();
    private final Set<String> silent = new HashSet<>();

    /** Pods that are to go and cannot, since their nodes are silent. */
    private final TreeMap<String, Made> stuck = new TreeMap<>();

    private long version = 10;
    private int names;
    private boolean isBlind;

    /** What happened while nobody watched is not all told yet. */
    private boolean isBehind;

    Simulation(long seed) {
        random = new Random(seed);
        chance = new Chance(random, seed);
        signals = new SignalChance(seed);
        steps = new StepChance(seed);
        health = new HealthChance(seed);
        world = World.of(seed);
        again = new ContainerChance(random, () -> version++);
        life =
                new LifeChance(
                        random,
                        () -> version++,
                        chance,
                        again,
                        new ReadyChance(seed, () -> version++));
        cores = CLUSTERS.get(random.nextInt(CLUSTERS.size()));
        play = Play.inSteps(steps.most, cores);
        play.heardBy(hosts);
        play.on(new Event.QueuePut("x", QueueSpecs.queue(3, false, true, 50), null));
        play.on(
                new Event.QueuePut(
                        "y", QueueSpecs.queue(1, false, random.nextBoolean(), 50), null));
        play.backends = world.backends();
        if (!world.isPlain()) {
            give(alive());
            give(new Event.PoolPut("default", PoolSpec.PLAIN, null));
            list();
        }
        play.takeEffects();
    }

    void run(int events) {
        for (int i = 0; i < events; i++) {
            if (coming.isEmpty() || random.nextInt(4) == 0) {
                later(random.nextInt(500), chance());
            }
            takeNext();
            if (world.isPlain() && steps.crowd(play, this::command)) {
                QuotaPromises.areKept(play);
                follow();
            }
            if (signals.speaks() && !pods.isEmpty()) {
                give(signals.drained(pods.firstEntry().getValue()));
            }
            if (random.nextInt(50) == 0) {
                play.restart();
            }
        }
    }

    private Event command() {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> submit();
            case 3 -> new Event.ChangeAsked(some(), chance.change(), null);
            case 4 -> Fixtures.cancel(some(), "", null);
            default -> new Event.BulkAsked(queue(), chance.changeOrCancel(), null);
        };
    }

    private Selector queue() {
        return new Selector(random.nextBoolean() ? "x" : null, null, new TreeMap<>());
    }

    /** Nothing new comes; what is under way goes on until nothing moves any more. */
    void calmDown() {
        do {
            while (!coming.isEmpty()) {
                takeNext();
            }
            list();
            play.passHeard(Duration.ofSeconds(30), 0);
            QuotaPromises.areKept(play);
            follow();
        } while (!coming.isEmpty());
    }

    private void takeNext() {
        var due = coming.next();
        if (due.at().isAfter(play.now())) {
            play.pass(Duration.between(play.now(), due.at()));
            QuotaPromises.areKept(play);
            world.isKept(play, null);
            follow();
        }
        give(due.event());
    }

    private void give(Event told) {
        var event = world.of(told);
        world.echoes(told).forEach(echo -> later(echo.millis(), echo.event()));
        if (event instanceof Event.PodSeen(_, var job, var pod)) {
            var known = pods.get(pod.mark().podUid());
            if (known == null) {
                return; // It was deleted before it came so far.
            }
            if (known.pod().resourceVersion() < pod.resourceVersion()) {
                pods.put(pod.mark().podUid(), new Made(job, pod));
            }
        }
        if (event instanceof Event.PodGone(_, _, var mark)) {
            pods.remove(mark.podUid());
        }
        if (isBlind && event instanceof Event.WatcherAlive) {
            list();
        }
        if (isBlind && event instanceof Event.Sight) {
            return;
        }
        play.on(event);
        QuotaPromises.areKept(play);
        health.suspectsComeLast(play, event);
        world.isKept(play, event);
        follow();
    }

    /** Carries out what the pool ordered, some time later. */
    private void follow() {
        for (var effect : play.takeEffects()) {
            switch (effect) {
                case Effect.Plan plan -> {
                    plans.put(plan.job(), plan);
                    note(plan.job(), plan);
                    apply(plan);
                }
                case Effect.Moved moved -> note(moved.job(), moved);
                case Effect.RankEnded ended -> note(ended.job(), ended);
                case Effect.RankPlaced placed -> note(placed.job(), placed);
                case Effect.Scaled scaled -> note(scaled.job(), scaled);
                case Effect.CheckpointTold told -> {
                    note(told.job(), told);
                    signals.answers(told).forEach(said -> later(said.millis(), said.event()));
                }
                default -> {}
            }
        }
    }

    private void note(JobId job, Effect effect) {
        news.computeIfAbsent(job, _ -> new ArrayList<>()).add(effect);
    }

    Map<JobId, List<Effect>> news() {
        return news;
    }

    private Event chance() {
        return switch (random.nextInt(22)) {
            case 21 -> some(made -> chance.trained(made.job(), made.pod().mark()));
            case 20 -> chance.going(cores);
            case 18, 19 -> new Event.ChangeAsked(some(), chance.scale(), null);
            case 0, 1, 2, 3 -> submit();
            case 4 -> Fixtures.cancel(some(), "", null);
            case 12 -> new Event.ChangeAsked(some(), chance.change(), null);
            case 13 -> new Event.BulkAsked(queue(), chance.change(), null);
            case 14 -> chance.quota();
            case 15 -> health.pool(chance.pool());
            case 16 -> lost();
            case 17 -> silence(random.nextInt(cores.length));
            case 5 -> new Event.NodeSeen(WATCHER, Fixtures.node("spare", random.nextInt(8)));
            case 6 -> new Event.NodeReleased(WATCHER, "spare");
            case 7 -> new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(random.nextInt(6)));
            case 8 -> random.nextBoolean() ? listed() : blind();
            case 9 -> chance.queue("x");
            default -> repeated();
        };
    }

    private Event submit() {
        var spec = signals.spec(chance.spec());
        if (names > 0 && random.nextInt(6) == 0) {
            spec = Fixtures.behind("j" + random.nextInt(names), random.nextBoolean(), spec);
        } else if (random.nextInt(12) == 0) {
            spec = Fixtures.suspended(spec);
        }
        if (names % 4 == 3) {
            spec = Fixtures.patient(Duration.ofSeconds(2), spec);
        }
        // Some come again under their names, which they get once they have ended.
        boolean isRetry = names > 0 && random.nextInt(8) == 0;
        int name = isRetry ? random.nextInt(names) : names;
        names++;
        return new Event.Submitted(world.job(name, names), spec, null);
    }

    /** Some pod is there no more, and nobody saw it end. */
    private Event lost() {
        return some(made -> new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
    }

    private Event some(Function<Made, Event> of) {
        return pods.isEmpty()
                ? new Event.WatcherAlive(WATCHER)
                : of.apply(List.copyOf(pods.values()).get(random.nextInt(pods.size())));
    }

    private JobId some() {
        int name = random.nextInt(names + 1);
        return world.job(name, name + 1L);
    }

    /** The watcher says again what it said of some pod. */
    private Event repeated() {
        return some(made -> new Event.PodSeen(WATCHER, made.job(), made.pod()));
    }

    /** No watcher is there for a while; what happens in it, the next list has to say. */
    private Event blind() {
        isBlind = true;
        isBehind = true;
        later(1000 + random.nextInt(20_000), new Event.WatcherAlive(WATCHER));
        return repeated();
    }

    private Event listed() {
        list();
        return new Event.WatcherAlive(WATCHER);
    }

    private void list() {
        isBlind = false;
        var id = "list-" + coming.order();
        silent.clear();
        stuck.values().forEach(this::leave);
        stuck.clear();
        give(new Event.SnapshotBegin(WATCHER, id));
        for (int i = 0; i < cores.length; i++) {
            give(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, cores[i])));
        }
        List.copyOf(pods.values())
                .forEach(made -> give(new Event.PodSeen(WATCHER, made.job(), made.pod())));
        isBehind = false;
        give(new Event.SnapshotEnd(WATCHER, id));
    }

    private void later(long millis, Event event) {
        coming.add(play.now().plusMillis(millis), event);
    }

    private void apply(Effect.Plan plan) {
        if (random.nextInt(10) == 0) {
            later(random.nextInt(3000), alive());
        }
        switch (plan) {
            case RunPlan run -> {
                SavingPromises.planKeepsWhatWaits(play, run);
                if (!isBehind) {
                    run.pods().forEach(pod -> Promises.isListedWhileItRuns(pod, there(run, pod)));
                }
                run.all().stream()
                        .filter(pod -> pod.part().drain() == null)
                        .forEach(pod -> make(run, pod));
                pods.values().forEach(made -> ScalePromises.isForcedWhereDead(run, made, silent));
                pods.values().stream()
                        .filter(made -> made.isOver(run))
                        .forEach(made -> end(made, run.forced()));
            }
            case StopPlan stop -> stop(stop);
            case Effect.GonePlan _ -> {}
        }
        boolean confirm = plan instanceof StopPlan stop && stop.stop().confirm();
        var listed =
                pods.values().stream()
                        .filter(made -> made.job().equals(plan.job()))
                        .map(made -> new ListedPod(made.job().uid(), made.pod().mark(), false))
                        .toList();
        later(
                1 + random.nextInt(200),
                new Event.PlanApplied(plan.job(), plan.version(), confirm, listed));
    }

    private Event alive() {
        return new Event.PodManagerAlive("pods", Set.of(0), Set.of(), random.nextBoolean());
    }

    private Optional<Pod> there(RunPlan plan, Effect.PlannedPod planned) {
        return Optional.ofNullable(pods.get(Made.uid(plan, planned))).map(Made::pod);
    }

    private void make(RunPlan plan, Effect.PlannedPod planned) {
        pods.values().forEach(made -> Promises.isNotOlder(plan, made.job(), made.pod().mark()));
        var mark =
                new Event.PodMark(
                        planned.rank(),
                        plan.attempt(),
                        planned.incarnation(),
                        plan.version(),
                        Made.uid(plan, planned));
        var there = pods.get(mark.podUid());
        if (there != null) {
            again.asked(planned.inPlace(), there.job(), there.pod())
                    .forEach(due -> later(due.millis(), due.event()));
            return;
        }
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
            later(random.nextInt(100), new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
        }
        return older;
    }

    private void live(JobId job, Event.PodMark mark, String node, long start) {
        life.of(job, play.job(job).spec(), mark, node)
                .forEach(due -> later(start + due.millis(), due.event()));
    }

    private void show(
            JobId job, Event.PodMark mark, PodPhase phase, String node, Integer exitCode) {
        var pod = Fixtures.pod(mark, version++, phase, node, exitCode);
        pods.put(mark.podUid(), new Made(job, pod));
        later(random.nextInt(50), new Event.PodSeen(WATCHER, job, pod));
    }

    private void stop(StopPlan plan) {
        var going = pods.values().stream().filter(made -> made.goes(plan)).toList();
        going.forEach(made -> end(made, plan.stop().forced()));
    }

    /** Of what a silent node holds only that ends which is forced. */
    private void end(Made made, List<RankId> forced) {
        boolean isForced = forced.contains(made.pod().mark().rank());
        if (made.pod().node() != null && silent.contains(made.pod().node()) && !isForced) {
            stuck.put(made.uid(), made);
        } else {
            leave(made);
        }
    }

    private void leave(Made made) {
        if (leaving.add(made.uid())) {
            later(
                    1 + random.nextInt(1000),
                    new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
        }
    }

    private Event silence(int node) {
        var name = "node-" + node;
        silent.add(name);
        return new Event.NodeSeen(WATCHER, Chance.unready(name, cores[node]));
    }
}
