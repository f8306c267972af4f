package dev.muster.watcher.core;

/**
 * By what Kubernetes tells which quotas count a pod.
 *
 * @param timeBound it has a deadline of its own: scope {@code Terminating}, else {@code
 *     NotTerminating}
 * @param bestEffort it asks for neither cpu nor memory: scope {@code BestEffort}, else {@code
 *     NotBestEffort}
 */
public record QuotaTraits(boolean timeBound, boolean bestEffort) {
    /** Those of a pod that may run for ever and asks for something. */
    static final QuotaTraits USUAL = new QuotaTraits(false, false);
}
