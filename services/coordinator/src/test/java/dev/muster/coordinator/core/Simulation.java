package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;

import dev.muster.coordinator.core.Effect.RunPlan;
import dev.muster.coordinator.core.Effect.StopPlan;
import dev.muster.coordinator.core.Event.ListedPod;
import dev.muster.coordinator.core.Event.Pod;
import dev.muster.coordinator.core.Event.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A pool beside a pretended cluster in virtual time: pods start late, fail and vanish, the watcher
 * repeats itself and lists anew, plans are applied late, and the coordinator is made again from its
 * rows at any event. All chance comes from one seed.
 */
final class Simulation {
    /** Of a queue that has one: the same all the time, so that it holds at every prefix. */
    static final long LIMIT = 10_000;

    private record Due(Instant at, long order, Event event) {}

    /** A pod in the pretended cluster. */
    private record Made(JobId job, Pod pod) {}

    final Random random;
    final Play play;
    private final PriorityQueue<Due> coming =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::order));
    private final TreeMap<String, Made> pods = new TreeMap<>();
    private final Map<JobId, Effect.Plan> plans = new HashMap<>();
    private final Map<JobId, List<Effect>> news = new HashMap<>();
    private long order;
    private long version = 10;
    private int names;

    Simulation(long seed) {
        random = new Random(seed);
        play = Play.withNodes(8, 8, 4, 4);
        play.on(new Event.QueuePut("x", Fixtures.queue(3, false, true, 50), null));
        play.on(new Event.QueuePut("y", Fixtures.queue(1, false, random.nextBoolean(), 50), null));
        play.takeEffects();
    }

    void run(int events) {
        for (int i = 0; i < events; i++) {
            if (coming.isEmpty() || random.nextInt(4) == 0) {
                later(random.nextInt(500), chance());
            }
            var due = coming.remove();
            if (due.at().isAfter(play.now())) {
                play.pass(Duration.between(play.now(), due.at()));
                follow();
            }
            give(due.event());
            if (random.nextInt(50) == 0) {
                play.restart();
            }
        }
    }

    /** Nothing new comes; what is under way goes on until nothing moves any more. */
    void calmDown() {
        for (int i = 0; i < 20_000 && !coming.isEmpty(); i++) {
            var due = coming.remove();
            if (due.at().isAfter(play.now())) {
                play.pass(Duration.between(play.now(), due.at()));
                follow();
            }
            give(due.event());
        }
        list();
        play.passHeard(Duration.ofSeconds(30), 0);
        follow();
    }

    private void give(Event event) {
        if (event instanceof Event.PodSeen(_, var job, var pod)) {
            var known = pods.get(pod.mark().podUid());
            if (known == null) {
                return; // It was deleted before it came so far.
            }
            if (known.pod().resourceVersion() < pod.resourceVersion()) {
                pods.put(pod.mark().podUid(), new Made(job, pod));
            }
        }
        play.on(event);
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

    int livingPods() {
        return pods.size();
    }

    private Event chance() {
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> submit();
            case 4 -> cancel();
            case 12 -> new Event.ChangeAsked(some(), change(), null);
            case 13 ->
                    new Event.BulkAsked(
                            new Selector(random.nextBoolean() ? "x" : null, null, new TreeMap<>()),
                            change(),
                            null);
            case 14 -> quota();
            case 15 -> pool();
            case 5 -> new Event.NodeSeen(WATCHER, Fixtures.node("spare", random.nextInt(8)));
            case 6 -> new Event.NodeReleased(WATCHER, "spare");
            case 7 -> new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(random.nextInt(6)));
            case 8 -> {
                list();
                yield new Event.WatcherAlive(WATCHER);
            }
            case 9 -> new Event.QueuePut("x", queue(), null);
            default -> repeated();
        };
    }

    private QueueSpec queue() {
        var spec = Fixtures.queue(1 + random.nextInt(5), random.nextInt(6) == 0, true, 50);
        var order =
                new QueueSpec.Order(
                        QueueSpec.Kind.values()[random.nextInt(2)],
                        0,
                        random.nextInt(4) > 0,
                        Duration.ofSeconds(random.nextInt(60)));
        return Fixtures.with(Fixtures.with(spec, order), shares());
    }

    private Quota shares() {
        long guaranteed = random.nextInt(3) * 4000L;
        var limit = new TreeMap<String, Long>();
        if (random.nextBoolean()) {
            limit.put("cpu", LIMIT);
        }
        return new Quota(
                guaranteed == 0 ? Amounts.NONE : Amounts.of(Map.of("cpu", guaranteed)),
                limit,
                random.nextInt(5) > 0,
                new TreeMap<>(),
                new TreeMap<>(),
                random.nextBoolean() ? "g" : null);
    }

    private Event submit() {
        var roles =
                random.nextBoolean()
                        ? List.of(workers())
                        : List.of(
                                Fixtures.role("master", 1, 1),
                                Fixtures.after(
                                        "master",
                                        JobSpec.Milestone.values()[random.nextInt(3)],
                                        Fixtures.role("worker", 1 + random.nextInt(3), 2)));
        var spec =
                Fixtures.at(
                        random.nextInt(3),
                        Fixtures.spec(
                                random.nextBoolean() ? "x" : "y",
                                roles.toArray(JobSpec.Role[]::new)));
        if (names > 0 && random.nextInt(6) == 0) {
            spec = Fixtures.behind("j" + random.nextInt(names), random.nextBoolean(), spec);
        } else if (random.nextInt(12) == 0) {
            spec = Fixtures.suspended(spec);
        }
        return new Event.Submitted(Fixtures.job("j" + names++, names), spec, null);
    }

    private JobSpec.Role workers() {
        int replicas = 1 + random.nextInt(6);
        return Fixtures.atLeast(1 + random.nextInt(replicas), Fixtures.role("worker", replicas, 1));
    }

    private Change change() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new Change.Hold("");
            case 2 -> new Change.Suspend(null, "");
            case 3 -> new Change.Prioritise(random.nextInt(5));
            case 4 -> new Change.Move(random.nextBoolean() ? "x" : "y");
            case 5 -> new Change.Resume();
            default -> new Change.Release();
        };
    }

    private Event quota() {
        return random.nextBoolean()
                ? new Event.NamespaceQuotaGone(WATCHER, "ml")
                : new Event.NamespaceQuotaSeen(
                        WATCHER,
                        "ml",
                        Amounts.of(Map.of("requests.cpu", 6000L + 1000L * random.nextInt(12))),
                        Amounts.NONE);
    }

    private Event pool() {
        var policies = QueuePolicy.values();
        var modes = PoolSpec.Mode.values();
        return new Event.PoolPut(
                "default",
                Fixtures.pool(
                        policies[random.nextInt(policies.length)],
                        new PoolSpec.Preemption(
                                modes[random.nextInt(modes.length)],
                                Duration.ofSeconds(random.nextInt(20)),
                                2)),
                null);
    }

    private JobId some() {
        int name = random.nextInt(names + 1);
        return Fixtures.job("j" + name, name + 1L);
    }

    private Event cancel() {
        int name = random.nextInt(names + 1);
        return Fixtures.cancel(Fixtures.job("j" + name, name + 1L), "", null);
    }

    /** The watcher says again what it said of some pod. */
    private Event repeated() {
        if (pods.isEmpty()) {
            return new Event.WatcherAlive(WATCHER);
        }
        var made = pods.values().stream().skip(random.nextInt(pods.size())).findFirst();
        return new Event.PodSeen(WATCHER, made.orElseThrow().job(), made.orElseThrow().pod());
    }

    private void list() {
        var id = "list-" + order;
        give(new Event.SnapshotBegin(WATCHER, id));
        for (int i = 0; i < 4; i++) {
            give(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, i < 2 ? 8 : 4)));
        }
        List.copyOf(pods.values())
                .forEach(made -> give(new Event.PodSeen(WATCHER, made.job(), made.pod())));
        give(new Event.SnapshotEnd(WATCHER, id));
    }

    private void later(long millis, Event event) {
        coming.add(new Due(play.now().plusMillis(millis), order++, event));
    }

    private void apply(Effect.Plan plan) {
        if (random.nextInt(10) == 0) {
            later(random.nextInt(3000), new Event.PodManagerAlive("pods", Set.of(0)));
        }
        switch (plan) {
            case RunPlan run -> run.pods().forEach(pod -> make(run, pod));
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

    private void make(RunPlan plan, Effect.PlannedPod planned) {
        var mark =
                new Event.PodMark(
                        planned.rank(),
                        plan.attempt(),
                        planned.incarnation(),
                        plan.version(),
                        plan.job() + "/" + planned.rank() + "/" + planned.incarnation());
        if (pods.containsKey(mark.podUid())) {
            return;
        }
        pods.values().removeIf(made -> isOlder(made, plan, planned));
        boolean unschedulable = random.nextInt(12) == 0;
        show(plan.job(), mark, PodPhase.PENDING, unschedulable ? null : planned.node(), null);
        if (!unschedulable) {
            long start = random.nextInt(2000);
            live(plan.job(), mark, planned.node(), start);
        }
    }

    private boolean isOlder(Made made, RunPlan plan, Effect.PlannedPod planned) {
        boolean older =
                made.job().equals(plan.job())
                        && made.pod().mark().rank().equals(planned.rank())
                        && made.pod().mark().incarnation() < planned.incarnation();
        if (older) {
            later(random.nextInt(100), new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
        }
        return older;
    }

    private void live(JobId job, Event.PodMark mark, String node, long start) {
        coming.add(
                new Due(
                        play.now().plusMillis(start),
                        order++,
                        see(job, mark, PodPhase.RUNNING, node, null)));
        int exit = random.nextInt(15) == 0 ? 1 : 0;
        var phase = exit == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        coming.add(
                new Due(
                        play.now().plusMillis(start + 1 + random.nextInt(60_000)),
                        order++,
                        see(job, mark, phase, node, exit)));
    }

    private void show(
            JobId job, Event.PodMark mark, PodPhase phase, String node, Integer exitCode) {
        var pod = Fixtures.pod(mark, version++, phase, node, exitCode);
        pods.put(mark.podUid(), new Made(job, pod));
        later(random.nextInt(50), new Event.PodSeen(WATCHER, job, pod));
    }

    private Event see(
            JobId job, Event.PodMark mark, PodPhase phase, String node, Integer exitCode) {
        return new Event.PodSeen(
                WATCHER, job, Fixtures.pod(mark, version++, phase, node, exitCode));
    }

    private void stop(StopPlan plan) {
        var going =
                pods.values().stream()
                        .filter(made -> made.job().equals(plan.job()))
                        .filter(made -> goes(plan, made))
                        .toList();
        for (var made : going) {
            pods.remove(made.pod().mark().podUid());
            later(
                    1 + random.nextInt(1000),
                    new Event.PodGone(WATCHER, made.job(), made.pod().mark()));
        }
    }

    private static boolean goes(StopPlan plan, Made made) {
        return switch (plan.stop().keep()) {
            case NONE -> true;
            case FINISHED -> made.pod().phase() == PodPhase.RUNNING;
            case ALL -> false;
        };
    }
}
