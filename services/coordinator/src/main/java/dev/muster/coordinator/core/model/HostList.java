package dev.muster.coordinator.core.model;

import java.util.List;

/**
 * What a launcher knows of the ranks on which it may start processes, as it was published last. The
 * list itself is no row: it follows from the ranks.
 *
 * @param version of the plan that changed it last; 0: none did
 * @param digest of the ranks in it, of their incarnations and of how often their containers started
 *     again in their pods, by FNV-1a
 */
public record HostList(long version, long digest) {
    private static final long BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    static final HostList NONE = new HostList(0, BASIS);

    /**
     * Whether a rank stands in its job's list: it runs and is ready, is not the launcher, and
     * neither leaves nor has a pod that somebody else deletes. What an atomic command brings comes
     * into the list together, when all of it is ready.
     */
    public static boolean names(Job job, Rank rank) {
        var scaling = Scaling.underWay(job);
        return job.spec().work().hostList()
                && rank.making().attempt() == job.fences().attempt()
                && rank.state() == RankState.RUNNING
                && rank.sight().ready()
                && !rank.sight().gone()
                && !rank.sight().deleting()
                && (!rank.isLeaving() || job.defers(rank))
                && !rank.id().role().equals(JobSpec.LAUNCHER)
                && !(scaling != null
                        && Scaling.isAtomic(job, rank.id().role())
                        && rank.tenure().isBroughtBy(scaling.number())
                        && !scaling.isListed());
    }

    /** What became of a rank makes the list another, as far as that rank goes. */
    public static boolean differs(Job job, Rank before, Rank next) {
        boolean isListed = names(job, next);
        return names(job, before) != isListed
                || isListed
                        && (before.making().newest() != next.making().newest()
                                || before.sight().restarts() != next.sight().restarts());
    }

    /**
     * The list as these ranks make it.
     *
     * @param ranks by their ids
     * @param plan the version under which it is published, if it is another than this one
     */
    public HostList next(Job job, List<Rank> ranks, long plan) {
        long hash = BASIS;
        for (var rank : ranks) {
            if (names(job, rank)) {
                hash = mix(hash, rank.id().role().hashCode());
                hash = mix(hash, rank.id().index());
                hash = mix(hash, rank.making().newest());
                // A kubelet starts containers again of itself, which is no incarnation.
                if (rank.sight().restarts() > 0) {
                    hash = mix(hash, rank.sight().restarts());
                }
            }
        }
        return version > 0 && hash == digest ? this : new HostList(plan, hash);
    }

    private static long mix(long hash, int value) {
        long mixed = hash;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            mixed = (mixed ^ ((value >>> shift) & 0xff)) * PRIME;
        }
        return mixed;
    }
}
