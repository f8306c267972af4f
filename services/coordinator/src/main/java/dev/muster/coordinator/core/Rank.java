package dev.muster.coordinator.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a placed gang.
 *
 * @param listed uid of its pod in the last list that pod-manager reported; null: not in it
 */
public record Rank(JobId job, RankId id, Making making, Sight sight, @Nullable String listed)
        implements Row {

    /**
     * The newest making of its pod.
     *
     * @param node where its capacity is held, or where its pod was seen bound
     * @param avoided nodes on which it could not be placed
     */
    public record Making(int attempt, int incarnation, String node, List<String> avoided) {
        public Making {
            avoided = List.copyOf(avoided);
        }

        boolean isOf(Event.PodMark mark) {
            return attempt == mark.attempt() && incarnation == mark.incarnation();
        }

        Making on(@Nullable String node) {
            return node == null ? this : new Making(attempt, incarnation, node, avoided);
        }
    }

    /**
     * What was seen of that pod last.
     *
     * @param podUid null: nothing yet
     * @param gone it is there no more, or was never made and never will be
     * @param released it has ended or is gone: it uses nothing of the node
     * @param unschedulable the scheduler finds no node for it
     * @param at the pool's tick of the sight
     */
    public record Sight(
            RankState state,
            @Nullable String podUid,
            long resourceVersion,
            boolean ready,
            boolean gone,
            boolean released,
            boolean unschedulable,
            Tally.@Nullable Failure failure,
            long at) {
        static final Sight NONE =
                new Sight(RankState.ORDERED, null, -1, false, false, false, false, null, -1);

        /** Its pod is there no more. */
        Sight vanished(RankState state, Tally.@Nullable Failure failure) {
            return new Sight(state, podUid, resourceVersion, false, true, true, false, failure, at);
        }
    }

    Rank with(Making making, Sight sight) {
        return new Rank(job, id, making, sight, listed);
    }

    Rank with(Sight sight) {
        return new Rank(job, id, making, sight, listed);
    }

    Rank listed(@Nullable String podUid) {
        return new Rank(job, id, making, sight, podUid);
    }

    RankState state() {
        return sight.state();
    }

    @Override
    public Key key() {
        return new Key(Table.RANK, id(job, id));
    }

    static String id(JobId job, RankId rank) {
        return job + "/" + rank;
    }
}
