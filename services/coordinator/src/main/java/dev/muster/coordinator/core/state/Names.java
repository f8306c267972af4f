package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.JobId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which job a name means: the newest that is known. What is known says it alone, not the course by
 * which it came to be known, so a pool that is made again from its rows means the same.
 */
final class Names {
    private static final Comparator<JobId> OLDEST_FIRST =
            (a, b) -> a.uid().isNewerThan(b.uid()) ? 1 : b.uid().isNewerThan(a.uid()) ? -1 : 0;

    private final Map<String, JobId> newest = new LinkedHashMap<>();

    /** Of names that came again before their last job was forgotten: few. */
    private final Map<String, NavigableSet<JobId>> older = new LinkedHashMap<>();

    void put(JobId id) {
        var name = id.fullName();
        var before = newest.get(name);
        if (before == null) {
            newest.put(name, id);
        } else if (!before.equals(id)) {
            boolean isNewer = id.uid().isNewerThan(before.uid());
            newest.put(name, isNewer ? id : before);
            older.computeIfAbsent(name, _ -> new TreeSet<>(OLDEST_FIRST))
                    .add(isNewer ? before : id);
        }
    }

    void remove(JobId id) {
        var name = id.fullName();
        var others = older.get(name);
        if (!id.equals(newest.get(name))) {
            forgetOlder(name, others, id);
        } else if (others == null) {
            newest.remove(name);
        } else {
            newest.put(name, others.getLast());
            forgetOlder(name, others, others.getLast());
        }
    }

    private void forgetOlder(String name, @Nullable NavigableSet<JobId> others, JobId id) {
        if (others != null && others.remove(id) && others.isEmpty()) {
            older.remove(name);
        }
    }

    /** Those that had the name before and are known still, the newest first. */
    List<JobId> older(String fullName) {
        var ids = older.get(fullName);
        return ids == null ? List.of() : List.copyOf(ids.reversed());
    }

    /** Null: nobody has the name. */
    @Nullable JobId newest(String fullName) {
        return newest.get(fullName);
    }
}
