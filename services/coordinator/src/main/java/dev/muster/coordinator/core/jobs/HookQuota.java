package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.state.HookRuns;
import dev.muster.coordinator.core.state.Tables;
import java.util.OptionalLong;

/**
 * What the quotas of a job's namespace leave for the pod of its hook, which counts there as one
 * pod. The API server has the last word: some quotas are not meant for such pods.
 */
final class HookQuota {
    private final Tables tables;

    HookQuota(Tables tables) {
        this.tables = tables;
    }

    /** All that the namespace may have is used, beside that pod. */
    boolean isUsedUp(Job job) {
        var namespace = job.id().namespace();
        var quota = tables.namespace(namespace);
        if (quota == null) {
            return false;
        }
        var run = tables.hooks.of(job.id());
        var ours = tables.ledger.inNamespace(namespace);
        var others = run == null || run.making() == null ? ours : ours.minus(HookRuns.USE);
        return quota.most().entrySet().stream()
                .anyMatch(hard ->
                        isOfPods(hard.getKey())
                                && Wide.sum(
                                                others.counted(hard.getKey()),
                                                quota.othersUse().get(hard.getKey()))
                                        >= hard.getValue());
    }

    /**
     * How many pods the namespace may have where its job alone uses them up; empty: it does not.
     */
    OptionalLong usedUpByItself(Job job) {
        var quota = tables.namespace(job.id().namespace());
        if (quota == null) {
            return OptionalLong.empty();
        }
        long own = pods(job);
        return quota.most().entrySet().stream()
                .filter(hard -> isOfPods(hard.getKey()) && hard.getValue() <= own)
                .mapToLong(hard -> hard.getValue())
                .min();
    }

    /** How many pods of its gang count in its namespace. */
    long pods(Job job) {
        return tables.gang(job).all().stream().filter(r -> !r.sight().released()).count();
    }

    private static boolean isOfPods(String name) {
        return HookRuns.USE.counted(name) > 0;
    }
}
