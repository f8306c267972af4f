package dev.muster.watcher.core;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.Optional;

/** Reads what a node's lease says: only that it was renewed counts, and how often it should be. */
public final class NodeLeases {
    /** What kubelets ask for where nobody says otherwise. */
    private static final int USUAL_SECONDS = 40;

    private NodeLeases() {}

    /** Empty: it was never renewed. */
    public static Optional<ShardEvent> read(Lease lease) {
        var spec = lease.getSpec();
        if (spec == null || spec.getRenewTime() == null) {
            return Optional.empty();
        }
        int seconds = requireNonNullElse(spec.getLeaseDurationSeconds(), USUAL_SECONDS);
        return Optional.of(
                new ShardEvent.NodeRenewed(
                        lease.getMetadata().getName(),
                        spec.getRenewTime().toString(),
                        Duration.ofSeconds(Math.max(1, seconds))));
    }
}
