package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Uid;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a job that has ended is what its cleanup says, until its TTL has passed or its
 * name is another's, and then nothing; and a month later nobody knows of it.
 */
final class EndPromises {
    private static final Duration MONTH = Duration.ofDays(30);

    /** What was kept of each, as it ended. */
    private final Map<JobId, Job> kept = new TreeMap<>();

    private final Map<String, Uid> newest = new TreeMap<>();

    /** Who has ended, and from when on at the earliest. */
    private final Map<JobId, Instant> ended = new TreeMap<>();

    private final Set<JobId> forgotten = new TreeSet<>();
    private final Map<JobId, Effect.Plan> plans = new TreeMap<>();
    private Instant before = Fixtures.NOON;

    /**
     * @param effects all that followed since it was asked last
     */
    void areKept(Play play, List<Effect> effects) {
        for (var effect : effects) {
            switch (effect) {
                case Effect.Plan plan -> plans.put(plan.job(), plan);
                case Effect.Moved moved -> hasMoved(moved);
                case Effect.Forget(var job) -> isForgotten(play, job);
                default -> {}
            }
        }
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            if (job.state() instanceof JobState.Ended(_, var remains) && remains == Remains.KEPT) {
                mayBeKept(play, job);
                kept.put(job.id(), job);
            }
            if (job.state().isUp() && job.spec().work().keepsLeast() && !job.due().plan()) {
                protectsWhoTrains(play, job);
            }
        }
        kept.values().removeIf(job -> isKeptNoMore(play, job));
        before = play.now();
    }

    private void hasMoved(Effect.Moved moved) {
        var id = moved.job();
        if (moved.to() != Phase.REFUSED) {
            newest.merge(id.fullName(), id.uid(), (a, b) -> b.isNewerThan(a) ? b : a);
        }
        if (moved.to().isEnd()) {
            ended.putIfAbsent(id, before);
        }
    }

    private void mayBeKept(Play play, Job job) {
        var spec = job.spec();
        var until = until(job);
        boolean isForNow = until == null || play.now().isBefore(until);
        if (spec.cleanup() == JobSpec.Cleanup.ALL || !isForNow || isReplaced(job.id())) {
            throw new AssertionError("%s is kept: %s".formatted(job.id(), job));
        }
    }

    private boolean isKeptNoMore(Play play, Job was) {
        var row = play.rows(Row.Table.JOB).get(was.id().toString());
        if (row instanceof Job job
                && job.state() instanceof JobState.Ended(_, var remains)
                && remains == Remains.KEPT) {
            return false;
        }
        var until = until(was);
        boolean isDue = until != null && !play.now().isBefore(until);
        if (!isDue && !isReplaced(was.id())) {
            throw new AssertionError("%s was to be kept until %s".formatted(was, until));
        }
        return true;
    }

    /** Null: as long as nobody takes its name. */
    private static @Nullable Instant until(Job job) {
        var ttl = job.spec().ttl();
        var finished = job.times().finished();
        if (finished == null) {
            throw new AssertionError("%s has not ended".formatted(job));
        }
        return ttl == null ? null : finished.plus(ttl);
    }

    private boolean isReplaced(JobId id) {
        var other = newest.get(id.fullName());
        return other != null && other.isNewerThan(id.uid());
    }

    /** As many as start together of each role that is there and has not succeeded. */
    private void protectsWhoTrains(Play play, Job job) {
        if (job.spec().work().elastic() != null
                || !(plans.get(job.id()) instanceof Effect.RunPlan plan)) {
            return;
        }
        int least = 0;
        for (var role : job.spec().roles()) {
            boolean isThere = job.past().opened().contains(role.name());
            least +=
                    isThere && !hasSucceeded(play, job, role)
                            ? play.makeup(job).minimum(role.name())
                            : 0;
        }
        if (plan.least() != least) {
            throw new AssertionError(
                    "%s keeps %d from eviction: %s".formatted(job.id(), least, plan));
        }
    }

    static boolean hasSucceeded(Play play, Job job, JobSpec.Role role) {
        return role.replicas()
                == play.ranks(job.id()).stream()
                        .filter(rank -> rank.id().role().equals(role.name()))
                        .filter(rank ->
                                rank.state() == RankState.SUCCEEDED
                                        || rank.state() == RankState.IGNORED)
                        .count();
    }

    private void isForgotten(Play play, JobId job) {
        var since = ended.get(job);
        boolean isOver = since != null && !play.now().isBefore(since.plus(MONTH));
        if (!isOver
                || play.rows(Row.Table.JOB).containsKey(job.toString())
                || !forgotten.add(job)) {
            throw new AssertionError("%s is forgotten, which ended at %s".formatted(job, since));
        }
    }

    /**
     * More than a month has passed since nothing was left of them.
     *
     * @param gone of whom nothing was left by then
     */
    void allAreForgotten(Play play, Set<JobId> gone) {
        var known = new TreeSet<>(gone);
        known.removeAll(forgotten);
        for (var row : play.rows(Row.Table.ENDED).values()) {
            if (gone.contains(((EndedJob) row).job())) {
                known.add(((EndedJob) row).job());
            }
        }
        if (!known.isEmpty()) {
            throw new AssertionError("never forgotten: " + known);
        }
    }

    /** Who has ended, and has no row. */
    Set<JobId> gone(Play play) {
        var gone = new TreeSet<>(ended.keySet());
        gone.removeIf(id -> play.rows(Row.Table.JOB).containsKey(id.toString()));
        return gone;
    }

    /** Nothing of a job is there that is said to be gone. */
    static void nothingIsLeft(Effect.GonePlan plan, Collection<Made> pods) {
        pods.forEach(made -> {
            if (made.job().equals(plan.job())) {
                throw new AssertionError("%s is left by %s".formatted(made, plan));
            }
        });
    }

    /**
     * When a job ends, none of its pods goes that its cleanup keeps.
     *
     * @param made is there, and is told to go
     */
    static void mayGo(Play play, Made made) {
        if (!(play.rows(Row.Table.JOB).get(made.job().toString()) instanceof Job job)
                || !(job.state() instanceof JobState.Ended(_, var remains))
                || remains != Remains.KEPT) {
            return;
        }
        boolean isSeen =
                play.ranks(job.id()).stream()
                        .anyMatch(rank ->
                                made.uid().equals(rank.sight().podUid()) && !rank.sight().gone());
        var phase = made.pod().phase();
        boolean isOver = phase == Event.PodPhase.SUCCEEDED || phase == Event.PodPhase.FAILED;
        boolean isKept =
                switch (job.spec().cleanup()) {
                    case ALL -> false;
                    case RUNNING -> isOver;
                    case NONE -> true;
                };
        if (isSeen && isKept) {
            throw new AssertionError("%s is to go from %s".formatted(made, job));
        }
    }
}
