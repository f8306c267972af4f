package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.queue.Credits;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which queues could start a job now, and which job. What was found of a queue is kept until it is
 * marked; only those that could start are asked again in every turn.
 */
public final class StartableQueues {
    private static final Comparator<Lane> BY_NAME = Comparator.comparing(Lane::name);

    private final Tables tables;
    private final Eligibility eligibility;
    private final ShapeFits trials;
    private final Credits credits = new Credits();
    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    /** Those that could start when they were looked at, by name. */
    private final List<Lane> open = new ArrayList<>();

    /** Some have opened or closed, or came to be guaranteed or not, since they were chosen from. */
    private boolean othersMayContend;

    private List<Lane> contenders = List.of();

    /** It goes by the kept credits whose turn it is. */
    private boolean areCreditsKept;

    private long shrunk;

    /** Lines that are looked at beside the first ones of their queue; null: none are. */
    private Sweeps.@Nullable Further further;

    /** Those whose credit is not written down yet. */
    private final List<Lane> owing = new ArrayList<>();

    /** All contenders are among them. */
    private boolean allOwe;

    /** Of those the largest credit that was noted of one whose turn it was. */
    private long owed;

    /**
     * Whose turn it was.
     *
     * @param credits the largest before the turn, and that of the lane itself
     */
    record Served(Lane lane, SortedMap<String, Long> credits) {}

    public StartableQueues(Tables tables, ShapeFits trials) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
        this.trials = trials;
    }

    /** From now on these are looked at, too. */
    void show(Sweeps.Further lines) {
        further = lines;
        tables.marks.forTurns.add(lines.queue());
    }

    /** They are looked at no more. */
    void showNone() {
        if (further != null) {
            tables.marks.forTurns.add(further.queue());
            further = null;
        }
    }

    /**
     * By name: the queues that could start a job now; if any of them could start one that stays
     * within its guarantee, only those, each with such a job. The list is good for one turn.
     */
    public List<Lane> contenders() {
        if (trials.areOld()) {
            trials.refresh();
        }
        catchUp();
        if (open.isEmpty() && trials.refresh()) {
            catchUp();
        }
        // Who contends is not changed then: mostly all are shut and open together.
        if (open.isEmpty()) {
            return List.of();
        }
        letContend();
        return contenders;
    }

    private void catchUp() {
        tables.reserves.catchUp();
        boolean closed = lookAtMarked() | lookAtLess();
        if (trials.fewerFit() || isLessAllowed() || further != null) {
            open.forEach(this::lookOn);
            closed = true;
        }
        if (closed) {
            open.forEach(lane -> lane.listed = lane.isOpen());
            othersMayContend |= open.removeIf(lane -> !lane.listed);
        }
    }

    /** What some may use of what is guaranteed has become less by what others use. */
    private boolean isLessAllowed() {
        long before = shrunk;
        shrunk = tables.groupRoom.shrunk();
        return before != shrunk;
    }

    /** Looks whether those still can start that may use less; returns whether there are such. */
    private boolean lookAtLess() {
        boolean looked = false;
        for (var name : tables.marks.forLess.take(tables.queueNames())) {
            var lane = lanes.get(name);
            if (lane != null && lane.listed) {
                lookOn(lane);
                looked = true;
            }
        }
        return looked;
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
                var lane = lanes.computeIfAbsent(name, _ -> lane(queue));
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
            lane.listed = false;
            othersMayContend = true;
        }
    }

    private Lane lane(Queue queue) {
        return new Lane(queue, tables.ledger, eligibility, credits);
    }

    private void look(Lane lane, Queue queue) {
        boolean wasGuaranteed = lane.isGuaranteed();
        lane.become(queue);
        lane.look(eligibility.mayStart(queue) ? lines(queue) : List.of(), trials::of);
        othersMayContend |= wasGuaranteed != lane.isGuaranteed();
        if (lane.isOpen() && !lane.listed) {
            open.add(lane);
            lane.listed = true;
            othersMayContend = true;
        }
    }

    /** Those that are looked at, in order. */
    private List<Line> lines(Queue queue) {
        var first = eligibility.lines(queue);
        return further == null || !further.queue().equals(queue.name())
                ? first
                : Stream.concat(first.stream(), further.left().stream()).toList();
    }

    private void lookOn(Lane lane) {
        boolean wasGuaranteed = lane.isGuaranteed();
        lane.lookOn(trials::of);
        othersMayContend |= wasGuaranteed != lane.isGuaranteed();
    }

    /** Brings up to date who contends, and for whom credits are kept by the rule. */
    private void letContend() {
        boolean byCredit = policy() == QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN;
        if (!othersMayContend && byCredit == areCreditsKept) {
            return;
        }
        var before = contenders;
        contenders = preferred();
        before.forEach(lane -> lane.contends = false);
        contenders.forEach(lane -> lane.contends = true);
        for (var lane : before) {
            if (lane.purse.takesPart() && !(byCredit && lane.contends)) {
                credits.leave(lane.purse);
            }
        }
        for (var lane : contenders) {
            if (byCredit && !lane.purse.takesPart()) {
                credits.join(lane.purse);
            }
        }
        othersMayContend = false;
        areCreditsKept = byCredit;
        allOwe = false;
    }

    private QueuePolicy policy() {
        return tables.settings().spec().policy();
    }

    /** Of a queue that is alone nobody has to go before borrowers: its order stays. */
    private List<Lane> preferred() {
        boolean areSome = open.size() > 1 && open.stream().anyMatch(Lane::isGuaranteed);
        open.forEach(lane -> lane.goesFirst = areSome);
        return areSome ? open.stream().filter(Lane::isGuaranteed).toList() : List.copyOf(open);
    }

    /**
     * As it would be if it were looked at now, beside all others.
     *
     * @param line nothing else of it may have become startable
     * @return null: it could start no job
     */
    @Nullable Lane alone(Queue queue, Line line) {
        var lane = lane(queue);
        if (eligibility.mayStart(queue)) {
            boolean passes = queue.spec().order().backfill();
            lane.look(passes ? List.of(line) : lines(queue), trials::fresh);
        }
        return lane.isOpen() ? lane : null;
    }

    /** Any queue's, whether it could start something or not. */
    @Nullable Lane of(String queue) {
        return lanes.get(queue);
    }

    /** One of those that contend, of which there must be one, is served and pays for it. */
    Served next() {
        if (!areCreditsKept) {
            return next(contenders);
        }
        var shown = credits.shown();
        var turn = credits.next();
        shown.put(turn.chosen().name(), turn.before());
        owe(contenders);
        return new Served(Objects.requireNonNull(lanes.get(turn.chosen().name())), shown);
    }

    /** The same of any, by name. */
    Served next(List<Lane> among) {
        var turn = policy().next(among, tables.capacity.total(), lastTurn());
        var chosen = among.get(turn.chosen());
        var shown = shown(among, chosen);
        pay(among, turn);
        return new Served(chosen, shown);
    }

    private long lastTurn() {
        return Math.max(owed, tables.largestCredit());
    }

    /** The largest credits, and that of the queue that goes first. */
    SortedMap<String, Long> shown(List<Lane> among, @Nullable Lane first) {
        var shown = credits.shown(among.stream().map(lane -> lane.purse).toList());
        if (first != null) {
            shown.put(first.name(), first.credit());
        }
        return shown;
    }

    /** It is served, whosever turn it is, and pays for it. */
    void pay(List<Lane> among, Lane served) {
        pay(among, policy().paidBy(among.indexOf(served), among, lastTurn()));
    }

    /** Credits are written down when the step's work is done. */
    private void pay(List<Lane> among, QueuePolicy.Turn turn) {
        owed = Math.max(owed, turn.credits()[turn.chosen()]);
        for (int i = 0; i < among.size(); i++) {
            var lane = among.get(i);
            credits.set(lane.purse, lane.weight(), turn.credits()[i]);
        }
        owe(among);
    }

    private void owe(List<Lane> among) {
        if (allOwe && among == contenders) {
            return;
        }
        for (var lane : among) {
            if (!lane.owes) {
                lane.owes = true;
                owing.add(lane);
            }
        }
        allOwe |= among == contenders;
    }

    void writeCredits() {
        for (var lane : owing) {
            var queue = tables.queue(lane.name());
            if (queue != null && queue.credit() != lane.credit()) {
                tables.put(queue.credited(lane.credit()));
            }
            lane.owes = false;
        }
        owing.clear();
        allOwe = false;
        owed = 0;
    }
}
