package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** That jobs which want to save are asked before they are changed, whatever comes. */
final class SavingPromises {
    private Map<JobId, List<Rank>> before = new HashMap<>();
    private final Map<JobId, Job> jobsBefore = new HashMap<>();
    private final TreeSet<JobId> wanting = new TreeSet<>();

    /** Between any two events. */
    void areKept(Play play) {
        for (var row : rows(play, Row.Table.JOB).values()) {
            var job = (Job) row;
            owesOnlyWhatIsWaitedFor(play, job);
            if (job.spec().work().checkpoint() != null) {
                wanting.add(job.id());
            }
        }
        var ranks = new HashMap<>(play.ranks());
        ranks.forEach((id, now) -> {
            var was = before.getOrDefault(id, List.of());
            if (was != now) {
                leaveOnlyWhenAsked(play.job(id), was, now);
            }
        });
        before = ranks;
        jobsBefore.clear();
        rows(play, Row.Table.JOB)
                .values()
                .forEach(row -> jobsBefore.put(((Job) row).id(), (Job) row));
    }

    private static TreeMap<String, Row> rows(Play play, Row.Table table) {
        return play.rows.getOrDefault(table, new TreeMap<>());
    }

    private static void owesOnlyWhatIsWaitedFor(Play play, Job job) {
        boolean isSaving = job.state() instanceof JobState.Saving;
        var asked = job.asked();
        if (asked == null) {
            if (isSaving) {
                throw new AssertionError("%s saves and was not asked".formatted(job));
            }
            return;
        }
        var key = Alarm.key(Alarm.Kind.CHECKPOINT, job.id().toString()).id();
        var alarm = (Alarm) rows(play, Row.Table.ALARM).get(key);
        boolean isAwaited = isSaving || play.ranks(job.id()).stream().anyMatch(job::defers);
        if (!job.state().isUp()
                || !isAwaited
                || alarm == null
                || !alarm.at().equals(asked.until())) {
            throw new AssertionError("%s owes %s, %s".formatted(job, asked, alarm));
        }
    }

    private void leaveOnlyWhenAsked(Job job, List<Rank> were, List<Rank> are) {
        var byId = new HashMap<RankId, Rank>();
        were.forEach(rank -> byId.put(rank.id(), rank));
        for (var rank : are) {
            var was = byId.get(rank.id());
            if (was != null && rank.isLeaving() && !was.isLeaving()) {
                leavesOnlyWhenAsked(job, was, rank, were, are);
            }
        }
    }

    /** But for what a command brought that came to nothing. */
    private void leavesOnlyWhenAsked(
            Job job, Rank was, Rank rank, List<Rank> were, List<Rank> are) {
        var jobWas = jobsBefore.get(job.id());
        boolean isNews =
                jobWas != null
                        && was.making().equals(rank.making())
                        && was.state() == RankState.RUNNING
                        && rank.state() == RankState.RUNNING;
        // It may have been asked and not have answered in time since it was looked at last.
        boolean wantsToBeAsked =
                isNews
                        && Objects.equals(job.past().checkpoint(), jobWas.past().checkpoint())
                        && job.spec().work().checkpoint() != null
                        && jobWas.state() instanceof JobState.Running
                        && job.state() instanceof JobState.Running;
        if (wantsToBeAsked
                && !isImpaired(jobWas, were)
                && !isImpaired(job, are)
                && !job.defers(rank)
                && rank.tenure().joined() == 0) {
            throw new AssertionError("%s leaves %s, which was not asked".formatted(rank, job));
        }
    }

    /** Somebody has failed or comes again, or fewer run than its minimum. */
    private static boolean isImpaired(Job job, List<Rank> ranks) {
        var running = new TreeMap<String, Integer>();
        for (var rank : ranks) {
            if (!rank.isLeaving()) {
                if (rank.state() == RankState.FAILED || rank.state() == RankState.RETURNING) {
                    return true;
                }
                boolean isFine =
                        rank.state() == RankState.RUNNING || rank.state() == RankState.SUCCEEDED;
                running.merge(rank.id().role(), isFine ? 1 : 0, Integer::sum);
            }
        }
        return job.past().opened().stream()
                .anyMatch(role -> running.getOrDefault(role, 0) < job.spec().role(role).min());
    }

    /** What waits for an answer is in no plan if it is to come, and in each if it is to go. */
    static void planKeepsWhatWaits(Play play, Effect.RunPlan plan) {
        var planned = new TreeSet<String>();
        plan.pods().forEach(pod -> planned.add(pod.rank() + "/" + pod.incarnation()));
        for (var rank : play.ranks(plan.job())) {
            if (rank.state().hasEnded()) {
                continue;
            }
            boolean isIn = planned.contains(rank.id() + "/" + rank.making().incarnation());
            if (play.job(rank.job()).defers(rank) && isIn != rank.isLeaving()) {
                throw new AssertionError("%s waits, and is planned: %s".formatted(rank, isIn));
            }
        }
    }

    /** Each ask has one end, but for the last of a job that lives. */
    static void everyAskEndsOnce(Play play, Map<JobId, List<Effect>> news) {
        news.forEach((job, ofJob) -> {
            var ends = new TreeMap<Long, Integer>();
            for (var effect : ofJob) {
                if (effect instanceof Effect.CheckpointTold(_, _, _, var asked)) {
                    boolean isNew = ends.put(asked.id(), asked.isOpen() ? 0 : 1) == null;
                    assertThat(isNew).as("%s of %s", asked, job).isEqualTo(asked.isOpen());
                }
            }
            var row = rows(play, Row.Table.JOB).get(job.toString());
            var open = row instanceof Job known ? known.asked() : null;
            ends.forEach((id, count) ->
                    assertThat(count)
                            .as("ends of ask %d of %s", id, job)
                            .isEqualTo(open != null && open.id() == id ? 0 : 1));
        });
    }

    /** Nobody forces a job to stop for these reasons. */
    void nobodyIsStoppedWhoWasNotAsked(Map<JobId, List<Effect>> news) {
        for (var job : wanting) {
            Stage last = null;
            boolean isFreelyStopped = false;
            for (var effect : news.getOrDefault(job, List.of())) {
                if (effect instanceof Effect.CheckpointTold told) {
                    last = told.checkpoint().stage();
                } else if (effect instanceof Effect.Moved moved) {
                    isFreelyStopped =
                            moved.from() == Phase.RUNNING
                                    && moved.to() == Phase.STOPPING
                                    && !moved.reason().equals("GangTimeout")
                                    && !moved.reason().equals("Cancelled");
                    if (isFreelyStopped) {
                        assertThat(last).as("%s: %s", job, moved).isEqualTo(Stage.ASKED);
                    }
                } else if (effect instanceof Effect.StopPlan && isFreelyStopped) {
                    assertThat(last).as("stop of %s", job).isNotNull().isNotEqualTo(Stage.ASKED);
                }
            }
        }
    }
}
