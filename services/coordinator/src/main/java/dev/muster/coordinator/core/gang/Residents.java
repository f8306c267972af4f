package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which jobs have ranks on which node: who is to be looked at when something happens to it. */
public final class Residents {
    /** By node, how many ranks of each job. */
    private final Map<String, SortedMap<JobId, Integer>> byNode = new LinkedHashMap<>();

    public void count(Rank rank, int sign) {
        count(rank, rank.making().node(), sign);
        var former = rank.making().former();
        if (former != null) {
            count(rank, former, sign);
        }
    }

    private void count(Rank rank, String node, int sign) {
        var jobs = byNode.computeIfAbsent(node, _ -> new TreeMap<>());
        // Nothing is kept of who has none there any more.
        jobs.merge(rank.job(), sign, (has, more) -> has + more == 0 ? null : has + more);
        if (jobs.isEmpty()) {
            byNode.remove(node);
        }
    }

    /**
     * In order; those are in it, too, whose ranks there have ended and are not forgotten, and those
     * that may have left a pod there.
     */
    public List<JobId> of(String node) {
        return List.copyOf(byNode.getOrDefault(node, Collections.emptySortedMap()).keySet());
    }
}
