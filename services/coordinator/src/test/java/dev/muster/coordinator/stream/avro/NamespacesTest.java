package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.NamespaceQuotaSeen;
import dev.muster.v1.Witness;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    @Test
    void whatAQuotaAllowsNothingOfIsNotForgotten() {
        var hard = Map.of("pods", 9L, "requests.nvidia.com/gpu", 0L);
        var envelope = Envelope.newBuilder().setId("x").setAt(Instant.EPOCH).setActor("a").build();
        var in =
                InboxEvent.newBuilder()
                        .setKind(InboxKind.NAMESPACE_QUOTA_SEEN)
                        .setPool("p")
                        .setWitness(new Witness(2, 4, 17L, null))
                        .setEnvelope(envelope)
                        .setNamespaceQuotaSeen(new NamespaceQuotaSeen("ml", hard, Map.of()))
                        .build();
        var inbound =
                new Inbound(_ -> {
                    throw new AssertionError("no job is asked for");
                });
        var quota = (Event.NamespaceQuotaSeen) inbound.event(in);
        assertThat(quota.hard()).isEqualTo(Amounts.of(Map.of("pods", 9L)));
        assertThat(quota.barred()).containsExactly("requests.nvidia.com/gpu");
    }
}
