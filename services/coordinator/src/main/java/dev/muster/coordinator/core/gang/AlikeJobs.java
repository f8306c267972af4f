package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in lines of those that are alike, of which only the oldest needs to be tried.
 *
 * @param <K> what is the same of all in a line
 */
final class AlikeJobs<K> {
    private final Map<K, NavigableMap<Long, JobId>> lines = new LinkedHashMap<>();

    /** The oldest of each line. */
    private final NavigableMap<Long, JobId> heads = new TreeMap<>();

    void add(K kind, Job job) {
        var line = lines.computeIfAbsent(kind, _ -> new TreeMap<>());
        if (!line.isEmpty()) {
            heads.remove(line.firstKey());
        }
        line.put(job.ticket(), job.id());
        showHead(line);
    }

    /** One that is not there is none the less not there. */
    void remove(K kind, Job job) {
        var line = lines.get(kind);
        if (line == null || !line.containsKey(job.ticket())) {
            return;
        }
        heads.remove(line.firstKey());
        line.remove(job.ticket());
        if (line.isEmpty()) {
            lines.remove(kind);
        } else {
            showHead(line);
        }
    }

    private void showHead(NavigableMap<Long, JobId> line) {
        heads.put(line.firstKey(), line.firstEntry().getValue());
    }

    /**
     * The oldest of each line, the oldest first, as they are.
     *
     * @param from those with a smaller ticket are left out
     */
    Collection<JobId> heads(long from) {
        return Collections.unmodifiableCollection(heads.tailMap(from).values());
    }

    /** The oldest of a line; null: there is none. */
    @Nullable JobId head(K kind) {
        var line = lines.get(kind);
        return line == null ? null : line.firstEntry().getValue();
    }
}
