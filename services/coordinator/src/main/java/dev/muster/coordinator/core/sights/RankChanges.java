package dev.muster.coordinator.core.sights;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.failures.Failures;
import dev.muster.coordinator.core.gang.UnjudgedFailures;
import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.jobs.EarlierPods;
import dev.muster.coordinator.core.jobs.ElasticEnd;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.LostNodes;
import dev.muster.coordinator.core.jobs.OnlyLost;
import dev.muster.coordinator.core.jobs.Scalings;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.HostList;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What follows when a rank is seen to stand otherwise, or is judged to: for its job and others. */
final class RankChanges {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Stages stages;
    private final Failures failures;
    private final GoingNodes going;
    private final SuspectNodes suspects;
    private final ElasticEnd ending;

    RankChanges(Tables tables, Journal journal, Jobs jobs, Stages stages, Failures failures) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.stages = stages;
        this.failures = failures;
        this.going = new GoingNodes(tables, jobs);
        this.suspects = new SuspectNodes(tables);
        this.ending = new ElasticEnd(tables, jobs);
    }

    /** Its pod is there no more. */
    void vanished(Job job, Rank rank) {
        if (rank.isLeaving() && job.state().isUp()) {
            left(job, List.of(rank));
            return;
        }
        boolean unexpected = job.state().isUp() && !rank.state().hasEnded();
        var failure = unexpected ? Failure.lost(rank.id()) : rank.sight().failure();
        var state = unexpected ? RankState.FAILED : rank.state();
        boolean released = rank.sight().released() || !keepsRoom(job, rank, state);
        var sight = rank.sight().vanished(tables.clock().tick(), state, released, failure);
        put(job, rank, rank.with(sight), null);
    }

    /** They were taken out, and their pods are gone: nothing is remembered of them. */
    void left(Job job, List<Rank> ranks) {
        boolean wasListed = false;
        for (var rank : ranks) {
            if (!rank.state().hasEnded()) {
                tellEnd(tables.current(job), rank, null);
            }
            wasListed |= HostList.names(job, rank);
            tables.remove(rank);
        }
        tables.startsAreDue();
        jobs.gather(job, new Job.Due(wasListed, true));
        follow(job.id());
    }

    /**
     * A rank stands otherwise than before.
     *
     * @param exitCode of its main container; null: none was seen
     */
    void put(Job job, Rank before, Rank next, @Nullable Integer exitCode) {
        tables.put(next);
        boolean isElsewhere = !next.making().node().equals(before.making().node());
        boolean isReleased = next.sight().released() && !before.sight().released();
        boolean isGone = next.sight().gone() && !before.sight().gone();
        if (isElsewhere || !next.whereabouts().equals(before.whereabouts())) {
            LostNodes.met(tables, job, next);
        }
        if (isElsewhere || isReleased || isGone) {
            tables.startsAreDue(); // There is room where it was, or in the namespace's quota.
        }
        if (job.state().isUp() && next.state() != before.state()) {
            if (next.state() == RankState.RUNNING && job.times().started() == null) {
                job = job.with(job.times().firstPodRuns(tables.now()));
                tables.put(job);
            }
            if (next.state().hasEnded()) {
                tellEnd(job, next, exitCode);
            }
            if (next.state() == RankState.SUCCEEDED) {
                jobs.roleMayHaveEnded(job, next);
                ending.succeeded(tables.current(job), next);
            }
            if (UnjudgedFailures.isOne(next)) {
                suspects.failed(next);
            }
            jobs.scalings().changed(job, next);
        }
        boolean wasAwaited = isGone && job.isToGo(before); // Its job's status may name it.
        if (wasAwaited || !counted(before).equals(counted(next))) {
            jobs.gather(job, new Job.Due(next.hasLeft(tables.now()), true));
        }
        if (isGone) {
            EarlierPods.changed(tables, jobs, job.id());
        }
        if (job.state().isUp() && next.isEndedAndGone() && !before.isEndedAndGone()) {
            // A pod-manager that begins would make it again by the plan that still wants it.
            jobs.gather(job, Job.Due.PLAN);
        }
        if (next.state() == RankState.RUNNING && before.state() != RankState.RUNNING) {
            stages.meets(job, next.id());
        }
        boolean ran = job.state() instanceof JobState.Running;
        follow(job.id());
        boolean runsNow = !ran && tables.current(job).state() instanceof JobState.Running;
        boolean comesOrGoes = Scalings.isThere(job, next) != Scalings.isThere(job, before);
        if (runsNow || comesOrGoes && going.isDue(job.id())) {
            going.look(job.id());
            stages.ranksChanged(job.id());
        }
        if (HostList.differs(job, before, next)) {
            jobs.hosts().mayChange(job.id());
        }
    }

    private void follow(JobId id) {
        stages.ranksChanged(id);
        Dependents.follow(tables, id);
        failures.look(id);
        jobs.podsMayBeGone(id);
        OnlyLost.look(tables, jobs, id);
        jobs.scalings().look(id);
        jobs.checkpoints().look(id);
    }

    private static List<Object> counted(Rank rank) {
        var sight = rank.sight();
        var hindrance = sight.hindrance();
        return List.of(
                rank.state(),
                sight.ready(),
                sight.unschedulable(),
                hindrance == null ? "" : hindrance.reason());
    }

    private void tellEnd(Job job, Rank rank, @Nullable Integer exitCode) {
        var told = job.nextSeq();
        tables.put(told);
        var failure = rank.sight().failure();
        var message = failure == null ? "" : failure.message();
        journal.publish(Effect.RankEnded.of(told, rank, exitCode, reason(rank), message));
    }

    private static String reason(Rank rank) {
        var failure = rank.sight().failure();
        if (rank.isLeaving()) {
            return End.Code.SCALED_IN.label();
        }
        return failure == null ? End.Code.COMPLETED.label() : failure.reason();
    }

    /** What the rank uses is kept for its next making; a rank that leaves is not made again. */
    static boolean keepsRoom(Job job, Rank rank, RankState state) {
        // Who was to start again in a pod that ended instead comes back, too.
        boolean isDone = state == RankState.SUCCEEDED || state == RankState.IGNORED;
        return job.state().keepsRoom() && !rank.isLeaving() && !(job.state().isUp() && isDone);
    }
}
