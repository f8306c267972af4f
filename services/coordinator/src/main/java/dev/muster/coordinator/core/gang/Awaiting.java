package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which jobs wait for the end of which. Follows from the rows. */
public final class Awaiting {
    private final Map<JobId, SortedSet<JobId>> byAwaited = new LinkedHashMap<>();
    private final Map<JobId, List<Job.Awaited>> byWaiting = new LinkedHashMap<>();

    public void put(Job job) {
        var before = byWaiting.getOrDefault(job.id(), List.of());
        var next = job.past().awaits();
        if (before.equals(next)) {
            return;
        }
        remove(job);
        if (!next.isEmpty()) {
            byWaiting.put(job.id(), next);
            next.forEach(awaited ->
                    byAwaited.computeIfAbsent(awaited.job(), _ -> new TreeSet<>()).add(job.id()));
        }
    }

    public void remove(Job job) {
        var before = byWaiting.remove(job.id());
        if (before != null) {
            before.forEach(awaited -> {
                var waiting = byAwaited.get(awaited.job());
                if (waiting != null && waiting.remove(job.id()) && waiting.isEmpty()) {
                    byAwaited.remove(awaited.job());
                }
            });
        }
    }

    /** The first that waits for its end; null: nobody does. */
    public @Nullable JobId firstFor(JobId job) {
        var waiting = byAwaited.get(job);
        return waiting == null ? null : waiting.first();
    }
}
