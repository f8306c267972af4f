package dev.muster.coordinator.stream.replay;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.stream.replay.InboxLog.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An inbox such as a busy pool has: users submit, scale and cancel, queues and nodes come and go,
 * and what the pool orders happens, mostly, in some order, a little later. All chance comes from
 * one seed.
 */
final class RandomInbox {
    private static final CheckpointPolicy ASKED =
            new CheckpointPolicy(true, Duration.ofSeconds(20));
    private static final PoolSpec PLAIN =
            new PoolSpec(
                    new TreeMap<>(),
                    QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                    PoolSpec.Preemption.OFF,
                    PoolSpec.Priorities.PLAIN,
                    PoolSpec.Spot.NONE,
                    PoolSpec.Backing.NONE);

    private static final Witness WATCHER = new Witness(0, 1, 7);
    private static final List<String> QUEUES = List.of("x", "y", "z");

    private final Random random;
    private final RandomScaling scaling;
    private final Pool pool = Pool.empty();
    private final List<Entry> entries = new ArrayList<>();
    private final List<Event> coming = new ArrayList<>();
    private final TreeMap<String, Event.PodSeen> pods = new TreeMap<>();
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private long version;
    private int jobs;

    RandomInbox(long seed) {
        random = new Random(seed);
        scaling = new RandomScaling(random);
    }

    InboxLog of(int events) {
        give(new Event.PoolPut("p", PLAIN, null));
        QUEUES.forEach(queue -> give(queuePut(queue)));
        list();
        while (entries.size() < events) {
            now = now.plusMillis(random.nextInt(20) == 0 ? 60_000 : random.nextInt(400));
            if (pool.nextAlarm().map(alarm -> !alarm.isAfter(now)).orElse(false)) {
                give(new Event.TimePassed(now));
            }
            give(coming.isEmpty() || random.nextInt(5) == 0 ? chance() : next());
        }
        return new InboxLog(List.copyOf(entries));
    }

    private void give(Event event) {
        if (event instanceof Event.PodSeen seen && pods.containsKey(seen.pod().mark().podUid())) {
            pods.put(seen.pod().mark().podUid(), seen);
        }
        entries.add(new Entry(now, event));
        var step = pool.on(event, now);
        for (var effect : step.effects()) {
            if (effect instanceof Effect.Plan plan) {
                follow(plan);
            }
            if (effect instanceof Effect.CheckpointTold told && told.checkpoint().id() % 4 > 0) {
                coming.add(answer(told));
            }
        }
        if (step.more()) {
            give(new Event.TimePassed(now));
        }
    }

    /** Some save, some cannot, and some have nothing to answer any more. */
    private static Event answer(Effect.CheckpointTold told) {
        long id = told.checkpoint().id();
        return new Event.CheckpointAnswered(told.job(), told.attempt(), id, id % 3 > 0, "");
    }

    /** News overtake each other a little. */
    private Event next() {
        return coming.remove(random.nextInt(Math.min(coming.size(), 4)));
    }

    private void follow(Effect.Plan plan) {
        switch (plan) {
            case Effect.RunPlan run -> {
                run.pods().forEach(pod -> start(run, pod));
                leave(run);
            }
            case Effect.StopPlan stop -> stop(stop);
            case Effect.GonePlan _ -> {}
        }
        boolean confirm = plan instanceof Effect.StopPlan stop && stop.stop().confirm();
        var listed =
                pods.values().stream()
                        .filter(seen -> seen.job().fullName().equals(plan.job().fullName()))
                        .map(seen ->
                                new Event.ListedPod(seen.job().uid(), seen.pod().mark(), false))
                        .toList();
        coming.add(new Event.PlanApplied(plan.job(), plan.version(), confirm, listed));
    }

    private void start(Effect.RunPlan plan, Effect.PlannedPod planned) {
        var uid = plan.job() + "/" + planned.rank() + "/" + planned.incarnation();
        if (pods.containsKey(uid)) {
            return;
        }
        var mark =
                new PodMark(
                        planned.rank(), plan.attempt(), planned.incarnation(), plan.version(), uid);
        var first = seen(plan.job(), mark, PodPhase.PENDING, planned.node(), null);
        pods.put(uid, first);
        coming.add(first);
        if (random.nextInt(30) == 0) {
            return; // Its image is never pulled.
        }
        coming.add(seen(plan.job(), mark, PodPhase.RUNNING, planned.node(), null));
        boolean fails = random.nextInt(25) == 0;
        coming.add(
                seen(
                        plan.job(),
                        mark,
                        fails ? PodPhase.FAILED : PodPhase.SUCCEEDED,
                        planned.node(),
                        new Event.ContainerEnd(fails ? 1 : 0, fails ? "Error" : "Completed", "")));
    }

    /** Whom the plan does not have any more goes. */
    private void leave(Effect.RunPlan plan) {
        for (var pod : List.copyOf(pods.values())) {
            var rank = pod.pod().mark().rank();
            boolean stays = plan.pods().stream().anyMatch(planned -> planned.rank().equals(rank));
            if (pod.job().equals(plan.job()) && !stays) {
                pods.remove(pod.pod().mark().podUid());
                coming.add(new Event.PodGone(WATCHER, pod.job(), pod.pod().mark()));
            }
        }
    }

    private Event.PodSeen seen(
            JobId job,
            PodMark mark,
            PodPhase phase,
            String node,
            Event.@Nullable ContainerEnd end) {
        boolean runs = phase == PodPhase.RUNNING;
        return new Event.PodSeen(
                WATCHER,
                job,
                new Event.Pod(
                        mark, ++version, phase, node, runs, false, false, end, null, "", "", null));
    }

    private void stop(Effect.StopPlan plan) {
        for (var pod : List.copyOf(pods.values())) {
            boolean goes =
                    switch (plan.stop().keep()) {
                        case NONE -> true;
                        case FINISHED -> pod.pod().main() == null;
                        case ALL -> false;
                    };
            if (goes && pod.job().equals(plan.job())) {
                pods.remove(pod.pod().mark().podUid());
                coming.add(new Event.PodGone(WATCHER, pod.job(), pod.pod().mark()));
            }
        }
    }

    private Event chance() {
        return switch (random.nextInt(15)) {
            case 0, 1, 2, 3, 4 -> submit();
            case 5 -> new Event.ChangeAsked(job(random.nextInt(jobs + 1)), change(), null);
            case 6 -> new Event.NodeSeen(WATCHER, node("spare", random.nextInt(8)));
            case 7 -> new Event.NodeReleased(WATCHER, "spare");
            case 8 -> new Event.OthersUse(WATCHER, "n0", cpu(random.nextInt(6)));
            case 9 -> queueChanged(QUEUES.get(random.nextInt(QUEUES.size())));
            case 10, 11 ->
                    new Event.ChangeAsked(job(random.nextInt(jobs + 1)), scaling.change(), null);
            case 12 -> scaling.said(job(Math.max(0, jobs - 1 - random.nextInt(20))));
            case 13 -> {
                list();
                yield new Event.WatcherAlive(WATCHER);
            }
            default -> new Event.PodManagerAlive("m", partitions());
        };
    }

    private Change change() {
        return switch (random.nextInt(5)) {
            case 0 -> new Change.Hold("later");
            case 1 -> new Change.Release();
            case 2 -> new Change.Suspend(null, "not now");
            case 3 -> new Change.Resume();
            default -> new Change.Cancel(null, "no");
        };
    }

    private LinkedHashSet<Integer> partitions() {
        var partitions = new LinkedHashSet<Integer>();
        IntStream.range(0, 16).filter(_ -> random.nextInt(4) > 0).forEach(partitions::add);
        return partitions;
    }

    private Event submit() {
        var roles = new ArrayList<JobSpec.Role>();
        roles.add(role("master", 1));
        if (random.nextBoolean()) {
            roles.add(role("worker", 1 + random.nextInt(6)));
        }
        var spec =
                new JobSpec(
                        new JobSpec.Place(
                                QUEUES.get(random.nextInt(QUEUES.size())),
                                random.nextInt(3),
                                null,
                                random.nextInt(20) == 0,
                                List.of(),
                                new TreeMap<>()),
                        new JobSpec.Work(
                                new JobSpec.Gang(
                                        0,
                                        Duration.ofMinutes(1 + random.nextInt(5)),
                                        Topology.NONE),
                                roles,
                                random.nextBoolean()
                                        ? new JobSpec.Success.All()
                                        : new JobSpec.Success.OfRole("master"),
                                JobSpec.Cleanup.values()[random.nextInt(3)],
                                random.nextBoolean()
                                        ? Duration.ofMinutes(random.nextInt(10))
                                        : null,
                                Duration.ofSeconds(30),
                                failurePolicy(),
                                new JobSpec.Deadlines(
                                        Duration.ofHours(random.nextInt(2)),
                                        Duration.ofMinutes(random.nextInt(6)),
                                        Duration.ofMinutes(random.nextInt(4) * 10)),
                                Amounts.NONE,
                                scaling.elastic(roles),
                                false,
                                jobs % 2 == 0 ? null : ASKED,
                                jobs % 3 == 0));
        var id = job(jobs++);
        return new Event.Submitted(id, spec, new Event.Request(id.fullName(), "r" + jobs));
    }

    /** Some names come again, as newer submissions. */
    private static JobId job(int number) {
        return new JobId("ml", "j" + number % 97, new Uid(number % 97 % 16, number));
    }

    private JobSpec.Role role(String name, int replicas) {
        return new JobSpec.Role(
                name,
                replicas,
                1 + random.nextInt(replicas),
                0,
                new PodSpec(
                        cpu(1 + random.nextInt(2)),
                        Amounts.NONE,
                        NodeFilter.ANY,
                        random.nextInt(10) == 0,
                        JobSpec.Restart.values()[random.nextInt(2)],
                        random.nextInt(8) == 0,
                        null,
                        null,
                        List.of()),
                name.equals("worker") && random.nextBoolean()
                        ? List.of(
                                new JobSpec.DependsOn(
                                        "master", JobSpec.Milestone.values()[random.nextInt(3)]))
                        : List.of(),
                random.nextInt(4) == 0
                        ? new JobSpec.Care(failurePolicy(), new TreeSet<>(Set.of(0)))
                        : JobSpec.Care.PLAIN,
                0);
    }

    private FailurePolicy failurePolicy() {
        return new FailurePolicy(
                FailurePolicy.Otherwise.values()[random.nextInt(2)],
                new FailurePolicy.Limits(random.nextInt(4), 10, Duration.ofHours(1)),
                new FailurePolicy.Delay(Duration.ofSeconds(1), Duration.ofSeconds(10)),
                Duration.ofSeconds(random.nextInt(5)),
                FailurePolicy.PLAIN.nodeLost(),
                random.nextBoolean()
                        ? List.of()
                        : List.of(
                                new FailurePolicy.Rule(
                                        List.of(new FailurePolicy.ExitCodes(1, 1)),
                                        List.of(),
                                        null,
                                        random.nextBoolean()
                                                ? new FailurePolicy.Action.RestartRole()
                                                : new FailurePolicy.Action.Ignore())));
    }

    private Event queueChanged(String name) {
        return random.nextInt(5) == 0 ? queueDelete(name) : queuePut(name);
    }

    /** As a rule once it is empty; often all that it has is cancelled. It comes again some time. */
    private Event queueDelete(String name) {
        boolean drain = random.nextInt(4) > 0;
        if (drain && random.nextBoolean()) {
            var all = new Selector(name, null, new TreeMap<>());
            coming.add(new Event.BulkAsked(all, new Change.Cancel(null, "no"), null));
        }
        return new Event.QueueDelete(name, drain, null);
    }

    private Event queuePut(String name) {
        return new Event.QueuePut(
                name,
                new QueueSpec(
                        1 + random.nextInt(5),
                        new QueueSpec.Doors(
                                random.nextInt(8) == 0,
                                random.nextInt(8) == 0,
                                5 + random.nextInt(50),
                                Integer.MAX_VALUE,
                                new TreeSet<>()),
                        new QueueSpec.Order(
                                QueueSpec.Kind.values()[random.nextInt(2)],
                                0,
                                random.nextInt(3) > 0,
                                Duration.ofMinutes(random.nextInt(5))),
                        Quota.NONE),
                null);
    }

    private void list() {
        var id = "list-" + entries.size();
        give(new Event.SnapshotBegin(WATCHER, id));
        for (int i = 0; i < 6; i++) {
            give(new Event.NodeSeen(WATCHER, scaling.mayGo(node("n" + i, 4 + i))));
        }
        List.copyOf(pods.values()).forEach(this::give);
        give(new Event.SnapshotEnd(WATCHER, id));
    }

    private static Node node(String name, int cores) {
        return new Node(
                name,
                1,
                new TreeMap<>(Map.of("kubernetes.io/hostname", name)),
                List.of(),
                false,
                true,
                Amounts.of(Map.of("cpu", cores * 1000L, "pods", 110L)),
                0);
    }

    private static Amounts cpu(int cores) {
        return Amounts.of(Map.of("cpu", cores * 1000L, "pods", 1L));
    }
}
