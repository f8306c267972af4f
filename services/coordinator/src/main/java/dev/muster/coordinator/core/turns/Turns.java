package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.failures.Restarts;
import dev.muster.coordinator.core.hold.Holds;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.starts.Starts;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who starts next: turns between queues, and the first startable job within one. A round goes on
 * while anything starts, and ends by explaining why the rest waits.
 */
public final class Turns {
    /** After so long without a look who has come first by waiting alone is looked for. */
    static final Duration LOOK = Duration.ofSeconds(10);

    private final Tables tables;
    private final Journal journal;
    private final Restarts restarts;
    private final Starts starts;
    private final Holds holds;
    private final Growth growth;
    private final Reasons reasons;
    private final StageReasons stageReasons;
    private final Eligibility eligibility;
    private final ShapeFits trials;
    private final StartableQueues lanes;
    private final Sweeps sweeps;
    private final MixChoice mixes;

    public Turns(
            Tables tables,
            Journal journal,
            Jobs jobs,
            Stages stages,
            RoomSeekers wanting,
            Restarts restarts) {
        this.tables = tables;
        this.journal = journal;
        this.restarts = restarts;
        this.starts = new Starts(tables, journal, jobs);
        this.eligibility = tables.eligibility;
        this.holds = new Holds(tables, journal, jobs);
        this.reasons = new Reasons(tables, journal, jobs);
        var next = new NextStage(tables);
        this.growth = new Growth(tables, jobs, starts, stages, next, wanting);
        this.stageReasons = new StageReasons(tables, journal, jobs, next);
        this.trials = new ShapeFits(tables);
        this.lanes = new StartableQueues(tables, trials);
        this.sweeps = new Sweeps(tables);
        this.mixes = new MixChoice(tables);
    }

    /**
     * Waiting alone may put others first, and so make them startable where nobody passes the first
     * or where quotas are kept for it: what nothing else has looked at for long is looked at then.
     */
    public void heedWaiting() {
        var looked = tables.clock().looked();
        boolean isHeeded =
                !tables.settings().spec().priorities().agingStep().isZero()
                        && tables.mayAnyStandInTheWay();
        if (isHeeded && (looked == null || !tables.now().isBefore(looked.plus(LOOK)))) {
            tables.startsAreDue();
        }
    }

    /**
     * Goes on with the round until nothing starts any more, or the step is full.
     *
     * @param most effects of the whole step
     */
    public void round(int most) {
        trials.refresh();
        growth.begin();
        tables.reserves.catchUp();
        boolean goesOn = true;
        while (goesOn && !journal.isFull(most)) {
            goesOn = claim();
        }
        lanes.writeCredits();
        if (!goesOn && !journal.isFull(most)) {
            trials.judge();
            // Whether any queue is left to be told of is no row: a step that is full ends before.
            if (stageReasons.tellAll(most)
                    && journal.effects() < most
                    && reasons.tellAll(most - journal.effects())) {
                tables.put(tables.settings().due(false));
                tables.put(tables.clock().look());
                sweeps.begin();
                mixes.begin();
            }
        }
    }

    /** Something is left that no round looks at. */
    public static boolean isMoreLeft(Tables tables) {
        return Sweeps.areDue(tables) || MixChoice.isDue(tables);
    }

    /**
     * Looks at some of the lines, and of the mixes of roles, that no round looks at; to be called
     * when none is due.
     *
     * @param most effects of the whole step
     */
    public void lookFurther(int most) {
        if (mixes.chooseFurther() || !Sweeps.areDue(tables)) {
            return;
        }
        var window = sweeps.next();
        var name = window.lines().queue();
        if (!window.isEmpty() && !startedAll(window, most)) {
            return;
        }
        holds.note(name, window.lines().left());
        sweeps.moveOn(window);
    }

    /** Starts what can be started of these lines, and says of the others why they wait. */
    private boolean startedAll(Sweeps.Window window, int most) {
        var name = window.lines().queue();
        lanes.show(window.lines());
        boolean goesOn = true;
        while (goesOn && !journal.isFull(most)) {
            goesOn = turn();
            if (goesOn) {
                sweeps.serves(name);
            }
        }
        lanes.writeCredits();
        lanes.showNone();
        var queue = tables.queue(name);
        return !goesOn
                && queue != null
                && reasons.tellFurther(queue, window.lines().left(), most - journal.effects());
    }

    /**
     * Served in this order: what failed of gangs that run, stages of started jobs, the holder,
     * turns, those that could have one with another mix, a new holder, growth.
     */
    private boolean claim() {
        return restarts.inRoomThatCame()
                || growth.nextStage()
                || holder()
                || turn()
                || mixes.choose()
                || holds.review()
                || growth.nextPod();
    }

    private boolean holder() {
        var job = holds.startable();
        var fit = job == null ? null : holds.fit(job);
        if (job == null || fit == null) {
            return false;
        }
        var contenders = new ArrayList<>(lanes.contenders());
        var own = lanes.of(job.spec().queue());
        if (own != null && !contenders.contains(own)) {
            contenders.add(own);
            contenders.sort(Comparator.comparing(Lane::name));
        }
        tables.endHold();
        if (own != null) {
            lanes.pay(contenders, own);
        }
        starts.start(job, fit, lanes.shown(contenders, own));
        return true;
    }

    private boolean turn() {
        if (lanes.contenders().isEmpty()) {
            return false;
        }
        start(lanes.next());
        return true;
    }

    private void start(StartableQueues.Served served) {
        var head = served.lane().head();
        var job = tables.job(head);
        var fit = job == null ? null : tables.capacity.placed(tables.makeup(job).start());
        if (job == null || fit == null) {
            throw new IllegalStateException("a head fits no more: " + head);
        }
        starts.start(job, fit, served.credits());
    }

    /**
     * Tries one job that was just submitted. Nothing else has become startable by that, so nothing
     * else is looked at.
     */
    public void tryAlone(JobId id) {
        var job = tables.job(id);
        var line = job == null ? null : eligibility.lineOf(job);
        if (job == null || line == null || tables.settings().startsDue()) {
            return;
        }
        var queue = tables.queue(job.spec().queue());
        if (queue == null) {
            return;
        }
        var lane = lanes.alone(queue, line);
        if (lane != null) {
            tables.reserves.haveShrunk();
            start(lanes.next(List.of(lane)));
            lanes.writeCredits();
            if (tables.reserves.haveShrunk()) {
                tables.startsAreDue(); // It uses what somebody lacks for whom quotas were kept.
            } else if (tables.hold() != null && !tables.makeup(job).repulsions().isEmpty()) {
                tables.startsAreDue(); // It may keep the holder off what is held.
            }
        } else {
            if (mixes.chooseFor(queue, job)) {
                tables.startsAreDue(); // It may start with another mix.
                return;
            }
            reasons.tell(line, queue);
            holds.remind(queue, job);
            if (!line.isFirst()) {
                lookBefore(queue, line);
            } else if (tables.reserves.isInFrontOfOne(queue, line)) {
                tables.startsAreDue(); // What was kept for it is kept no more.
            }
        }
    }

    /** What stands before it, and behind the first lines, is not looked at at once. */
    private void lookBefore(Queue queue, Line line) {
        holds.note(queue.name(), List.of(line));
        if (!queue.spec().order().backfill() && !eligibility.isBlocked(queue)) {
            tables.startsAreDue();
        }
    }
}
