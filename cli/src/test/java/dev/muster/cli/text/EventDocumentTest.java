package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.muster.v1.Envelope;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobMoved;
import dev.muster.v1.JobRef;
import dev.muster.v1.Phase;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventDocumentTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void moveThatSomebodyAskedForSaysWho() {
        assertThat(EventDocument.of(cancelled("alice@desk")))
                .extractingByKey("moved", MAP)
                .isEqualTo(
                        Map.of(
                                "from", "Running",
                                "to", "Cancelled",
                                "reason", "Cancelled",
                                "message", "enough",
                                "by", "alice@desk"));
    }

    @Test
    void moveThatNobodyAskedForNamesNobody() {
        assertThat(EventDocument.of(cancelled(null)))
                .extractingByKey("moved", MAP)
                .containsOnlyKeys("from", "to", "reason", "message");
    }

    private static JobEvent cancelled(@Nullable String by) {
        var envelope =
                Envelope.newBuilder().setId("0-1/0").setAt(NOON).setActor("coordinator").build();
        return JobEvent.newBuilder()
                .setEnvelope(envelope)
                .setKind(JobEventKind.MOVED)
                .setJob(new JobRef("ml", "a", "0-1"))
                .setMoved(new JobMoved(Phase.RUNNING, Phase.CANCELLED, "Cancelled", "enough", by))
                .build();
    }
}
