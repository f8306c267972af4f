package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.queue.Credits;
import dev.muster.coordinator.core.queue.Credits.Purse;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.ShapeFits.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
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

    public StartableQueues(Tables tables, Eligibility eligibility, ShapeFits trials) {
        this.tables = tables;
        this.eligibility = eligibility;
        this.trials = trials;
    }

    /** One queue. */
    public static final class Lane implements QueuePolicy.Contender {
        private final String name;
        private final Ledger ledger;
        private final Credits credits;
        private final Purse purse;
        private Queue queue;
        private List<Line> lines = List.of();
        private int at;
        private @Nullable Trial trial;
        private boolean listed;
        private boolean contends;
        private boolean guaranteed;
        private boolean owes;

        private Lane(Queue queue, Ledger ledger, Credits credits) {
            this.name = queue.name();
            this.queue = queue;
            this.ledger = ledger;
            this.credits = credits;
            this.purse = new Purse(name, queue.spec().weight(), queue.credit());
        }

        /** Takes what may have changed of the queue; what it owes is not written there yet. */
        private void become(Queue now) {
            queue = now;
            credits.set(purse, now.spec().weight(), owes ? credit() : now.credit());
        }

        public String name() {
            return name;
        }

        /** The job that it would start. */
        public JobId head() {
            return lines.get(at).head();
        }

        private boolean isOpen() {
            return at < lines.size();
        }

        @Override
        public int weight() {
            return purse.weight();
        }

        @Override
        public long credit() {
            return credits.of(purse);
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
    public List<Lane> contenders() {
        if (trials.areOld()) {
            trials.refresh();
        }
        catchUp();
        if (open.isEmpty() && trials.refresh()) {
            catchUp();
        }
        if (open.isEmpty()) {
            // Who contended still does by then, as a rule: mostly all are shut and open together.
            return List.of();
        }
        letContend();
        return contenders;
    }

    private void catchUp() {
        tables.reserves.catchUp();
        boolean closed = lookAtMarked() | lookAtLess();
        if (trials.fewerFit() || isLessAllowed() || eligibility.isShowing()) {
            open.forEach(this::lookOn);
            closed = true;
        }
        if (closed) {
            othersMayContend |= open.removeIf(lane -> !(lane.listed = lane.isOpen()));
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
                var lane =
                        lanes.computeIfAbsent(name, _ -> new Lane(queue, tables.ledger, credits));
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

    private void look(Lane lane, Queue queue) {
        lane.become(queue);
        lane.lines = eligibility.mayStart(queue) ? eligibility.lines(queue) : List.of();
        lane.at = 0;
        goOn(lane, trials::of);
        if (lane.isOpen() && !lane.listed) {
            open.add(lane);
            lane.listed = true;
            othersMayContend = true;
        }
    }

    /** To the first line from here on whose head could start. */
    private void goOn(Lane lane, Function<Shape, Trial> ask) {
        while (lane.isOpen()) {
            var line = lane.lines.get(lane.at);
            lane.trial = ask.apply(line.shape());
            if (lane.trial.fits() && eligibility.excess(lane.queue, line) == null) {
                boolean guaranteed = eligibility.isGuaranteed(lane.queue, line);
                othersMayContend |= guaranteed != lane.guaranteed;
                lane.guaranteed = guaranteed;
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

    private List<Lane> preferred() {
        boolean any = false;
        boolean all = true;
        for (var lane : open) {
            any |= lane.guaranteed;
            all &= lane.guaranteed;
        }
        return all || !any
                ? List.copyOf(open)
                : open.stream().filter(lane -> lane.guaranteed).toList();
    }

    /**
     * As it would be if it were looked at now, beside all others.
     *
     * @param line nothing else of it may have become startable
     * @return null: it could start no job
     */
    @Nullable Lane alone(Queue queue, Line line) {
        var lane = new Lane(queue, tables.ledger, credits);
        if (eligibility.mayStart(queue)) {
            boolean passes = queue.spec().order().backfill();
            lane.lines = passes ? List.of(line) : eligibility.lines(queue);
        }
        goOn(lane, trials::fresh);
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
