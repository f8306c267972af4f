package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Backlog.Line;
import dev.muster.coordinator.core.Trials.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which queues could start a job now, and which job. What was found of a queue is kept until it is
 * marked; only those that could start are asked again in every turn.
 */
final class Lanes {
    private static final Comparator<Lane> BY_NAME = Comparator.comparing(Lane::name);

    private final Tables tables;
    private final Eligibility eligibility;
    private final Trials trials;
    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    /** Those that could start when they were looked at, by name. */
    private final List<Lane> open = new ArrayList<>();

    /** Those whose credit is not written down yet. */
    private final List<Lane> owing = new ArrayList<>();

    Lanes(Tables tables, Eligibility eligibility, Trials trials) {
        this.tables = tables;
        this.eligibility = eligibility;
        this.trials = trials;
    }

    /** One queue. */
    static final class Lane implements QueuePolicy.Contender {
        private final String name;
        private final Ledger ledger;
        private Queue queue;
        private int weight;
        private List<Line> lines = List.of();
        private int at;
        private @Nullable Trial trial;
        private boolean listed;
        private boolean guaranteed;
        private long credit;
        private boolean owes;

        private Lane(Queue queue, Ledger ledger) {
            this.name = queue.name();
            this.queue = queue;
            this.ledger = ledger;
            this.credit = queue.credit();
            this.weight = queue.spec().weight();
        }

        /** Takes what may have changed of the queue; what it owes is not written there yet. */
        private void become(Queue now) {
            queue = now;
            weight = now.spec().weight();
            credit = owes ? credit : now.credit();
        }

        String name() {
            return name;
        }

        /** The job that it would start. */
        JobId head() {
            return lines.get(at).head();
        }

        private boolean isOpen() {
            return at < lines.size();
        }

        @Override
        public int weight() {
            return weight;
        }

        @Override
        public long credit() {
            return credit;
        }

        @Override
        public long ticket() {
            return lines.get(at).ticket();
        }

        @Override
        public Amounts used() {
            return ledger.account(name).used();
        }
    }

    /**
     * By name: the queues that could start a job now; if any of them is below its guarantee, only
     * those. The list is good for one turn.
     */
    List<Lane> contenders() {
        if (trials.areOld()) {
            trials.refresh();
        }
        catchUp();
        if (open.isEmpty() && trials.refresh()) {
            catchUp();
        }
        return preferred();
    }

    private void catchUp() {
        boolean closed = lookAtMarked();
        if (trials.fewerFit() || tables.areQueuesTied()) {
            open.forEach(this::lookOn);
            closed = true;
        }
        if (closed) {
            open.removeIf(lane -> !(lane.listed = lane.isOpen()));
        }
    }

    /** Returns whether some may be open no more. */
    private boolean lookAtMarked() {
        boolean closed = false;
        int before = open.size();
        for (var name : tables.marks.forTurns.take(tables.queueNames())) {
            var queue = tables.queue(name);
            if (queue == null) {
                leave(name);
            } else {
                var lane = lanes.computeIfAbsent(name, _ -> new Lane(queue, tables.ledger));
                look(lane, queue);
                closed |= !lane.isOpen();
            }
        }
        if (open.size() > before) {
            open.sort(BY_NAME);
        }
        return closed;
    }

    private void leave(String name) {
        var lane = lanes.remove(name);
        if (lane != null && lane.listed) {
            open.remove(lane);
        }
    }

    private void look(Lane lane, Queue queue) {
        lane.become(queue);
        lane.lines = eligibility.mayStart(queue) ? eligibility.lines(queue) : List.of();
        lane.at = 0;
        goOn(lane, trials::of);
        if (lane.isOpen() && !lane.listed) {
            open.add(lane);
            lane.listed = true;
        }
    }

    /** To the first line from here on whose head could start. */
    private void goOn(Lane lane, Function<Shape, Trial> ask) {
        while (lane.isOpen()) {
            var line = lane.lines.get(lane.at);
            lane.trial = ask.apply(line.shape());
            if (lane.trial.fits() && eligibility.excess(lane.queue, line) == null) {
                lane.guaranteed = eligibility.isGuaranteed(lane.queue, line);
                return;
            }
            lane.at = eligibility.blocks(lane.queue, line) ? lane.lines.size() : lane.at + 1;
        }
    }

    /** While a round goes on room only shrinks: what was found shut stays so. */
    private void lookOn(Lane lane) {
        boolean still =
                lane.trial != null
                        && lane.isOpen()
                        && lane.trial.fits()
                        && eligibility.excess(lane.queue, lane.lines.get(lane.at)) == null;
        if (!still) {
            goOn(lane, trials::of);
        }
    }

    private List<Lane> preferred() {
        boolean any = false;
        boolean all = true;
        for (var lane : open) {
            any |= lane.guaranteed;
            all &= lane.guaranteed;
        }
        return all || !any ? open : open.stream().filter(lane -> lane.guaranteed).toList();
    }

    /** As it would be if it were looked at now, beside all others; null: it could start no job. */
    @Nullable Lane alone(Queue queue) {
        var lane = new Lane(queue, tables.ledger);
        lane.lines = eligibility.mayStart(queue) ? eligibility.lines(queue) : List.of();
        goOn(lane, trials::fresh);
        return lane.isOpen() ? lane : null;
    }

    /** Any queue's, whether it could start something or not. */
    @Nullable Lane of(String queue) {
        return lanes.get(queue);
    }

    /** Credits are written down when the step's work is done. */
    void pay(List<Lane> contenders, QueuePolicy.Turn turn) {
        for (int i = 0; i < contenders.size(); i++) {
            var lane = contenders.get(i);
            lane.credit = turn.credits()[i];
            if (!lane.owes) {
                lane.owes = true;
                owing.add(lane);
            }
        }
    }

    void writeCredits() {
        for (var lane : owing) {
            var queue = tables.queue(lane.name());
            if (queue != null && queue.credit() != lane.credit) {
                tables.put(queue.credited(lane.credit));
            }
            lane.owes = false;
        }
        owing.clear();
    }
}
