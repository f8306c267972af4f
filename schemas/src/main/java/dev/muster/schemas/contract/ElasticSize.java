package dev.muster.schemas.contract;

/** How large an elastic role is to be when its job is submitted. */
public final class ElasticSize {
    private ElasticSize() {}

    /**
     * As it is asked for within its range; all of that where the pool's capacity decides.
     *
     * @param min of the range, also where what is asked for is less or was left out
     */
    public static int wished(int replicas, int min, int max, boolean byCapacity) {
        return byCapacity ? max : Math.min(Math.max(replicas, min), max);
    }
}
