package dev.muster.coordinator.core;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.failures.Failures;
import dev.muster.coordinator.core.failures.GangRestarts;
import dev.muster.coordinator.core.failures.InPlaceRestarts;
import dev.muster.coordinator.core.failures.Restarts;
import dev.muster.coordinator.core.jobs.Avoidance;
import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Recovery;
import dev.muster.coordinator.core.jobs.Relocation;
import dev.muster.coordinator.core.life.DeadlinePeriod;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.nodes.PoolStates;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.sights.Pods;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Ends;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.Tables;
import java.util.function.Consumer;

/** What is done when the pool's time has come to an alarm. */
final class Deadlines {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Pods pods;
    private final Failures failures;
    private final Restarts restarts;
    private final GangRestarts gangs;
    private final InPlaceRestarts inPlace;
    private final Avoidance avoidance;
    private final Relocation relocation;
    private final Stages stages;
    private final GangTimeout gangTimeout;
    private final GoingNodes going;
    private final SuspectNodes suspects;

    Deadlines(
            Tables tables,
            Journal journal,
            Jobs jobs,
            Pods pods,
            Failures failures,
            Restarts restarts) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.pods = pods;
        this.failures = failures;
        this.restarts = restarts;
        this.gangs = new GangRestarts(tables, journal, jobs);
        this.inPlace = new InPlaceRestarts(tables, journal, jobs);
        this.avoidance = new Avoidance(tables, jobs);
        this.relocation = new Relocation(tables, journal, jobs);
        this.stages = new Stages(tables, journal, jobs);
        this.gangTimeout =
                new GangTimeout(tables, jobs, pods, restarts, new Recovery(tables, relocation));
        this.going = new GoingNodes(tables, jobs);
        this.suspects = new SuspectNodes(tables);
    }

    void fire(Alarm alarm) {
        tables.remove(alarm);
        switch (alarm.kind()) {
            case CHECKPOINT -> ofJob(alarm, jobs.checkpoints()::late);
            case GANG_TIMEOUT -> ofJob(alarm, gangTimeout::passed);
            case BACKOFF -> ofJob(alarm, this::backoffPassed);
            case TTL -> ofJob(alarm, job -> jobs.on(job, new JobEvent.KeepingOver()));
            case GATHER -> gathered(alarm.job());
            case REPAIR -> ofJob(alarm, jobs::repair);
            case ENDED -> Ends.forget(tables, alarm.job());
            case FORGET -> journal.publish(new Effect.Forget(alarm.job()));
            case SETTLE -> ofJob(alarm, failures::settled);
            case NODE_SETTLE -> ofJob(alarm, failures::settledLate);
            case RESTARTS -> ofJob(alarm, failures::restartsSettled);
            case REMAKE -> ofJob(alarm, restarts::delayOver);
            case ROOM -> ofJob(alarm, restarts::roomless);
            case IN_PLACE -> ofJob(alarm, inPlace::passed);
            case EXCLUSION -> ofJob(alarm, avoidance::exclusionFaded);
            case QUEUE_DEADLINE -> ofJob(alarm, job -> passed(DeadlinePeriod.QUEUE, job));
            case START_DEADLINE -> ofJob(alarm, this::startPassed);
            case RUN_DEADLINE -> ofJob(alarm, job -> passed(DeadlinePeriod.RUN, job));
            case NODE_LOST -> pods.nodeLost(OnNode.parse(alarm.subject()));
            case SCALE_DEADLINE -> ofJob(alarm, jobs.scalings().undoing()::late);
            case DRAIN -> {
                ofJob(alarm, jobs.departures()::drained);
                failures.look(alarm.job()); // Of those who leave some may be left behind by now.
            }
            case GOING -> {
                var id = alarm.job();
                going.look(id);
                stages.ranksChanged(id); // While it saved nobody had his turn.
            }
            case HOOK -> ofJob(alarm, jobs.scalings().hooks()::due);
            case HINDERED -> pods.hindered(OfRank.parse(alarm.subject()));
            case PLACE_AGAIN -> relocation.elsewhere(OfRank.parse(alarm.subject()));
            case NODE_HEALTH -> suspects.faded(alarm.subject());
            case POOL -> {
                var name = tables.settings().name();
                if (name != null) {
                    journal.publish(PoolStates.of(tables, name));
                }
            }
            case QUEUE -> {
                var queue = tables.queue(alarm.subject());
                if (queue != null) {
                    journal.publish(QueueStates.of(tables, queue));
                }
            }
            case RESERVE -> tables.startsAreDue();
            case STUCK, LEFT -> ofJob(alarm, job -> stuck(alarm.kind(), job));
        }
    }

    /**
     * Where ranks left or are to be made again, its minimum may not run any more, or nobody is left
     * who would.
     */
    private void gathered(JobId id) {
        stages.ranksChanged(id);
        Dependents.follow(tables, id);
        failures.look(id);
        var job = tables.job(id);
        if (job != null) {
            jobs.publishGathered(job);
        }
    }

    /** Its status says what does not go. */
    private void stuck(Alarm.Kind kind, Job job) {
        if (Blindness.putsOff(tables, kind, job.id())) {
            return;
        }
        if (kind == Alarm.Kind.LEFT) {
            jobs.departures().stuck(job);
        } else {
            jobs.gather(job, Job.Due.STATUS);
        }
    }

    private void backoffPassed(Job job) {
        if (job.state() instanceof JobState.Restarting) {
            gangs.again(job);
        } else {
            jobs.on(job, new JobEvent.BackoffPassed());
        }
    }

    private void passed(DeadlinePeriod stretch, Job job) {
        if (stretch.end(job) != null) {
            var end = End.failed(End.Code.DEADLINE_EXCEEDED, stretch.passed(job));
            jobs.on(job, new JobEvent.DeadlinePassed(end));
        }
    }

    /** It rests on not having seen the gang run, as the gang's own time does. */
    private void startPassed(Job job) {
        var end = DeadlinePeriod.START.end(job);
        if (end != null
                && job.state() instanceof Starting starting
                && !Blindness.putsOff(
                        tables,
                        Alarm.Kind.START_DEADLINE,
                        job.id(),
                        end,
                        starting.blindUntilAdmitted())) {
            passed(DeadlinePeriod.START, job);
        }
    }

    private void ofJob(Alarm alarm, Consumer<Job> then) {
        var job = tables.job(alarm.job());
        if (job != null) {
            then.accept(job);
        }
    }
}
