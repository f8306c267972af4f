package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs and their ranks as the rows have them, found without their names being spelled out. */
final class Gangs {
    private final Map<JobId, Job> jobs = new HashMap<>();
    private final Map<JobId, TreeMap<RankId, Rank>> members = new HashMap<>();

    /** Made when they are asked for; a job whose ranks change has another list. */
    private final Map<JobId, List<Rank>> lists = new HashMap<>();

    /**
     * One row has changed.
     *
     * @param was null: there was none
     * @param now null: there is none any more
     */
    void keep(@Nullable Row was, @Nullable Row now) {
        if (now instanceof Job job) {
            jobs.put(job.id(), job);
        } else if (now instanceof Rank rank) {
            members.computeIfAbsent(rank.job(), _ -> new TreeMap<>()).put(rank.id(), rank);
            lists.remove(rank.job());
        } else if (was instanceof Job job) {
            jobs.remove(job.id());
        } else if (was instanceof Rank rank) {
            leave(rank);
        }
    }

    private void leave(Rank rank) {
        members.computeIfPresent(
                rank.job(),
                (_, left) -> {
                    left.remove(rank.id());
                    return left.isEmpty() ? null : left;
                });
        lists.remove(rank.job());
    }

    @Nullable Job job(JobId id) {
        return jobs.get(id);
    }

    /** In their order. */
    List<Rank> ranks(JobId job) {
        var ranks = members.get(job);
        return ranks == null
                ? List.of()
                : lists.computeIfAbsent(job, _ -> List.copyOf(ranks.values()));
    }

    /** Of each job that has some. */
    Map<JobId, List<Rank>> ranks() {
        members.keySet().forEach(this::ranks);
        return Collections.unmodifiableMap(lists);
    }
}
