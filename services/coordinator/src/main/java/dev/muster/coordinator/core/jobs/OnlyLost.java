package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What becomes of a job whose pods are to go, once only such are left that are lost. */
public final class OnlyLost {
    private OnlyLost() {}

    /**
     * Where only lost ranks are left of a job whose pods are to go, it forces; one that does not
     * waits. While some who would hear of their nodes are silent, those are awaited once more.
     */
    public static void look(Tables tables, Jobs jobs, JobId id) {
        var job = tables.job(id);
        var left = job == null ? List.<Rank>of() : onlyLost(tables, job);
        if (job == null || left.isEmpty()) {
            return;
        }
        if (putsOff(tables, job, left) || !forcesOrWaits(tables, jobs, job, left)) {
            jobs.gather(job, Job.Due.STATUS); // It says what holds it.
        }
    }

    /**
     * A job has ended that keeps what had: who was to go, and counted as lost before, is forced as
     * soon as all watch, since nobody waits for his node any more.
     */
    static void ended(Tables tables, Job job) {
        if (job.state().isLeaving()) {
            return;
        }
        for (var rank : tables.gang(job).left()) {
            if (job.isToGo(rank)
                    && DeadNodes.isLostNow(tables, rank)
                    && DeadNodes.mayBeForced(tables, job, rank)) {
                tables.wakings.at(Alarm.Kind.NODE_LOST, OnNode.of(rank), tables.now());
            }
        }
    }

    /** False: nothing is to be forced now but by somebody's word, or nobody is silent. */
    private static boolean putsOff(Tables tables, Job job, List<Rank> left) {
        var byPolicy =
                left.stream()
                        .filter(r -> !r.givenUp() && DeadNodes.mayBeForced(tables, job, r))
                        .toList();
        if (byPolicy.isEmpty() || !Blindness.now(tables, job.id())) {
            return false;
        }
        var next = tables.now().plus(Alarm.RETRY_INTERVAL);
        byPolicy.forEach(rank -> tables.wakings.at(Alarm.Kind.NODE_LOST, OnNode.of(rank), next));
        return true;
    }

    /**
     * Publishes a plan that forces what is left as far as it may be forced; where nothing may, a
     * job that is to run again waits in the queue for its nodes.
     *
     * @return false: it does neither, and goes on waiting where it is
     */
    private static boolean forcesOrWaits(Tables tables, Jobs jobs, Job job, List<Rank> left) {
        var forced =
                left.stream()
                        .filter(r -> DeadNodes.mayBeForced(tables, job, r))
                        .map(Rank::id)
                        .toList();
        if (forced.isEmpty()) {
            return waits(jobs, job, left);
        }
        var all = forced.stream().map(ForcedPods::of).toList();
        if (!DeadNodes.givenUp(tables, job).containsAll(all)) { // Else its plan says so already.
            jobs.force(job, forced);
        }
        return true;
    }

    /** What is left of a job whose pods are to go; none: some of it is not lost. */
    private static List<Rank> onlyLost(Tables tables, Job job) {
        if (!job.state().isLeaving() || job.state() instanceof JobState.Lost) {
            return List.of();
        }
        var lost = new ArrayList<Rank>();
        for (var rank : tables.gang(job).left()) {
            if (!DeadNodes.isLostNow(tables, rank)) {
                return List.of();
            }
            lost.add(rank);
        }
        return lost;
    }

    /** False: it is not to run again, and goes on waiting where it is. */
    private static boolean waits(Jobs jobs, Job job, List<Rank> left) {
        if (left.isEmpty()
                || !(job.state() instanceof JobState.Leaving leaving)
                || !leaving.isToRunAgain()) {
            return false;
        }
        var nodes = new TreeSet<String>();
        left.forEach(rank -> nodes.add(rank.whereabouts()));
        var message =
                "pods of it are left on %s, not heard of; %s"
                        .formatted(String.join(", ", nodes), StateReason.of(leaving).message());
        jobs.on(job, new JobEvent.NodesLost(message));
        return true;
    }
}
