package dev.muster.bench.decider;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pool in which nothing fits: its nodes are used by others, and all its jobs wait. Room is made
 * node by node.
 */
final class FullPool {
    private static final Witness WATCHER = new Witness(0, 1, 1);

    /** So short that no deadline comes. */
    static final Duration BETWEEN_EVENTS = Duration.ofNanos(1_000);

    /** So many nodes are held. */
    private static final int HELD = 10;

    private final Size size;
    private final Variant variant;
    private final Pool pool = Pool.empty();
    private final Map<Row.Table, Map<String, Row>> rows = new EnumMap<>(Row.Table.class);
    private final boolean keepsRows;
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private int submitted;
    private int cancelled;
    private int roomy;
    private int stirred;

    /**
     * How full.
     *
     * @param jobs that wait, spread evenly over the queues
     * @param gang pods of each job
     * @param shapes how many sizes of pods there are, in each queue as many as it has jobs for; one
     *     of ten is of large gangs, which no room that comes is enough for
     */
    record Size(int jobs, int queues, int nodes, int gang, int shapes) {
        Size {
            if (shapes < 1 || shapes > Contents.MOST_SIZES) {
                throw new IllegalArgumentException(
                        "1 to %d shapes, not %d".formatted(Contents.MOST_SIZES, shapes));
            }
        }

        /** All jobs are alike. */
        Size(int jobs, int queues, int nodes, int gang) {
            this(jobs, queues, nodes, gang, 1);
        }
    }

    FullPool(Size size, boolean keepsRows) {
        this(size, Variant.PLAIN, keepsRows);
    }

    /**
     * Fills a pool.
     *
     * @param keepsRows for {@link #rows}, as the shell's stores would
     */
    FullPool(Size size, Variant variant, boolean keepsRows) {
        this.size = size;
        this.variant = variant;
        this.keepsRows = keepsRows;
        on(new Event.PoolPut("default", Contents.pool(variant), null));
        var quota = variant.quota(size.nodes(), size.queues());
        for (int i = 0; i < size.queues(); i++) {
            var spec = Contents.queue(1 + i % 5, variant.reserveAfter(), quota);
            on(new Event.QueuePut(queue(i), spec, null));
        }
        on(new Event.SnapshotBegin(WATCHER, "first"));
        if (variant == Variant.HOLDER) {
            hold();
        }
        for (int i = 0; i < size.nodes(); i++) {
            // As a watcher does: what others use comes before the node.
            on(new Event.OthersUse(WATCHER, node(i), Contents.allocatable()));
            on(new Event.NodeSeen(WATCHER, Contents.node(node(i))));
        }
        if (variant == Variant.QUOTAS) {
            limitNamespaces();
        }
        on(new Event.SnapshotEnd(WATCHER, "first"));
        submit(size.jobs());
    }

    /** One job is on nodes of its own, and one that needs as many waits for them. */
    private void hold() {
        for (int i = 0; i < HELD; i++) {
            on(new Event.NodeSeen(WATCHER, Contents.node("held-" + i)));
        }
        for (int number = 1; number <= 2; number++) {
            var job = Contents.jobOfWholeNodes(queue(0), HELD);
            var id = new JobId("ml", "whole-" + number, new Uid(-1, number));
            on(new Event.Submitted(id, job, null));
        }
    }

    /** Each may use the whole pool: what counts is that it is counted. */
    private void limitNamespaces() {
        var hard = Amounts.of(Map.of("requests.cpu", Contents.allocatable().get("cpu")));
        var most = hard.times(size.nodes());
        for (int i = 0; i < size.queues(); i++) {
            on(new Event.NamespaceQuotaSeen(WATCHER, variant.namespace(i), most, Amounts.NONE));
        }
    }

    private static String queue(int i) {
        return "queue-" + i;
    }

    private static String node(int i) {
        return "node-" + i;
    }

    private JobId id(int number) {
        var namespace = variant.namespace(number % size.queues());
        return new JobId(namespace, "job-" + number, new Uid(number % 16, number));
    }

    /** Submits so many more, none of which can start. */
    void submit(int jobs) {
        for (int i = 0; i < jobs; i++, submitted++) {
            on(new Event.Submitted(id(submitted), job(submitted), null));
        }
    }

    private JobSpec job(int number) {
        int ofQueue = number / size.queues();
        var queue = queue(number % size.queues());
        int priority = variant.priority(ofQueue);
        int shape = (number % size.queues() + ofQueue) % size.shapes();
        return Contents.isOfLargeGangs(shape)
                ? Contents.largeGang(queue, priority, shape)
                : Contents.job(queue, priority, size.gang(), shape);
    }

    /** Cancels so many waiting jobs, the oldest first, one by one. */
    void cancel(int jobs) {
        for (int i = 0; i < jobs; i++, cancelled++) {
            on(new Event.ChangeAsked(id(cancelled), new Change.Cancel(null, ""), null));
        }
    }

    /**
     * Others leave so many nodes, and all jobs start that then can.
     *
     * @return how many started
     * @throws IllegalStateException when it were not as many as fit: then nothing was measured
     */
    int makeRoom(int nodes) {
        int started = 0;
        for (int i = 0; i < nodes; i++) {
            started += on(new Event.OthersUse(WATCHER, node(roomy++), Amounts.NONE));
        }
        int expected = nodes * (Contents.PODS_PER_NODE / size.gang());
        if (started != expected) {
            throw new IllegalStateException(started + " jobs started, not " + expected);
        }
        return started;
    }

    /**
     * So many times others leave a little of a node, or take it back, one node after the other: too
     * little for any job, also in all, so that nobody waits for another reason either.
     *
     * @throws IllegalStateException when a job started
     */
    void stir(int times) {
        for (int i = 0; i < times; i++, stirred++) {
            var used = stirred % 2 == 0 ? Contents.nearlyAll() : Contents.allocatable();
            if (on(new Event.OthersUse(WATCHER, node(stirred / 2 % size.nodes()), used)) > 0) {
                throw new IllegalStateException("a job started where nothing fits");
            }
        }
    }

    /** The event with all that follows from it; how many jobs it started. */
    private int on(Event event) {
        now = now.plus(BETWEEN_EVENTS);
        var step = pool.on(event, now);
        int started = taken(step);
        while (step.more()) {
            now = now.plus(BETWEEN_EVENTS);
            step = pool.on(new Event.TimePassed(now), now);
            started += taken(step);
        }
        return started;
    }

    private int taken(Step step) {
        if (keepsRows) {
            step.changes().forEach(this::keep);
        }
        int started = 0;
        for (var effect : step.effects()) {
            started += effect instanceof Effect.RunPlan ? 1 : 0;
        }
        return started;
    }

    private void keep(Step.Change change) {
        var table = rows.computeIfAbsent(change.key().table(), _ -> new LinkedHashMap<>());
        if (change.row() == null) {
            table.remove(change.key().id());
        } else {
            table.put(change.key().id(), change.row());
        }
    }

    /** All rows, in the order in which a pool is restored from them. */
    List<Row> rows() {
        var all = new ArrayList<Row>();
        rows.values().forEach(table -> all.addAll(table.values()));
        return all;
    }
}
