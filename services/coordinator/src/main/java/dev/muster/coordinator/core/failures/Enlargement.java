package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.ResourceLimits;
import dev.muster.coordinator.core.model.Scaling;
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
        boolean isNews = growth.isDenied() || now == null || growth.bytes() > now.now();
        if (isNews || !words.containsKey(role)) {
            words.put(role, growth.message());
        }
        return growth.isDenied()
                ? new Enlargement(work, words, false)
                : new Enlargement(work.growing(role, growth.bytes()), words, isEnough);
    }

    /**
     * The work in the size that must be possible with more memory: what else is wished may give way
     * to it, unless a command that goes on asks for it.
     */
    static JobSpec.Work least(Job job, JobSpec.Work work, Gang gang, GangRequirements makeup) {
        var elastic = work.elastic();
        if (elastic == null || Scaling.underWay(job) != null) {
            return work;
        }
        var name = elastic.role();
        int others = 0;
        for (var role : work.roles()) {
            others += role.name().equals(name) ? 0 : role.replicas();
        }
        int together = work.gang().min() - others;
        int least = Math.max(makeup.least(elastic), together);
        return work.sized(name, Math.max(gang.count(name), least));
    }

    /** The job with what its roles get; what it wishes is within its limits again. */
    JobSpec of(JobSpec spec) {
        var grown = spec.with(work);
        return said.isEmpty() ? grown : ResourceLimits.within(grown);
    }

    /** To go on with after the failure. */
    String words() {
        return said.isEmpty() ? "" : "; " + String.join("; ", said.values());
    }
}
