package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is reserved is what living jobs need: no pod of a living job is without its room, nothing is
 * kept for anybody else, and what is held is what its holder would start with.
 */
final class ReservationPromises {
    private final Play play;

    private ReservationPromises(Play play) {
        this.play = play;
    }

    /** Between any two events. */
    static void areKept(Play play) {
        var promises = new ReservationPromises(play);
        play.ranks()
                .forEach((id, ranks) -> {
                    var job = play.job(id);
                    ranks.forEach(rank -> promises.isNeeded(job, rank));
                    if (job.state().isUp()) {
                        job.spec().roles().forEach(role -> promises.isOfItsSize(job, role, ranks));
                    }
                });
        promises.rows(Row.Table.HOLD).forEach(hold -> promises.isNeeded((Hold) hold));
    }

    private Collection<Row> rows(Row.Table table) {
        return play.rows.getOrDefault(table, new TreeMap<>()).values();
    }

    /** Nothing is kept for who neither may run nor is to be made again; who may run has his. */
    private static void isNeeded(Job job, Rank rank) {
        boolean isKept = !rank.sight().released();
        if (isKept ? rank.sight().over() && !comesBack(job, rank) : !rank.sight().over()) {
            throw broken(isKept ? "keeps" : "lacks", rank, job);
        }
    }

    /**
     * Nor does anybody lose his room who is to be made again.
     *
     * @param was before one event; null: it was not there
     * @param jobWas before that event
     */
    static void nobodyLostHis(@Nullable Rank was, Rank rank, @Nullable Job jobWas, Job job) {
        boolean isLost =
                was != null
                        && !was.sight().released()
                        && rank.sight().released()
                        && was.making().newest() == rank.making().newest();
        if (isLost && jobWas != null && comesBack(jobWas, rank) && comesBack(job, rank)) {
            throw broken("lost", rank, job);
        }
    }

    private static AssertionError broken(String how, Rank rank, Job job) {
        return new AssertionError(
                "%s %s its room in %s: %s".formatted(rank.key().id(), how, job.state(), rank));
    }

    private static boolean comesBack(Job job, Rank rank) {
        return switch (job.state()) {
            case JobState.Starting _, JobState.Running _, JobState.Saving _ ->
                    !rank.isLeaving()
                            && (rank.state() == RankState.FAILED
                                    || rank.state() == RankState.RETURNING);
            case JobState.Restarting _ -> true;
            case JobState.Absent _, JobState.Queued _, JobState.Suspended _ -> false;
            case JobState.Stopping _, JobState.Lost _, JobState.Ended _ -> false;
        };
    }

    /** Nobody is there beyond the job's wish, or before his stage was ordered. */
    private void isOfItsSize(Job job, JobSpec.Role role, Collection<Rank> ranks) {
        long members =
                ranks.stream()
                        .filter(rank -> rank.id().role().equals(role.name()) && !rank.isLeaving())
                        .count();
        if (members > (mayBeThere(job, role) ? role.replicas() : 0)) {
            throw new AssertionError(
                    "%s has %d of %s: %s".formatted(job.id(), members, role, job.past()));
        }
    }

    /** Who waits for others to run or to be ready is placed together with them. */
    private boolean mayBeThere(Job job, JobSpec.Role role) {
        return !play.makeup(job).later().contains(role.name())
                || job.past().opened().contains(role.name())
                || role.dependsOn().stream()
                        .filter(other -> other.until() != JobSpec.Milestone.SUCCEEDED)
                        .map(other -> job.spec().role(other.role()))
                        .anyMatch(other -> mayBeThere(job, other));
    }

    /** The holder waits, and its rooms are together what its gang starts with. */
    private void isNeeded(Hold hold) {
        var job = play.job(hold.job());
        boolean waits = job.state() instanceof JobState.Queued queued && queued.isOpen();
        var held = Amounts.NONE;
        for (var row : rows(Row.Table.HOLD_ROOM)) {
            held = held.plus(((Hold.Room) row).amounts());
        }
        var need = Amounts.NONE;
        for (var part : play.makeup(job).start().parts()) {
            for (int pod = 0; pod < part.pods(); pod++) {
                need = need.plus(part.demand());
            }
        }
        if (!waits || !held.equals(need)) {
            throw new AssertionError(
                    "%s is held for %s, which needs %s: %s"
                            .formatted(held, job.id(), need, job.state()));
        }
    }
}
