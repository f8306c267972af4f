package dev.muster.watcher.core;

import dev.muster.watcher.core.WatchedPod.PodName;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One ResourceQuota, as far as it holds for pods of ours.
 *
 * @param hard what it allows, by the resource that a demand names: cpu in milli, everything else in
 *     whole units; empty: nothing of it holds for them
 */
public record Quota(String namespace, String name, Scope scope, SortedMap<String, Long> hard) {
    /**
     * Of which pods.
     *
     * @param timeBound also of those with a deadline of their own
     * @param bestEffort also of those that ask for neither cpu nor memory
     */
    public record Scope(boolean timeBound, boolean bestEffort) {
        static final Scope ALL = new Scope(true, true);

        boolean counts(QuotaTraits pod) {
            return (timeBound || !pod.timeBound()) && (bestEffort || !pod.bestEffort());
        }
    }

    public Quota {
        hard = Collections.unmodifiableSortedMap(new TreeMap<>(hard));
    }

    PodName fullName() {
        return new PodName(namespace, name);
    }
}
