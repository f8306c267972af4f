package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.queue.Ledger;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hooks that run or wait, and the slots that their pods have on their nodes and in the quotas
 * of their namespaces.
 */
public final class HookRuns {
    /** Its pod asks for nothing else. */
    private static final Amounts SLOT = Amounts.of(Collections.singletonMap("pods", 1L));

    public static final Use USE = new Use(SLOT, Amounts.NONE);

    private final SortedMap<JobId, HookRun> byJob = new TreeMap<>();
    private final Capacity capacity;
    private final Ledger ledger;
    private final Namespaces namespaces;

    HookRuns(Capacity capacity, Ledger ledger, Namespaces namespaces) {
        this.capacity = capacity;
        this.ledger = ledger;
        this.namespaces = namespaces;
    }

    void put(HookRun run) {
        var used = ledger.inNamespace(run.job().namespace());
        release(run);
        byJob.put(run.job(), run);
        if (run.making() != null) {
            capacity.occupy(run.making().node(), SLOT);
            ledger.charge(run.job().namespace(), USE);
        }
        namespaces.usedBefore(run.job().namespace(), used);
    }

    void remove(HookRun run) {
        var used = ledger.inNamespace(run.job().namespace());
        release(run);
        namespaces.usedBefore(run.job().namespace(), used);
    }

    private void release(HookRun run) {
        var before = byJob.remove(run.job());
        if (before != null && before.making() != null) {
            capacity.release(before.making().node(), SLOT);
            ledger.release(before.job().namespace(), USE);
        }
    }

    public @Nullable HookRun of(JobId job) {
        return byJob.get(job);
    }

    /** Of all jobs, in order. */
    public List<HookRun> all() {
        return List.copyOf(byJob.values());
    }
}
