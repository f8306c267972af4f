package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PlanHindered;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.PlanRefused;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InboundReportsTest {
    private final Inbound inbound = new Inbound(_ -> workers(1));

    /** What a later pod-manager has in its way is told in its words. */
    @ParameterizedTest
    @CsvSource({
        "RightMissing, RIGHT_MISSING",
        "EarlierPods, EARLIER_PODS",
        "StuckPods, STUCK_PODS",
        "NotTaken, NOT_TAKEN",
        "SomethingNew, NOT_TAKEN"
    })
    void refusalOfNoPlanIsWhatIsInItsWay(String reason, Event.Hitch hitch) {
        assertThat(inbound.event(hindered(reason)))
                .isEqualTo(new PlanHindered(job("a", 1), 3, hitch, "why"));
    }

    static InboxEvent hindered(String reason) {
        return InboxEvent.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId("pod-manager/1")
                                .setAt(Instant.EPOCH)
                                .setActor("pod-manager")
                                .build())
                .setKind(InboxKind.PLAN_REFUSED)
                .setPool("default")
                .setJob(new JobRef("ml", "a", "0-1"))
                .setPlanRefused(new PlanRefused(PlanHitch.NO_VERSION, 3, reason, "why"))
                .build();
    }
}
