package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Strength;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the pool's holder may take from other queues, resource by resource. Only what it is short of
 * counts: of its own guarantee, while it keeps within that, what others borrow of it; of all else
 * that anybody is guaranteed, only what elastic jobs of others have beyond their queues'
 * guarantees.
 */
final class Reclaim {
    private final Tables tables;
    private final String queue;
    private final HolderShortage lack;

    /** What its queue may use no more of, wherever it lies. */
    private final SortedSet<String> ofQuota;

    private final String namespace;
    private final OwnQuotaShortage own;

    private final Strength holder;

    /**
     * @param gone what comes free in any case
     * @param lack with that
     */
    Reclaim(Tables tables, Job holder, Freed gone, HolderShortage lack) {
        this.tables = tables;
        this.queue = holder.spec().queue();
        this.namespace = holder.id().namespace();
        this.lack = lack;
        this.own = OwnQuotaShortage.of(tables, holder, gone);
        var eligibility = tables.eligibility;
        var claim = eligibility.toStart(holder, By.HOLDER);
        if (claim == null) {
            int priority = holder.spec().place().priority();
            this.holder = new Strength(queue, priority, priority, new TreeSet<>(), new TreeSet<>());
            ofQuota = Collections.emptySortedSet();
            return;
        }
        gone.leave(tables.ledger);
        ofQuota = eligibility.shortOf(claim);
        gone.comeBack(tables.ledger);
        this.holder = eligibility.strengthOfWaiting(claim, holder);
    }

    /** Of what the holder is short of and was guaranteed, what these would leave. */
    List<String> givenBy(Job job, List<Rank> ranks) {
        if (job.spec().queue().equals(queue)) {
            return List.of();
        }
        return holder.own().stream()
                .filter(resource -> ranks.stream().anyMatch(rank -> gives(job, rank, resource)))
                .toList();
    }

    /** It is more than its queue was guaranteed, of one of these. */
    boolean isBorrowing(Job job, List<String> resources) {
        var account = tables.ledger.account(job.spec().queue());
        return resources.stream()
                .anyMatch(resource ->
                        account.used().get(resource) > account.quota().guaranteed().get(resource));
    }

    /**
     * An elastic job may be asked to give it back: its claim is not the stronger one, and nothing
     * that it leaves and the holder is short of and was not guaranteed itself is its own queue's
     * guarantee.
     *
     * @param taken of that queue already
     */
    boolean mayAsk(Job job, Rank rank, Amounts taken) {
        return keepsItsOwn(job, rank, taken) && !holder.isBelow(strength(job, rank, taken));
    }

    /** What it leaves is of the holder's guarantee, and its queue borrows it. */
    boolean takesBack(Job job, Rank rank, Amounts taken) {
        return holder.reclaimsFrom(strength(job, rank, taken));
    }

    /** Of its claim to what it would leave and the holder is short of. */
    private Strength strength(Job job, Rank rank, Amounts taken) {
        var account = tables.ledger.account(job.spec().queue());
        var demand = job.spec().podOf(rank).demand();
        var given = Amounts.NONE;
        for (int i = 0; i < demand.size(); i++) {
            if (gives(job, rank, demand.name(i))) {
                given = given.with(demand.name(i), demand.amount(i));
            }
        }
        int priority = job.spec().place().priority();
        return Strength.of(
                job.spec().queue(),
                priority,
                priority,
                given,
                account.used().minus(taken),
                account.quota().guaranteed());
    }

    /** What it leaves is the holder's, or beyond what its own queue was guaranteed. */
    private boolean keepsItsOwn(Job job, Rank rank, Amounts taken) {
        if (job.spec().queue().equals(queue)) {
            return true;
        }
        var account = tables.ledger.account(job.spec().queue());
        var demand = job.spec().podOf(rank).demand();
        return account.quota().guaranteed().byName().entrySet().stream()
                .filter(of -> !holder.own().contains(of.getKey()) && gives(job, rank, of.getKey()))
                .allMatch(of -> {
                    long gone = Wide.sum(taken.get(of.getKey()), demand.get(of.getKey()));
                    return account.used().get(of.getKey()) - gone >= of.getValue();
                });
    }

    /** Something that the holder is short of. */
    private boolean gives(Job job, Rank rank, String resource) {
        return lack.need().get(resource) > 0
                && job.spec().podOf(rank).demand().get(resource) > 0
                && (ofQuota.contains(resource)
                        || isOfNamespace(job, resource)
                        || lack.isShortWhere(rank, resource));
    }

    private boolean isOfNamespace(Job job, String resource) {
        return job.id().namespace().equals(namespace) && own.isOfNamespace(resource);
    }
}
