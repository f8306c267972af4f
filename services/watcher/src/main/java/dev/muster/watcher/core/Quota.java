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
public record Quota(String namespace, String name, SortedMap<String, Long> hard) {
    public Quota {
        hard = Collections.unmodifiableSortedMap(new TreeMap<>(hard));
    }

    PodName fullName() {
        return new PodName(namespace, name);
    }
}
