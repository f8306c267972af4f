package dev.muster.watcher.core;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod of the cluster as far as it matters here.
 *
 * @param usedNode the node that it takes room on; null while it is not bound and after its end
 * @param ended it runs no more and uses nothing
 * @param demand what it takes there, as Kubernetes counts it
 * @param limits what it may use at most, as quotas of its namespace count it
 * @param traits by what quotas of its namespace count it or do not
 * @param chargedUntil from when on they certainly count it as an object alone: it was told to go,
 *     and if it is there still, its node is dead; null: it was not, or has ended
 * @param report what is published of it; null if it is not one of ours
 */
public record WatchedPod(
        PodName name,
        @Nullable String usedNode,
        boolean ended,
        Map<String, Long> demand,
        Map<String, Long> limits,
        QuotaTraits traits,
        @Nullable Instant chargedUntil,
        @Nullable PodReport report) {

    public WatchedPod {
        demand = Map.copyOf(demand);
        limits = Map.copyOf(limits);
    }

    /** Which pod of the cluster, or which other object of a namespace. */
    public record PodName(String namespace, String name) implements Comparable<PodName> {
        @Override
        public int compareTo(PodName other) {
            var byNamespace = namespace.compareTo(other.namespace);
            return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
        }
    }

    /** The same, once it uses nothing any more. */
    WatchedPod asEnded() {
        return new WatchedPod(name, null, true, demand, limits, traits, null, report);
    }

    /** The pool that it is labelled for, if it is one of ours. */
    Optional<String> pool() {
        return Optional.ofNullable(report).map(PodReport::pool);
    }
}
