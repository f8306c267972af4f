package dev.muster.coordinator.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Checkpoint.Stage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** That jobs which want to save are asked before they are changed, whatever comes. */
final class SavingPromises {
    private Map<String, Row> before = new HashMap<>();
    private Map<String, Row> jobsBefore = new HashMap<>();
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
        for (var row : rows(play, Row.Table.RANK).values()) {
            leavesOnlyWhenAsked(play, (Rank) row);
        }
        before = new HashMap<>(rows(play, Row.Table.RANK));
        jobsBefore = new HashMap<>(rows(play, Row.Table.JOB));
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
        boolean isAwaited =
                isSaving
                        || rows(play, Row.Table.RANK).values().stream()
                                .map(Rank.class::cast)
                                .filter(rank -> rank.job().equals(job.id()))
                                .anyMatch(job::holds);
        if (!job.state().isUp()
                || !isAwaited
                || alarm == null
                || !alarm.at().equals(asked.until())) {
            throw new AssertionError("%s owes %s, %s".formatted(job, asked, alarm));
        }
    }

    /** But for what a command brought that came to nothing. */
    private void leavesOnlyWhenAsked(Play play, Rank rank) {
        var job = play.job(rank.job());
        var was = (Rank) before.get(rank.key().id());
        var jobWas = (Job) jobsBefore.get(job.id().toString());
        boolean isNews =
                was != null
                        && jobWas != null
                        && rank.isLeaving()
                        && !was.isLeaving()
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
        boolean couldSave =
                !isImpaired(jobWas == null ? job : jobWas, before)
                        && !isImpaired(job, rows(play, Row.Table.RANK));
        if (wantsToBeAsked && couldSave && !job.holds(rank) && rank.tenure().joined() == 0) {
            throw new AssertionError("%s leaves %s, which was not asked".formatted(rank, job));
        }
    }

    /** Somebody has failed or comes again, or fewer run than its minimum. */
    private static boolean isImpaired(Job job, Map<String, Row> rows) {
        var running = new TreeMap<String, Integer>();
        for (var row : rows.values()) {
            var rank = (Rank) row;
            if (rank.job().equals(job.id()) && !rank.isLeaving()) {
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
        for (var row : rows(play, Row.Table.RANK).values()) {
            var rank = (Rank) row;
            if (!rank.job().equals(plan.job()) || rank.state().hasEnded()) {
                continue;
            }
            boolean isIn = planned.contains(rank.id() + "/" + rank.making().incarnation());
            if (play.job(rank.job()).holds(rank) && isIn != rank.isLeaving()) {
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
