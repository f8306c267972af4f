package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are meant.
 *
 * @param queue null: of every queue of the pool
 * @param namespace null: of every namespace
 * @param labels that a job must have, with these values
 */
public record Selector(
        @Nullable String queue, @Nullable String namespace, SortedMap<String, String> labels) {
    public Selector {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public boolean isWholePool() {
        return queue == null && namespace == null && labels.isEmpty();
    }

    public boolean matches(Job job) {
        return (queue == null || queue.equals(job.spec().queue()))
                && (namespace == null || namespace.equals(job.id().namespace()))
                && job.spec().place().labels().entrySet().containsAll(labels.entrySet());
    }
}
