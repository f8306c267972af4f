package dev.muster.watcher.core;

import static java.util.Comparator.comparingLong;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

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

    /**
     * What is published of the pods of a pool. Who takes over tells first what changed last: the
     * one before may not have told it, and a pool that reads ten thousand pods hears it at once.
     */
    static List<PodReport> newestFirst(Collection<WatchedPod> pods, String pool) {
        return pods.stream()
                .flatMap(pod -> Stream.ofNullable(pod.report()))
                .filter(report -> report.pool().equals(pool))
                .sorted(comparingLong(PodReport::resourceVersion).reversed())
                .toList();
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
