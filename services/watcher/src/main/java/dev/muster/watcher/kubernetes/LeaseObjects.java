package dev.muster.watcher.kubernetes;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** What is written to a shard's Lease. */
final class LeaseObjects {
    private LeaseObjects() {}

    /** One that is not there yet, and nobody's. */
    static Lease free(ShardLease.Name name) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(name.namespace())
                .withName(name.lease())
                .endMetadata()
                .build();
    }

    /** The same, nobody's from now on. */
    static Lease free(@Nullable Lease lease) {
        return new LeaseBuilder(lease).editSpec().withHolderIdentity("").endSpec().build();
    }

    /** The times are for people who read the Lease; nothing is decided by them. */
    static Lease held(ShardLease.Name name, @Nullable Lease lease, Duration given) {
        var now = ZonedDateTime.now(ZoneOffset.UTC);
        var ours = new LeaseBuilder(lease).editOrNewSpec();
        if (!name.identity().equals(ours.getHolderIdentity())) {
            var before = ours.getLeaseTransitions();
            ours.withHolderIdentity(name.identity())
                    .withAcquireTime(now)
                    .withLeaseTransitions(before == null ? 0 : before + 1);
        }
        return ours.withLeaseDurationSeconds((int) given.toSeconds())
                .withRenewTime(now)
                .endSpec()
                .build();
    }
}
