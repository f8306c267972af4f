package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Work;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Jobs that wait to start and may do so with several mixes of roles. Those that are alike stand
 * together: where the oldest cannot start with a mix, none of the others can.
 */
public final class MixableJobs {
    private final Map<Kind, SortedMap<Long, JobId>> kinds = new LinkedHashMap<>();
    private final SortedMap<Long, JobId> heads = new TreeMap<>();

    private record Kind(String queue, String namespace, Work work) {
        static Kind of(Job job) {
            return new Kind(job.spec().queue(), job.id().namespace(), job.spec().work());
        }
    }

    public void add(Job job) {
        var alike = kinds.computeIfAbsent(Kind.of(job), _ -> new TreeMap<>());
        if (!alike.isEmpty()) {
            heads.remove(alike.firstKey());
        }
        alike.put(job.ticket(), job.id());
        showHead(alike);
    }

    /** One that is not there is none the less not there. */
    public void remove(Job job) {
        var kind = Kind.of(job);
        var alike = kinds.get(kind);
        if (alike == null || !alike.containsKey(job.ticket())) {
            return;
        }
        heads.remove(alike.firstKey());
        alike.remove(job.ticket());
        if (alike.isEmpty()) {
            kinds.remove(kind);
        } else {
            showHead(alike);
        }
    }

    private void showHead(SortedMap<Long, JobId> alike) {
        heads.put(alike.firstKey(), alike.get(alike.firstKey()));
    }

    /**
     * The oldest of each kind, in the order of their tickets.
     *
     * @param after the ticket behind which they begin
     * @param most of them
     */
    public List<JobId> heads(long after, int most) {
        return heads.tailMap(after + 1).values().stream().limit(most).toList();
    }
}
