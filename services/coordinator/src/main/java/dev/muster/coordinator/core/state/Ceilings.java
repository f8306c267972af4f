package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.state.Quotas.Claim;

/** The most that queues and namespaces may use, whatever ends. */
record Ceilings(Tables tables) {
    /** If nothing else of the pool ran it would be allowed. */
    boolean couldEver(Claim claim) {
        if (claim.queue().spec().doors().maxRunning() == 0) {
            return false;
        }
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            if (needs.amount(i) > mostEver(claim.queue(), needs.name(i))) {
                return false;
            }
        }
        var quota = tables.namespace(claim.namespace());
        return quota == null
                || quota.most().entrySet().stream()
                        .allMatch(hard -> {
                            long need = claim.need().counted(hard.getKey());
                            return need == 0 || need <= quota.mostOfPool(hard.getKey());
                        });
    }

    /** What the queue may use of a resource if nobody else used anything. */
    private long mostEver(Queue queue, String resource) {
        var quota = queue.spec().quota();
        long limit = quota.limit().getOrDefault(resource, Long.MAX_VALUE);
        return tables.ledger.isShared(resource)
                ? limit
                : Math.min(
                        Math.min(limit, mostWithBorrowing(quota, resource)),
                        mostOfGroup(queue, resource));
    }

    /** The same of what its group is guaranteed and lends, and of what nobody is guaranteed. */
    long mostOfGroup(Queue queue, String resource) {
        var group = tables.ledger.group(queue.spec().quota());
        long unlent =
                group.unlent().get(resource) - tables.ledger.account(queue.name()).unlent(resource);
        return group.guaranteed().get(resource) - unlent + beyondAll(resource);
    }

    /** Others who keep to their guarantees use what it needs: nobody knows for how long. */
    boolean lacksWhatOthersWereGuaranteed(Claim claim) {
        if (tables.ledger.isAllShared()) {
            return false;
        }
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            boolean isShared = tables.ledger.isShared(needs.name(i));
            if (!isShared && needs.amount(i) > mostBesideGuarantees(claim.queue(), needs.name(i))) {
                return true;
            }
        }
        return false;
    }

    /** What the queue may use while others use what they use now within their guarantees. */
    long mostBesideGuarantees(Queue queue, String resource) {
        var group = tables.ledger.group(queue.spec().quota());
        var own = tables.ledger.account(queue.name());
        long others = group.secured().get(resource) - own.secured().get(resource);
        return group.guaranteed().get(resource) - others + beyondAll(resource);
    }

    /** What other queues of its group, and other groups, have beyond their guarantees. */
    long borrowedByOthers(Queue queue, String resource) {
        var group = tables.ledger.group(queue.spec().quota());
        var own = tables.ledger.account(queue.name());
        long others = group.shielded().get(resource) - own.shielded().get(resource);
        long within = group.secured().get(resource) - own.secured().get(resource);
        return Wide.sum(others - within, tables.ledger.overflowOfOthers(group, resource));
    }

    /** Of its own right. */
    static long mostWithBorrowing(Quota quota, String resource) {
        long guarantee = quota.guaranteed().get(resource);
        if (!quota.borrowing()) {
            return guarantee;
        }
        var more = quota.borrowLimit().get(resource);
        return more == null ? Long.MAX_VALUE : Wide.sum(guarantee, more);
    }

    /** What a group may use now: what it is guaranteed, and what other groups leave beyond that. */
    long mostNow(Ledger.Group group, String resource) {
        long left = beyondAll(resource) - tables.ledger.overflowOfOthers(group, resource);
        return group.guaranteed().get(resource) + Math.max(0, left);
    }

    /** What the nodes have beyond all guarantees. */
    long beyondAll(String resource) {
        long guaranteed = tables.ledger.guaranteed().get(resource);
        return Math.max(0, tables.capacity.total().get(resource) - guaranteed);
    }
}
