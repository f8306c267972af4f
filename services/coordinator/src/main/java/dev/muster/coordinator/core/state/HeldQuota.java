package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.state.QuotaShortage.Users;
import dev.muster.coordinator.core.state.Quotas.Claim;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What counts as used of quotas, and is only held for the job that the pool holds room for. */
record HeldQuota(Tables tables) {
    /** Of the claim's queue, one place of those that may run. */
    long places(Claim claim) {
        var holder = tables.ledger.holder();
        boolean isHeld = holder != null && holder.queue().equals(claim.queue().name());
        return isHeld && !claim.by().comesBefore() ? 1 : 0;
    }

    /** Of what the claim's queue may use by itself. */
    long ofQueue(Claim claim, String resource) {
        var account = tables.ledger.account(claim.queue().name());
        return claim.by().comesBefore() ? 0 : account.held().get(resource);
    }

    /** Of what its group does not leave to the claim's queue now. */
    long ofGroup(Claim claim, String resource) {
        var ledger = tables.ledger;
        var holder = ledger.holder();
        if (holder == null || holder.queue().equals(claim.queue().name())) {
            return ofQueue(claim, resource);
        }
        var account = ledger.account(holder.queue());
        var quota = claim.queue().spec().quota();
        if (isOfGroup(account, quota)) {
            return account.heldAlone(resource);
        }
        long left =
                tables.ceilings.beyondAll(resource)
                        - ledger.overflowOfOthers(ledger.group(quota), resource);
        long others = borrowedByOthers(claim, resource);
        return Math.max(0, Wide.sum(left, others)) - Math.max(0, left);
    }

    /** Who uses what is short of its group's: what is only held is nobody's use. */
    Users usersOfGroup(Claim claim, String resource) {
        return tables.ceilings.borrowedByOthers(claim.queue(), resource)
                        > borrowedByOthers(claim, resource)
                ? Users.BORROWERS
                : Users.OF_GROUP;
    }

    /** Of what other queues of its group, and other groups, have beyond their guarantees. */
    private long borrowedByOthers(Claim claim, String resource) {
        var ledger = tables.ledger;
        var holder = ledger.holder();
        if (holder == null || holder.queue().equals(claim.queue().name())) {
            return 0;
        }
        var account = ledger.account(holder.queue());
        var group = ledger.group(account.quota());
        long beyond =
                isOfGroup(account, claim.queue().spec().quota())
                        ? account.shielded().get(resource)
                                - account.quota().guaranteed().get(resource)
                        : group.shielded().get(resource) - group.guaranteed().get(resource);
        return Math.clamp(beyond, 0, account.heldAlone(resource));
    }

    private static boolean isOfGroup(Ledger.Account account, Quota quota) {
        return Objects.equals(account.quota().group(), quota.group());
    }

    /** Of its namespace's. */
    Use ofNamespace(Claim claim) {
        return claim.by().comesBefore()
                ? Use.NONE
                : tables.ledger.heldInNamespace(claim.namespace());
    }

    /**
     * Who is to use what somebody lacks; null: others use it already.
     *
     * @param held so much of it
     * @param kept for whom something is kept beside that
     */
    @Nullable JobId keptFor(
            WaitReason.Shortage shortage, long held, Reserves.@Nullable Reserve kept) {
        var holder = tables.holder();
        if (holder != null && shortage.shortBy() <= held) {
            return holder;
        }
        return kept == null ? null : kept.job();
    }
}
