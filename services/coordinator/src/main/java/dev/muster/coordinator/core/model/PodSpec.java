package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * One pod of a role.
 *
 * @param demand as Kubernetes counts requests
 * @param limits as it counts limits, for quotas of namespaces
 * @param apart at most one of the role per node
 * @param apartFrom no node has one of the role and one of these; some of its own role may be among
 *     them
 * @param restart what the kubelet does with a container that failed
 * @param onHost it is on its node's network, and so needs a port there that is nobody's
 * @param memory of its main container; null: that names none, so it cannot grow
 * @param grace that its template gives it to end in; null: it names none, or nobody asks
 */
public record PodSpec(
        Amounts demand,
        Amounts limits,
        NodeFilter filter,
        boolean apart,
        JobSpec.Restart restart,
        boolean onHost,
        @Nullable Memory memory,
        @Nullable Duration grace,
        List<RankRange> apartFrom) {
    public PodSpec {
        apartFrom = List.copyOf(apartFrom);
    }

    /** What the main container of one that is made now gets; 0: what it was submitted with. */
    public long grown() {
        return memory == null ? 0 : memory.grown();
    }

    /** The same, with so much memory for its main container; 0: as submitted. */
    public PodSpec at(long bytes) {
        return memory == null || bytes == memory.grown()
                ? this
                : with(
                        memory.requested(demand, bytes),
                        memory.limited(limits, bytes),
                        filter,
                        memory.grownTo(bytes));
    }

    /** The same, on any nodes but these. */
    PodSpec avoiding(SortedSet<String> nodes) {
        return with(demand, limits, filter.avoiding(nodes), memory);
    }

    private PodSpec with(
            Amounts demand, Amounts limits, NodeFilter filter, @Nullable Memory memory) {
        return new PodSpec(
                demand, limits, filter, apart, restart, onHost, memory, grace, apartFrom);
    }
}
