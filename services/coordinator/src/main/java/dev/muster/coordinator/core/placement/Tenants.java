package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Repulsion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The pods of one node that keep apart from some of other jobs, or those from them. */
final class Tenants {
    /** By their own terms, how many of each job. */
    private final Map<AntiAffinityTerm, SortedMap<JobId, Integer>> shunning = new LinkedHashMap<>();

    /** By terms that select them. */
    private final Map<AntiAffinityTerm, SortedMap<JobId, Integer>> selected = new LinkedHashMap<>();

    /**
     * Whose pods keep others off.
     *
     * @param shuns it is they who keep apart; false: the others do
     */
    record Repelling(JobId job, boolean shuns) {}

    void count(JobId job, Repulsion repulsion, int sign) {
        repulsion.shuns().forEach(term -> count(shunning, term, job, sign));
        repulsion.shunnedBy().forEach(term -> count(selected, term, job, sign));
    }

    private static void count(
            Map<AntiAffinityTerm, SortedMap<JobId, Integer>> counts,
            AntiAffinityTerm term,
            JobId job,
            int sign) {
        var jobs = counts.computeIfAbsent(term, _ -> new TreeMap<>());
        jobs.merge(job, sign, (has, more) -> has + more == 0 ? null : has + more);
        if (jobs.isEmpty()) {
            counts.remove(term);
        }
    }

    boolean areNone() {
        return shunning.isEmpty() && selected.isEmpty();
    }

    /**
     * Who keeps such pods off; null: nobody.
     *
     * @param but jobs that do not count
     */
    @Nullable Repelling repelling(Repulsion repulsion, SortedSet<JobId> but) {
        var there = first(selected, repulsion.shuns(), but);
        if (there != null) {
            return new Repelling(there, false);
        }
        var shy = first(shunning, repulsion.shunnedBy(), but);
        return shy == null ? null : new Repelling(shy, true);
    }

    private static @Nullable JobId first(
            Map<AntiAffinityTerm, SortedMap<JobId, Integer>> counts,
            Set<AntiAffinityTerm> terms,
            SortedSet<JobId> but) {
        JobId least = null;
        for (var term : terms) {
            for (var job : counts.getOrDefault(term, Collections.emptySortedMap()).keySet()) {
                if (!but.contains(job)) {
                    // Of all terms: in which order they came is nothing that a restored pool knows.
                    least = least == null || job.compareTo(least) < 0 ? job : least;
                    break;
                }
            }
        }
        return least;
    }
}
