package dev.muster.coordinator.core;

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
        return quota.hard().byName().entrySet().stream()
                .anyMatch(hard ->
                        isOfPods(hard.getKey())
                                && Quotas.counted(hard.getKey(), others)
                                                + quota.othersUse().get(hard.getKey())
                                        >= hard.getValue());
    }

    /** How many pods the namespace may have where its job alone uses them up; 0: it does not. */
    long usedUpByItself(Job job) {
        var quota = tables.namespace(job.id().namespace());
        if (quota == null) {
            return 0;
        }
        long own = tables.gang(job).all().stream().filter(r -> !r.sight().released()).count();
        return quota.hard().byName().entrySet().stream()
                .filter(hard -> isOfPods(hard.getKey()) && hard.getValue() <= own)
                .mapToLong(hard -> hard.getValue())
                .min()
                .orElse(0);
    }

    private static boolean isOfPods(String name) {
        return Quotas.counted(name, HookRuns.USE) > 0;
    }
}
