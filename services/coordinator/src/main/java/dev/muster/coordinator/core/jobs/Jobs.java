package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.gang.Spots;
import dev.muster.coordinator.core.life.JobRules;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Decision.Stay;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.Past;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.JobIndex;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.LeavingQueues;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out what {@link JobRules} decides about a job: its rows, alarms, plans and news. */
public final class Jobs {
    /** What changes after a first plan or phase gathers for so long. */
    public static final Duration PUBLISH_DELAY = Duration.ofMillis(200);

    /** Least time between two repairs of one job, and between two asks for the second word. */
    public static final Duration REPAIR_INTERVAL = Duration.ofSeconds(5);

    private final Tables tables;
    private final Journal journal;
    private final Plans plans;
    private final JobAlarms alarms;
    private final Checkpoints checkpoints;
    private final Departures departures;
    private final Scalings scalings;
    private final Followers followers;
    private final HostLists hosts;

    public Jobs(Tables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
        this.plans = new Plans(tables, journal);
        this.alarms = new JobAlarms(tables);
        this.checkpoints = new Checkpoints(tables, journal, this);
        this.departures = new Departures(tables, journal, this);
        this.scalings = new Scalings(tables, journal, this);
        this.followers = new Followers(tables, this);
        this.hosts = new HostLists(tables, this);
    }

    public Checkpoints checkpoints() {
        return checkpoints;
    }

    public Departures departures() {
        return departures;
    }

    public Scalings scalings() {
        return scalings;
    }

    public Followers followers() {
        return followers;
    }

    public HostLists hosts() {
        return hosts;
    }

    /** Takes one event through the rules; afterwards the job may be forgotten. */
    public Decision on(Job job, JobEvent event) {
        var now = tables.now();
        var decision = JobRules.decide(BudgetCharges.rested(job, now), event, job.spec(), now);
        if (decision instanceof Move(var next, var orders)) {
            move(job, next, orders);
        } else if (decision instanceof Stay(var why)
                && !(event instanceof JobEvent.WaitExplained)) {
            // How often it looks for reasons is no fact of the pool: one made anew looks again.
            journal.stays(why);
        }
        return decision;
    }

    /** It was found out why it waits: told if it is another reason than before. */
    public void explain(Job job, WaitReason reason) {
        on(job, new JobEvent.WaitExplained(reason));
    }

    private void move(Job job, JobState next, List<Order> orders) {
        var before = job.state();
        boolean isToGo = next.isLeaving() && !before.isLeaving();
        boolean wasHeld = isToGo && StartupProblems.of(tables, job) != null;
        var moved = owing(job.to(next, times(job, next)).with(past(job, next)), before);
        for (var order : orders) {
            moved = plans.carryOut(moved, order);
        }
        boolean isNews = before instanceof JobState.Absent || before.phase() != next.phase();
        if (isNews) {
            moved = moved.nextSeq();
            var word = StateReason.of(next);
            journal.publish(
                    new Effect.Moved(
                            moved.id(),
                            moved.seq(),
                            moved.fences().attempt(),
                            before instanceof JobState.Absent ? null : before.phase(),
                            next.phase(),
                            word.reason(),
                            word.message()));
        }
        if (next instanceof Ended && !(before instanceof Ended)) {
            moved = scalings.cancelled(moved);
            moved = next.phase() == Phase.SUCCEEDED ? Avoidance.lifted(tables, moved) : moved;
        }
        tables.put(moved);
        alarms.set(moved);
        boolean waits =
                StateReason.of(next).waits() != null || StateReason.of(before).waits() != null;
        // Another reason to stop may take the place of the first; who is suspended may be held.
        boolean saysOtherwise =
                (next.phase() == Phase.STOPPING || next.phase() == Phase.SUSPENDED)
                        && !StateReason.of(next).equals(StateReason.of(before));
        // Pods that are to go from now on may be where nobody ends them: it says so at once, and no
        // more what kept them before.
        boolean isHeld = isToGo && (wasHeld || StartupProblems.of(tables, moved) != null);
        if (isNews || waits || isHeld || saysOtherwise || next instanceof Queued) {
            publishStatus(moved);
        }
        tellWhy(moved, before);
        afterwards(moved, job);
    }

    /** Its own reason to wait, if it is another than before; who comes back says so by that. */
    private void tellWhy(Job job, JobState before) {
        var reason = StateReason.of(job.state()).waits();
        boolean isBack = before instanceof JobState.Leaving && job.state() instanceof Queued;
        if (reason != null && !isBack && reason.isNewsAfter(StateReason.of(before).waits())) {
            journal.publish(new Effect.Waits(job.id(), job.spec().queue(), reason));
        }
    }

    /** What it is to save before it stops is asked of it; of one that has stopped, nothing is. */
    private Job owing(Job job, JobState before) {
        if (job.state() instanceof JobState.Saving && before instanceof JobState.Running) {
            return checkpoints.asked(job, StateReason.of(job.state()).message());
        }
        return job.state().isUp() ? job : checkpoints.withdrawn(job);
    }

    private Job.Times times(Job job, JobState next) {
        boolean isNextStage = next.isUp() && job.state().phase() == next.phase();
        var times =
                job.state().isUp() && !next.isUp()
                        ? job.times().hinderedFor(Hindrances.all(tables, job))
                        : job.times();
        return isNextStage ? times : times.after(next, tables.now());
    }

    private Past past(Job job, JobState next) {
        var before = job.state();
        var running = job.times().running();
        boolean ran = before instanceof JobState.Running && !(next instanceof JobState.Running);
        var past =
                ran && running != null
                        ? job.past()
                                .ranFor(Duration.between(running, tables.now()))
                                .charged(BudgetCharges.restedBudgets(job, tables.now()))
                        : job.past();
        past = past.charged(BudgetCharges.brokenOff(tables, job.with(past), next));
        return WaitingTimes.of(job, past, next, tables.now());
    }

    /** What follows for the queue, the ranks and the memory of the job. */
    private void afterwards(Job job, Job was) {
        var before = was.state();
        var state = job.state();
        var queue = job.spec().queue();
        boolean isInLine = state.takesPart();
        if (before.phase() != state.phase()
                || before.takesPart() != isInLine
                || before instanceof JobState.Absent) {
            QueueStates.tell(tables, queue);
        }
        if (mayStartOthers(job, before)) {
            tables.startsAreDue();
        }
        if (!isInLine && job.id().equals(tables.holder())) {
            tables.endHold(); // No row says what it holds of quotas once it is gone.
        }
        if (before.keepsRoom() && !state.keepsRoom()) {
            Forgetting.room(tables, job);
        }
        if (state.isLeaving() && !before.isLeaving() && !state.keepsRoom()) {
            LostNodes.await(tables, job);
        }
        boolean isLeft = before.isLeaving() || before instanceof JobState.Restarting;
        if (isLeft && state.isWaiting()) {
            comeBack(job, was);
            HoldYield.follow(tables, job, before);
        }
        if (before.isUp() != state.isUp()) {
            scalings.look(job.id());
        }
        // Once asked it is waited for: only a failure that counts ends that.
        boolean isAsked = state instanceof JobState.Saving && !(before instanceof JobState.Saving);
        if (isAsked && !checkpoints.canSave(job)) {
            on(tables.current(job), new JobEvent.CheckpointOver());
        }
        if (state instanceof Ended(var end, var remains)) {
            if (!(before instanceof Ended)) {
                followers.ended(job.id(), end.phase());
                OnlyLost.ended(tables, job);
            }
            if (remains == Remains.GONE) {
                Forgetting.all(tables, journal, job);
            }
            LeavingQueues.deleteIfEmpty(tables, journal, queue);
        }
        OnlyLost.look(tables, this, job.id()); // It may be that only such are left: no news comes.
    }

    /**
     * It may take part again, or it stood in the way of others; or what its queue says of all its
     * jobs is to be told anew.
     */
    private boolean mayStartOthers(Job job, JobState before) {
        boolean isTried = job.state().takesPart();
        boolean wasTried = before.takesPart();
        var queue = tables.queue(job.spec().queue());
        boolean stoodInTheWay =
                queue != null
                        && (!queue.spec().order().backfill() || tables.reserves.mayBeIn(queue));
        boolean held = job.id().equals(tables.holder());
        boolean yielded = tables.growing.isAny() && !job.state().isUp();
        boolean leftItsPlace =
                queue != null
                        && queue.spec().doors().limitsRunning()
                        && JobIndex.Counts.isRunning(before)
                        && !JobIndex.Counts.isRunning(job.state());
        return leftItsPlace
                || isTried && !wasTried && !(before instanceof JobState.Absent)
                || wasTried
                        && !isTried
                        && (held || stoodInTheWay || yielded || isSaidOfNobody(queue));
    }

    /** Why all jobs of a queue wait, and none is left: that holds no more, and nothing marks it. */
    private boolean isSaidOfNobody(@Nullable Queue queue) {
        var said = queue == null ? null : queue.reason();
        return queue != null
                && said != null
                && !said.isOfDoors()
                && tables.backlog.size(queue.name()) == 0;
    }

    /** From stopping to the queue, or to wait until it is resumed. */
    private void comeBack(Job job, Job was) {
        if (job.state() instanceof Queued(_, _, var reason) && reason != null) {
            journal.publish(new Effect.TakenBack(job.id(), job.spec().queue(), reason));
        }
        boolean isNextMixDue = NextMix.isDue(tables, was);
        Forgetting.ranks(tables, job);
        if (isNextMixDue) {
            NextMix.take(tables, tables.current(job));
        }
    }

    /** The first witness spoke: nothing of a leaving job is there or may still come. */
    public void podsMayBeGone(JobId id) {
        var job = tables.job(id);
        if (job != null
                && job.state().isLeaving()
                && tables.gang(job).isGone()
                && Plans.isApplied(job)) {
            on(job, new JobEvent.PodsGone());
        }
    }

    /**
     * Counts or plan changed: published together a little later.
     *
     * @param job that was just changed; what it is by now is what is published
     */
    public void gather(Job job, Job.Due more) {
        var now = tables.current(job);
        var due = now.due().and(more);
        if (!due.equals(now.due())) {
            tables.put(now.with(due));
        }
        publishSoon(now.id());
    }

    /** The same; the job is not yet put. */
    Job gathering(Job job, Job.Due more) {
        publishSoon(job.id());
        return job.with(job.due().and(more));
    }

    private void publishSoon(JobId id) {
        tables.wakings.once(Alarm.Kind.GATHER, id, tables.now().plus(PUBLISH_DELAY));
    }

    /** A rank of it has ended well, or as if it had: where its whole role has, fewer are kept. */
    public void roleMayHaveEnded(Job job, Rank rank) {
        var role = tables.gang(job).tally().byRole().get(rank.id().role());
        boolean isTold =
                job.spec().work().keepsLeast() || tables.settings().spec().backing().choosesNodes();
        if (isTold && role != null && role.hasSucceeded()) {
            gather(job, Job.Due.PLAN_AND_STATUS);
        }
    }

    public void publishGathered(Job job) {
        var now = job;
        if (job.due().plan() && job.state().isUp()) {
            now = plans.carryOut(job, new Order.Run());
        }
        if (job.due().status()) {
            journal.publish(status(now.with(Job.Due.NOTHING)));
        }
        tables.put(now.with(Job.Due.NOTHING));
    }

    /**
     * Publishes the newest plan once more, with a new version. One that stops a job and is still
     * under way lists again when it is done, and gives each pod the time that it says.
     */
    public void repair(Job job) {
        if (job.state().isUp()) {
            tables.put(plans.repeat(job, new Order.Run()));
            return;
        }
        if (!Plans.isApplied(job)) {
            return;
        }
        boolean allSeen = tables.gang(job).all().stream().noneMatch(Rank::isListedUnseen);
        if (job.state().isLeaving() && !Plans.isConfirming(job) && allSeen) {
            podsMayBeGone(job.id());
            return;
        }
        tables.put(plans.repeat(job, Plans.stop(job).late()));
    }

    /**
     * What dead nodes hold of these ranks is deleted without the kubelet's word, by this plan and
     * by all that stop the job after it.
     */
    public void force(Job job, List<RankId> ranks) {
        for (var id : ranks) {
            var rank = tables.gang(job).get(id);
            if (rank != null) {
                tables.put(rank.givingUp());
            }
        }
        tables.put(plans.repeat(job, Plans.stop(job)));
    }

    public void publishStatus(Job job) {
        boolean isDue = job.due().status();
        var published = isDue ? job.with(job.due().withoutStatus()) : job;
        journal.publish(status(published));
        if (isDue) {
            tables.put(published);
        }
    }

    private Effect.Status status(Job job) {
        var gang = tables.gang(job);
        var throughput = tables.throughputs.get(job.id());
        var verdict = throughput == null ? null : throughput.verdict();
        return new Effect.Status(
                job,
                StartupProblems.word(tables, job),
                gang.tally(),
                Spots.of(job, gang),
                BudgetCharges.allowances(job, tables.now()),
                verdict);
    }
}
