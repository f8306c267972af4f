package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Digest;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** What people and nodes of the simulation do: jobs, changes and settings of all kinds. */
public final class Chance {
    /** Of a queue that has one. */
    private static final long LIMIT = 10_000;

    private final Random random;
    private final ScaleChance scaling;

    Chance(Random random, long seed) {
        this.random = random;
        this.scaling = new ScaleChance(random, seed);
    }

    JobSpec spec() {
        if (random.nextInt(4) == 0) {
            int min = 1 + random.nextInt(2);
            int max = min + random.nextInt(5);
            int wished = min + random.nextInt(max - min + 1);
            var queue = random.nextBoolean() ? "x" : "y";
            // What a command brings at once is what is beyond the wish of before: it is left room.
            var spec =
                    random.nextInt(3) == 0
                            ? ElasticJobs.launched(queue, min, min, Math.max(max, min + 4))
                            : ElasticJobs.elastic(queue, min, wished, max);
            var placed = random.nextBoolean() ? spec : Fixtures.at(random.nextInt(3), spec);
            return random.nextInt(3) == 0
                    ? placed
                    : ElasticJobs.measured(Duration.ofSeconds(random.nextInt(10)), placed);
        }
        var roles =
                random.nextBoolean()
                        ? List.of(workers())
                        : List.of(
                                Fixtures.role("master", 1, 1),
                                Fixtures.after(
                                        "master",
                                        JobSpec.Milestone.values()[random.nextInt(3)],
                                        Fixtures.role("worker", 1 + random.nextInt(3), 2)));
        var plain =
                Fixtures.spec(random.nextBoolean() ? "x" : "y", roles.toArray(JobSpec.Role[]::new));
        var spec = Fixtures.failing(failurePolicy(), Fixtures.at(random.nextInt(3), plain));
        return random.nextInt(4) > 0 ? spec : Fixtures.within(deadlines(), spec);
    }

    private JobSpec.Deadlines deadlines() {
        return new JobSpec.Deadlines(
                Duration.ofSeconds(random.nextInt(120)),
                Duration.ofSeconds(random.nextInt(20)),
                Duration.ofSeconds(random.nextInt(60)));
    }

    private JobSpec.Role workers() {
        int replicas = 1 + random.nextInt(6);
        var plain = Fixtures.role("worker", replicas, 1);
        var role =
                Fixtures.atLeast(
                        1 + random.nextInt(replicas),
                        random.nextBoolean() ? Fixtures.remembering(1, plain) : plain);
        return random.nextInt(4) == 0 ? Fixtures.onHost(role) : role;
    }

    FailurePolicy failurePolicy() {
        var otherwise = FailurePolicy.Otherwise.values()[random.nextInt(2)];
        var rules = new ArrayList<FailurePolicy.Rule>();
        if (random.nextInt(4) > 0) {
            rules.add(
                    new FailurePolicy.Rule(
                            List.of(new FailurePolicy.ExitCodes(1, random.nextInt(256))),
                            List.of(),
                            null,
                            action()));
        }
        return new FailurePolicy(
                otherwise,
                new FailurePolicy.Limits(
                        random.nextInt(4), random.nextInt(4), Duration.ofHours(random.nextInt(2))),
                new FailurePolicy.Delay(
                        Duration.ofMillis(random.nextInt(2000)), Duration.ofSeconds(4)),
                Duration.ofMillis(random.nextInt(3000)),
                new FailurePolicy.NodeLost(
                        Duration.ofSeconds(random.nextInt(10)), random.nextBoolean()),
                rules);
    }

    private FailurePolicy.Action action() {
        return switch (random.nextInt(10)) {
            case 8, 9 -> new FailurePolicy.Action.RestartInPlace();
            case 6, 7 ->
                    new FailurePolicy.Action.GrowMemory(
                            1001 + random.nextInt(1500),
                            random.nextBoolean() ? 0 : Fixtures.gibi(3));
            case 4 -> new FailurePolicy.Action.ExcludeNode();
            case 0 -> new FailurePolicy.Action.RestartPod();
            case 1 -> new FailurePolicy.Action.RestartRole();
            case 2 -> new FailurePolicy.Action.RestartGang();
            case 3 -> new FailurePolicy.Action.Ignore();
            default -> new FailurePolicy.Action.Fail("");
        };
    }

    QueueSpec queue() {
        var spec = QueueSpecs.queue(1 + random.nextInt(5), random.nextInt(6) == 0, true, 50);
        var order =
                new QueueSpec.Order(
                        QueueSpec.Kind.values()[random.nextInt(2)],
                        0,
                        random.nextInt(4) > 0,
                        Duration.ofSeconds(random.nextInt(60)));
        return QueueSpecs.with(QueueSpecs.with(spec, order), shares());
    }

    /** As a whole, or some of its fields. */
    Event queue(String name) {
        var fields = new TreeSet<String>();
        for (var field : List.of("weight", "paused", "backfill", "guaranteed", "limit.cpu")) {
            if (random.nextBoolean()) {
                fields.add(field);
            }
        }
        return fields.contains("paused")
                ? new Event.QueueChange(name, queue(), fields, random.nextBoolean(), null)
                : new Event.QueuePut(name, queue(), null);
    }

    private Quota shares() {
        long guaranteed = random.nextInt(3) * 4000L;
        var limit = new TreeMap<String, Long>();
        if (random.nextBoolean()) {
            limit.put("cpu", LIMIT);
            limit.put("memory", Fixtures.gibi(4));
        }
        return new Quota(
                guaranteed == 0 ? Amounts.NONE : Amounts.of(Map.of("cpu", guaranteed)),
                limit,
                random.nextInt(5) > 0,
                new TreeMap<>(),
                new TreeMap<>(),
                random.nextBoolean() ? "g" : null);
    }

    /** Some are of another run, and some began before the job had its size. */
    Event trained(JobId job, Event.PodMark by) {
        return new Event.Trained(
                job,
                new Digest(
                        random.nextInt(6) == 0 ? null : by.attempt() - random.nextInt(9) / 8,
                        random.nextInt(3) == 0 ? by.incarnation() : null,
                        random.nextInt(4) == 0 ? 1 + random.nextInt(6) : null,
                        1 + random.nextInt(9),
                        Duration.ofMillis(random.nextInt(2000)),
                        random.nextInt(1000),
                        random.nextInt(1_000_000)));
    }

    Change scale() {
        return scaling.next();
    }

    /** What its users do while a job is asked to save. */
    List<SignalChance.Said> meanwhile(Effect.CheckpointTold told) {
        return scaling.meanwhile(told);
    }

    Change changeOrCancel() {
        return random.nextBoolean() ? change() : new Change.Cancel(null, "");
    }

    Change change() {
        return switch (random.nextInt(14)) {
            case 10, 11, 12, 13 -> scale();
            case 9 -> new Change.Include(random.nextBoolean() ? null : "node-0");
            case 8 -> new Change.ForceDelete();
            case 0, 1 -> new Change.Hold("");
            case 2 -> new Change.Suspend(null, "");
            case 3 -> new Change.Prioritise(random.nextInt(5));
            case 4 -> new Change.Move(random.nextBoolean() ? "x" : "y");
            case 5 -> new Change.Resume();
            default -> new Change.Release();
        };
    }

    Event quota() {
        return random.nextBoolean()
                ? new Event.NamespaceQuotaGone(WATCHER, "ml")
                : new Event.NamespaceQuotaSeen(
                        WATCHER,
                        "ml",
                        Amounts.of(
                                Map.of(
                                        "requests.cpu",
                                        6000L + 1000L * random.nextInt(12),
                                        "requests.memory",
                                        Fixtures.gibi(5))),
                        Amounts.NONE);
    }

    Event pool() {
        var policies = QueuePolicy.values();
        var modes = PoolSpec.Mode.values();
        var spec =
                Fixtures.pool(
                        policies[random.nextInt(policies.length)],
                        new PoolSpec.Preemption(
                                modes[random.nextInt(modes.length)],
                                Duration.ofSeconds(random.nextInt(20)),
                                2));
        return random.nextInt(3) == 0
                ? new Event.PoolChange("default", spec, new TreeSet<>(List.of("policy")), null)
                : new Event.PoolPut("default", spec, null);
    }

    /** One of the nodes of so many cores each. */
    Event going(long[] cores) {
        int node = random.nextInt(cores.length);
        return new Event.NodeSeen(WATCHER, going("node-" + node, cores[node]));
    }

    /** It is about to go, and takes no more pods: it is cordoned, or a condition says so. */
    private Node going(String name, long cores) {
        var node = Fixtures.node(name, cores);
        boolean isCordoned = random.nextBoolean();
        var conditions = List.of(isCordoned ? "MemoryPressure" : "PreemptScheduled");
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                node.taints(),
                isCordoned,
                true,
                node.allocatable(),
                0,
                new Node.Notes(new TreeSet<>(conditions), new TreeSet<>(), false));
    }

    public static Node unready(String name, long cores) {
        var node = Fixtures.node(name, cores);
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                node.taints(),
                false,
                false,
                node.allocatable(),
                0);
    }
}
