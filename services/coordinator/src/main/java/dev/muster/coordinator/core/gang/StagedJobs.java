package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Role;
import dev.muster.coordinator.core.model.Topology;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Started jobs with a stage that is to be placed. Those that want the same stand in one line, of
 * which only the oldest needs to be tried.
 */
public final class StagedJobs {
    private final SortedMap<Long, JobId> all = new TreeMap<>();
    private final Map<Long, Need> needs = new LinkedHashMap<>();
    private final AlikeJobs<Need> alike = new AlikeJobs<>();
    private long came;

    /**
     * What a stage needs, and whose it is.
     *
     * @param roles that are placed together
     * @param minima of these roles
     * @param alone the job, where it matters to the stage where its other pods are, or which other
     *     jobs' pods keep apart from its own
     */
    public record Need(
            String queue,
            String namespace,
            Topology topology,
            List<Role> roles,
            List<Integer> minima,
            @Nullable JobId alone) {
        public Need {
            roles = List.copyOf(roles);
            minima = List.copyOf(minima);
        }
    }

    /**
     * @param need null: no stage of it is to be placed
     */
    void put(Job job, @Nullable Need need) {
        if (need == null) {
            remove(job);
        } else if (!need.equals(needs.get(job.ticket()))) {
            remove(job);
            enter(job, need);
            came++;
        }
    }

    private void enter(Job job, Need need) {
        all.put(job.ticket(), job.id());
        needs.put(job.ticket(), need);
        alike.add(need, job);
    }

    void remove(Job job) {
        var need = needs.remove(job.ticket());
        if (need != null) {
            all.remove(job.ticket());
            alike.remove(need, job);
        }
    }

    /** The oldest first. */
    public Collection<JobId> all() {
        return Collections.unmodifiableCollection(all.values());
    }

    /**
     * The oldest of each line, the oldest first.
     *
     * @param from those with a smaller ticket are left out
     */
    public Collection<JobId> heads(long from) {
        return alike.heads(from);
    }

    public boolean contains(Job job) {
        return needs.containsKey(job.ticket());
    }

    /** Of its line; null: no stage of it is to be placed. */
    public @Nullable JobId head(Job job) {
        var need = needs.get(job.ticket());
        return need == null ? null : alike.head(need);
    }

    /** Grows whenever a job comes to want a stage, or another one. */
    public long came() {
        return came;
    }
}
