package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Backlog.Line;
import dev.muster.coordinator.core.Fit.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who starts next: turns between queues, and the first startable job within one. A round goes on
 * while anything starts, and ends by explaining why the rest waits.
 */
final class Turns {
    /** How many credits a decision shows, the largest. */
    private static final int SHOWN_CREDITS = 5;

    private final Tables tables;
    private final Journal journal;
    private final Starts starts;
    private final Holds holds;
    private final Growth growth;
    private final Reasons reasons;
    private final Eligibility eligibility;

    /** Of the present round; what they note of credits is written when the step's work is done. */
    private final SortedMap<String, Lane> lanes = new TreeMap<>();

    private boolean open;

    Turns(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.starts = new Starts(tables, journal, jobs);
        this.eligibility = new Eligibility(tables);
        this.holds = new Holds(tables, journal, jobs, eligibility);
        this.growth = new Growth(tables, eligibility, starts);
        this.reasons = new Reasons(tables, journal, jobs, eligibility);
    }

    /** One queue during a round. */
    private static final class Lane implements QueuePolicy.Contender {
        private final Queue queue;
        private long credit;
        private @Nullable List<Line> lines;
        private int at;
        private @Nullable Line line;
        private long ticket;
        private boolean guaranteed;
        private final Ledger ledger;

        Lane(Queue queue, Ledger ledger) {
            this.queue = queue;
            this.ledger = ledger;
            this.credit = queue.credit();
        }

        JobId head() {
            if (lines == null) {
                throw new IllegalStateException("no line was chosen of " + queue.name());
            }
            return lines.get(at).head();
        }

        @Override
        public int weight() {
            return queue.spec().weight();
        }

        @Override
        public long credit() {
            return credit;
        }

        @Override
        public long ticket() {
            return ticket;
        }

        @Override
        public Amounts used() {
            return ledger.account(queue.name()).used();
        }
    }

    /** What an event changed is not known of any lane. */
    void newEvent() {
        close();
    }

    /**
     * Goes on with the round until nothing starts any more, or the step has enough effects.
     *
     * @param most effects of the whole step
     */
    void round(int most) {
        open();
        while (journal.effects() < most) {
            if (!claim()) {
                close();
                if (journal.effects() < most && reasons.tellAll(most - journal.effects())) {
                    tables.put(tables.settings().due(false));
                }
                return;
            }
        }
        close();
    }

    /** Served in this order: stages of started jobs, the holder, turns, a new holder, growth. */
    private boolean claim() {
        return growth.nextStage() || holder() || turn() || review() || growth.nextPod();
    }

    private boolean review() {
        boolean changed = holds.review();
        if (changed) {
            lookAnew();
        }
        return changed;
    }

    /** Room that was kept may be free now. */
    private void lookAnew() {
        lanes.values().forEach(lane -> lane.lines = null);
    }

    private boolean holder() {
        var job = holds.startable();
        var fit = job == null ? null : holds.fit(job);
        if (job == null || fit == null) {
            return false;
        }
        var contenders = new ArrayList<>(contenders());
        var own = lane(job.spec().queue());
        if (own != null && !contenders.contains(own)) {
            contenders.add(own);
            contenders.sort(Comparator.comparing(lane -> lane.queue.name()));
        }
        tables.endHold();
        lookAnew();
        if (own != null) {
            var policy = tables.settings().spec().policy();
            pay(contenders, policy.paidBy(contenders.indexOf(own), contenders));
        }
        start(job, fit, contenders);
        return true;
    }

    private boolean turn() {
        var contenders = contenders();
        if (contenders.isEmpty()) {
            return false;
        }
        var turn = tables.settings().spec().policy().next(contenders, tables.capacity.total());
        var chosen = contenders.get(turn.chosen());
        var job = tables.job(chosen.head());
        if (job == null
                || !(tables.capacity.fit(tables.makeup(job).start()) instanceof Placed fit)) {
            throw new IllegalStateException("the head of a line fits no more: " + chosen.queue);
        }
        start(job, fit, contenders);
        pay(contenders, turn);
        chosen.lines = null;
        return true;
    }

    private void start(Job job, Placed fit, List<Lane> contenders) {
        var shown = new ArrayList<Lane>();
        for (var lane : contenders) {
            show(lane, shown);
        }
        var credits = new TreeMap<String, Long>();
        shown.forEach(lane -> credits.put(lane.queue.name(), lane.credit));
        var own = lane(job.spec().queue());
        if (own != null) {
            credits.put(own.queue.name(), own.credit);
        }
        starts.start(job, fit, credits);
    }

    /** Keeps the lanes with the most credit, the first by name of equal ones. */
    private static void show(Lane lane, List<Lane> shown) {
        int at = shown.size();
        while (at > 0 && shown.get(at - 1).credit < lane.credit) {
            at--;
        }
        if (at < SHOWN_CREDITS) {
            shown.add(at, lane);
        }
        if (shown.size() > SHOWN_CREDITS) {
            shown.removeLast();
        }
    }

    private static void pay(List<Lane> contenders, QueuePolicy.Turn turn) {
        for (int i = 0; i < contenders.size(); i++) {
            contenders.get(i).credit = turn.credits()[i];
        }
    }

    /** Queues that could start a job now; if any of them is below its guarantee, only those. */
    private List<Lane> contenders() {
        var all = new ArrayList<Lane>();
        boolean anyGuaranteed = false;
        eligibility.nextTurn();
        for (var lane : lanes.values()) {
            if (isStartable(lane)) {
                all.add(lane);
                anyGuaranteed |= lane.guaranteed;
            }
        }
        if (anyGuaranteed) {
            all.removeIf(lane -> !lane.guaranteed);
        }
        return all;
    }

    /** Within a round room only shrinks: a line that was found shut stays so. */
    private boolean isStartable(Lane lane) {
        if (lane.lines == null) {
            lane.lines =
                    eligibility.mayStart(lane.queue) ? eligibility.lines(lane.queue) : List.of();
            lane.at = 0;
            lane.line = null;
        }
        while (lane.at < lane.lines.size()) {
            var line = lane.lines.get(lane.at);
            if (eligibility.isClear(lane.queue, line)) {
                take(lane, line);
                return true;
            }
            lane.at = eligibility.blocks(lane.queue, line) ? lane.lines.size() : lane.at + 1;
        }
        return false;
    }

    private void take(Lane lane, Line line) {
        if (lane.line != line) {
            lane.line = line;
            lane.ticket = line.ticket();
        }
        lane.guaranteed = eligibility.isGuaranteed(lane.queue, line);
    }

    private @Nullable Lane lane(String queue) {
        return lanes.get(queue);
    }

    private void open() {
        if (!open) {
            for (var queue : tables.queues()) {
                lanes.put(queue.name(), new Lane(queue, tables.ledger));
            }
            open = true;
        }
    }

    /** Writes down what the round has changed of the queues. */
    private void close() {
        for (var lane : lanes.values()) {
            var queue = tables.queue(lane.queue.name());
            if (queue != null && queue.credit() != lane.credit) {
                tables.put(queue.credited(lane.credit));
            }
        }
        lanes.clear();
        open = false;
    }

    /**
     * Tries one job that was just submitted. Nothing else has become startable by that, so nothing
     * else is looked at.
     */
    void tryAlone(JobId id) {
        var job = tables.job(id);
        if (job == null || tables.settings().startsDue() || !eligibility.isHead(job)) {
            return;
        }
        var queue = tables.queue(job.spec().queue());
        if (queue == null) {
            return;
        }
        eligibility.nextTurn();
        var lane = new Lane(queue, tables.ledger);
        lanes.put(queue.name(), lane);
        open = true;
        if (turn()) {
            close();
        } else {
            close();
            reasons.tell(job, queue);
            holds.remind(queue);
        }
    }
}
