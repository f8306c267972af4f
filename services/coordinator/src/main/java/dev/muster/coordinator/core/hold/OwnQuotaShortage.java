package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.state.QuotaShortage;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;

/**
 * What a job is short of in the quotas of its own queue and namespace, whatever other queues use:
 * where less of it comes free, it cannot start.
 */
final class OwnQuotaShortage {
    private final List<QuotaShortage> all;

    private OwnQuotaShortage(List<QuotaShortage> all) {
        this.all = all;
    }

    /**
     * @param gone what comes free in any case
     */
    static OwnQuotaShortage of(Tables tables, Job holder, Freed gone) {
        var eligibility = tables.eligibility;
        var claim = eligibility.toStart(holder, By.HOLDER);
        if (claim == null) {
            return new OwnQuotaShortage(List.of());
        }
        gone.leave(tables.ledger);
        var all = eligibility.excesses(claim.after(gone.endsOf(claim.queue().name())));
        gone.comeBack(tables.ledger);
        return new OwnQuotaShortage(all.stream().filter(one -> !one.byOthers()).toList());
    }

    long[] amounts() {
        return all.stream().mapToLong(one -> one.shortage().shortBy()).toArray();
    }

    /** What of each comes free so. */
    long[] givenBy(Freed gone) {
        return all.stream().mapToLong(gone::givenOf).toArray();
    }

    /** A quota of its namespace is short of it. */
    boolean isOfNamespace(String resource) {
        return all.stream().anyMatch(one -> resource.equals(one.resourceOfNamespace()));
    }
}
