package dev.muster.watcher.core;

import java.util.List;

/** All that is published of a pod of ours. */
public record PodReport(
        String pool,
        PodIdentity identity,
        long resourceVersion,
        PodStatus status,
        List<ContainerReport> containers,
        List<ContainerReport> initContainers) {

    public PodReport {
        containers = List.copyOf(containers);
        initContainers = List.copyOf(initContainers);
    }

    /** Whether this is the same pod, in the same pool, as {@code other}. */
    boolean samePodAs(PodReport other) {
        return pool.equals(other.pool) && identity.equals(other.identity);
    }

    /** Whether this is worth a record after {@code last}: a new resource version alone is not. */
    boolean tellsMoreThan(PodReport last) {
        return !essence().equals(last.essence());
    }

    private PodReport essence() {
        return new PodReport(pool, identity, 0, status.essence(), containers, initContainers);
    }
}
