package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.WaitReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whoever is placed has all that it needs, in its time, and no more than it may. */
final class GangPromises {
    private static final Set<RankState> FINE =
            Set.of(RankState.RUNNING, RankState.SUCCEEDED, RankState.IGNORED);

    private final Play play;

    private GangPromises(Play play) {
        this.play = play;
    }

    /** Between any two events. */
    static void areKept(Play play) {
        var promises = new GangPromises(play);
        promises.jobsHaveWhatTheyNeed();
        promises.sizesAreKept();
    }

    private void jobsHaveWhatTheyNeed() {
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            switch (job.state()) {
                case JobState.Absent _, JobState.Queued _, JobState.Suspended _ -> hasNothing(job);
                case JobState.Starting _ -> hasItsGangInTime(job);
                case JobState.Running running -> hasItsStagesInTime(job, running);
                case JobState.Restarting _, JobState.Saving _, JobState.Stopping _ -> {}
                case JobState.Lost _ -> hasOnlyWhatIsLost(job);
                case JobState.Ended _ -> {}
            }
            budgetsAreKept(job);
        }
    }

    private List<Rank> ranks(Job job) {
        return play.ranks(job.id());
    }

    private void hasNothing(Job job) {
        if (!ranks(job).isEmpty()) {
            throw new AssertionError("%s waits and has %s".formatted(job.id(), ranks(job)));
        }
    }

    /** Its room is given back, but where a pod may still run. */
    private void hasOnlyWhatIsLost(Job job) {
        for (var rank : ranks(job)) {
            if (rank.sight().gone() && !rank.sight().released()) {
                throw new AssertionError("%s keeps room: %s".formatted(job.id(), rank));
            }
        }
    }

    /** All of its minimum is placed, and it will be looked at whether it runs. */
    private void hasItsGangInTime(Job job) {
        var makeup = play.makeup(job);
        var ranks = ranks(job);
        for (var role : job.spec().roles()) {
            long placed = ranks.stream().filter(r -> r.id().role().equals(role.name())).count();
            if (!makeup.later().contains(role.name()) && placed < makeup.minimum(role.name())) {
                throw new AssertionError(
                        "%s has %d pods of %s".formatted(job.id(), placed, role.name()));
            }
        }
        isLookedAt(job);
    }

    /** What does not run of minima whose turn has come has its time. */
    private void hasItsStagesInTime(Job job, JobState.Running running) {
        var makeup = play.makeup(job);
        var ranks = ranks(job);
        for (var known : job.spec().roles()) {
            var role = known.name();
            long fine =
                    ranks.stream()
                            .filter(r -> r.id().role().equals(role) && !r.isLeaving())
                            .filter(r -> FINE.contains(r.state()))
                            .count();
            boolean isOn = !makeup.later().contains(role) || job.past().opened().contains(role);
            boolean isAwaited = isOn && fine < makeup.minimum(role) && !isEnding(job, role);
            isAwaited &= !isAlarmSet(Alarm.Kind.GATHER, job); // It is looked at then.
            if (isAwaited && (running.clock() == null || !running.clock().roles().contains(role))) {
                throw new AssertionError(
                        "%s waits for ever for %s %s".formatted(job.id(), role, running) + ranks);
            }
        }
        if (running.clock() != null) {
            isLookedAt(job);
        }
        saysWhyItsStageWaits(job, running, makeup);
    }

    /** As soon as nothing is left to be tried, and no longer than it does. */
    private void saysWhyItsStageWaits(Job job, JobState.Running running, GangRequirements makeup) {
        boolean waits =
                makeup.later().stream()
                        .filter(job.past().opened()::contains)
                        .anyMatch(role ->
                                ranks(job).stream().noneMatch(r -> r.id().role().equals(role)));
        var told = running.waits();
        if (told != null && told.code() == WaitReason.Code.NOT_SCHEDULED) {
            return; // Its backend has said why some of its pods are not bound.
        }
        boolean isTold = told != null;
        boolean isTried =
                play.rows(Row.Table.SETTINGS).values().stream()
                        .noneMatch(row -> ((Settings) row).startsDue());
        if (isTried ? waits != isTold : isTold && !waits) {
            throw new AssertionError(
                    "%s, whose stage %s: %s"
                            .formatted(job.id(), waits ? "waits" : "came", running));
        }
    }

    private boolean isAlarmSet(Alarm.Kind kind, Job job) {
        var key = Alarm.key(kind, job.id().toString());
        return play.rows.get(Row.Table.ALARM).containsKey(key.id());
    }

    private void isLookedAt(Job job) {
        var key = Alarm.key(Alarm.Kind.GANG_TIMEOUT, job.id().toString());
        var alarm = (Alarm) play.rows.get(Row.Table.ALARM).get(key.id());
        if (alarm == null || !alarm.at().isAfter(play.now())) {
            throw new AssertionError("%s may start for ever: %s".formatted(job.id(), alarm));
        }
    }

    private void budgetsAreKept(Job job) {
        job.past().budgets().charges().forEach((judge, charges) -> isKept(job, judge, charges));
    }

    /**
     * No limit was ever passed of whose policy is asked, as long as no window is over: what is
     * older counts no more.
     */
    private void isKept(Job job, String judge, Budgets.Charges charges) {
        var policy = policy(job, judge);
        if (policy == null) {
            throw new AssertionError(
                    "%s has no policy of %s: %s".formatted(job.id(), judge, charges));
        }
        var limits = policy.limits();
        boolean isOver =
                !limits.window().isZero() && play.now().isAfter(NOON.plus(limits.window()));
        boolean isMore =
                charges.own() > limits.own() || charges.infrastructure() > limits.infrastructure();
        if (isMore && !isOver) {
            throw new AssertionError(
                    "%s was restarted too often by %s: %s".formatted(job.id(), limits, charges));
        }
    }

    /** Null: that role has none of its own. */
    private static @Nullable FailurePolicy policy(Job job, String judge) {
        return judge.equals(Budgets.JOB)
                ? job.spec().work().failure()
                : job.spec().role(judge).care().failure();
    }

    /**
     * The wish and what is there stay within the range; who leaves holds nothing once he is over.
     */
    private void sizesAreKept() {
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            var elastic = job.spec().work().elastic();
            if (elastic == null) {
                continue;
            }
            int wished = job.spec().role(elastic.role()).replicas();
            long members =
                    ranks(job).stream()
                            .filter(rank -> rank.id().role().equals(elastic.role()))
                            .filter(rank -> !rank.isLeaving())
                            .count();
            boolean isTooFew =
                    job.state().isUp() && members < elastic.min() && !isEnding(job, elastic.role());
            if (wished < elastic.min() || wished > elastic.max() || members > wished || isTooFew) {
                throw new AssertionError(
                        "%s has %d, wishes %d: %s".formatted(job.id(), members, wished, elastic));
            }
            for (var rank : ranks(job)) {
                if (rank.isLeaving() && rank.sight().over() && !rank.sight().released()) {
                    throw new AssertionError("%s left and keeps its room".formatted(rank));
                }
            }
        }
    }

    /** Who was late when the first had done the work has left. */
    private boolean isEnding(Job job, String role) {
        return job.spec().work().isElastic(role)
                && ranks(job).stream()
                        .filter(rank -> rank.id().role().equals(role) && !rank.isLeaving())
                        .anyMatch(rank -> rank.state() == RankState.SUCCEEDED);
    }
}
