package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.queue.Credits;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.ShapeFits.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn would be next, and with which job: what could start now or else, of each queue, what
 * could if room came. It only looks.
 */
public final class NextTurns {
    private final Tables tables;
    private final Eligibility eligibility;
    private final Map<Shape, Trial> trials = new LinkedHashMap<>();
    private final Map<Shape, Trial> hopes = new LinkedHashMap<>();

    public NextTurns(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
    }

    /**
     * A queue with the job that stands for it.
     *
     * @param goesFirst it contends with a job that keeps to its guarantee, and so before borrowers
     */
    public record OfQueue(Queue queue, JobId head, long ticket, Amounts used, boolean goesFirst)
            implements QueuePolicy.Contender {
        @Override
        public int weight() {
            return queue.spec().weight();
        }

        @Override
        public long credit() {
            return queue.credit();
        }
    }

    /** Of all queues in which anybody waits, but one, in the order of their turns. */
    public List<OfQueue> besides(String name) {
        var lanes = new LinkedHashMap<String, Lane>();
        for (var queue : tables.queues()) {
            var lane = lane(queue);
            if (lane.isOpen()) {
                lanes.put(queue.name(), lane);
            }
        }
        // Of a queue that is alone nobody has to go before borrowers.
        boolean areSeveral = lanes.size() > 1;
        lanes.values().forEach(lane -> lane.goesFirst = areSeveral);
        var all = new ArrayList<OfQueue>();
        var holder = holder();
        for (var queue : tables.queues()) {
            var lines = eligibility.lines(queue);
            boolean isIts = holder != null && queue.equals(holder.queue());
            if (!queue.name().equals(name) && !lines.isEmpty() && !isIts) {
                var lane = lanes.get(queue.name());
                all.add(lane == null ? shut(queue, lines) : open(queue, lane));
            }
        }
        var turns = tables.settings().spec().policy().order(tables.capacity.total());
        all.sort(Comparator.comparing((OfQueue one) -> !one.goesFirst()).thenComparing(turns));
        if (holder != null && !holder.queue().name().equals(name)) {
            all.addFirst(holder);
        }
        return all;
    }

    /** Room is kept for it, and so it starts before all others; null: for nobody. */
    private @Nullable OfQueue holder() {
        var job = tables.holdingJob();
        var queue = job == null ? null : tables.queue(job.spec().queue());
        return job == null || queue == null
                ? null
                : new OfQueue(
                        queue,
                        job.id(),
                        job.ticket(),
                        tables.ledger.account(queue.name()).used(),
                        true);
    }

    private Lane lane(Queue queue) {
        var lines = queue.spec().doors().paused() ? List.<Line>of() : eligibility.lines(queue);
        var lane = new Lane(queue, tables.ledger, eligibility, new Credits());
        lane.look(lines, this::now);
        if (lane.isOpen()) {
            return lane;
        }
        var hoping =
                new Lane(queue, tables.ledger, eligibility, new Credits(), this::lacksRoomAlone);
        hoping.look(lines, this::ifRoomCame);
        return hoping;
    }

    private Trial now(Shape shape) {
        return trials.computeIfAbsent(shape, one -> new Trial(one, tables.capacity));
    }

    private Trial ifRoomCame(Shape shape) {
        return hopes.computeIfAbsent(shape, one -> now(one).ifRoomCame());
    }

    /** Or what others borrow, which comes back with their room. */
    private boolean lacksRoomAlone(Queue queue, Line line) {
        return eligibility.lacksOnlyRoom(Eligibility.claim(queue, line, By.WAITING_JOB));
    }

    private static OfQueue open(Queue queue, Lane lane) {
        boolean goesFirst = lane.goesFirst && lane.isGuaranteed();
        return new OfQueue(queue, lane.head(), lane.ticket(), lane.used(), goesFirst);
    }

    /** It is named with the job that nobody may pass, or with its first. */
    private OfQueue shut(Queue queue, List<Line> lines) {
        var blocking = queue.spec().doors().paused() ? null : eligibility.blocking(queue, lines);
        var line = blocking == null ? lines.getFirst() : blocking;
        var used = tables.ledger.account(queue.name()).used();
        return new OfQueue(queue, line.head(), line.ticket(), used, false);
    }
}
