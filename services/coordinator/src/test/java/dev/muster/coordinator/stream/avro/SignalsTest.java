package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.Digest;
import dev.muster.coordinator.core.Event;
import dev.muster.coordinator.core.JobId;
import dev.muster.coordinator.core.PoolSpec;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.TrainingDigest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What jobs say of themselves. */
class SignalsTest {
    private static final Inbound INBOUND = new Inbound(_ -> null);

    @Test
    void speedIsSamplesASecondInMillionths() {
        assertThat(INBOUND.event(event(digest())))
                .isEqualTo(
                        new Event.Trained(
                                JobId.parse("ml/resnet@0-7"),
                                new Digest(
                                        3, 12, 4, 9, Duration.ofMillis(9500), 120, 512_500_000)));
    }

    @Test
    void withoutSamplesItIsStepsASecond() {
        var steps = TrainingDigest.newBuilder(digest()).setSamplesPerSecondThousandths(null);
        var trained = (Event.Trained) INBOUND.event(event(steps.build()));
        assertThat(trained.digest().speed()).isEqualTo(1_250_000);
    }

    @Test
    void digestWithoutAnySpeedIsUnusable() {
        var neither =
                TrainingDigest.newBuilder(digest())
                        .setSamplesPerSecondThousandths(null)
                        .setStepMicros(null)
                        .build();
        assertThatThrownBy(() -> INBOUND.event(event(neither)))
                .isInstanceOf(UnusableEventException.class);
    }

    @Test
    void noticesOfTheContractAreThoseOfAPoolThatSaysNothingOfThem() {
        assertThat(InboundQueues.pool(dev.muster.v1.PoolSpec.newBuilder().build()).notices())
                .isEqualTo(PoolSpec.Notices.USUAL);
    }

    static TrainingDigest digest() {
        return TrainingDigest.newBuilder()
                .setIncarnation(12)
                .setWorkers(4)
                .setSamples(9)
                .setSpanMillis(9500)
                .setStep(120)
                .setStepMicros(800_000L)
                .setSamplesPerSecondThousandths(512_500L)
                .build();
    }

    private static InboxEvent event(TrainingDigest digest) {
        return InboxEvent.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId("x")
                                .setAt(Instant.EPOCH)
                                .setActor("admission")
                                .setAttempt(3)
                                .build())
                .setKind(InboxKind.TRAINING_DIGEST)
                .setPool("gpus")
                .setJob(new JobRef("ml", "resnet", "0-7"))
                .setTrainingDigest(digest)
                .build();
    }
}
