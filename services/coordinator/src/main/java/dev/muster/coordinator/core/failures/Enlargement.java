package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.model.JobSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * How the memory of a job's roles grows by one verdict.
 *
 * @param work with what they get
 * @param said of each role that failed for lack of it, how far it grows or why it cannot
 * @param isEnough none of them had to be denied
 */
record Enlargement(JobSpec.Work work, SequencedMap<String, String> said, boolean isEnough) {
    Enlargement {
        said = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(said));
    }

    static Enlargement nothing(JobSpec.Work work) {
        return new Enlargement(work, new LinkedHashMap<>(), true);
    }

    Enlargement and(String role, MemoryGrowth growth) {
        var words = new LinkedHashMap<>(said);
        var now = work.role(role).pod().memory();
        boolean isNews = growth.bytes() == 0 || now == null || growth.bytes() > now.now();
        if (isNews || !words.containsKey(role)) {
            words.put(role, growth.message());
        }
        return growth.bytes() == 0
                ? new Enlargement(work, words, false)
                : new Enlargement(work.growing(role, growth.bytes()), words, isEnough);
    }

    /** To go on with after the failure. */
    String words() {
        return said.isEmpty() ? "" : "; " + String.join("; ", said.values());
    }
}
