package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeLeasesTest {
    private static final ZonedDateTime NOON = ZonedDateTime.parse("2026-01-01T12:00:00Z");

    private static Lease lease(@Nullable ZonedDateTime renewed, @Nullable Integer seconds) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withName("node-1")
                .endMetadata()
                .withNewSpec()
                .withRenewTime(renewed)
                .withLeaseDurationSeconds(seconds)
                .endSpec()
                .build();
    }

    @Test
    void renewalSaysWhenItWasAndForHowLongItHolds() {
        assertThat(NodeLeases.read(lease(NOON, 20)))
                .contains(
                        new ShardEvent.NodeRenewed(
                                "node-1", "2026-01-01T12:00Z", Duration.ofSeconds(20)));
        assertThat(NodeLeases.read(lease(NOON, null)))
                .contains(
                        new ShardEvent.NodeRenewed(
                                "node-1", "2026-01-01T12:00Z", Duration.ofSeconds(40)));
    }

    @Test
    void leaseThatWasNeverRenewedSaysNothing() {
        assertThat(NodeLeases.read(lease(null, 40))).isEmpty();
    }
}
