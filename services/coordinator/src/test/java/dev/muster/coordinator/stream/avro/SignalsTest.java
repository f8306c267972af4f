package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Digest;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSignalKind;
import dev.muster.v1.SignalHeard;
import dev.muster.v1.TrainingDigest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What jobs say of themselves. */
class SignalsTest {
    private static final Inbound INBOUND = new Inbound(_ -> null);
    private static final JobId RESNET = JobId.parse("ml/resnet@0-7");

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
    void defaultsOfTheContractAreThoseOfAPoolThatSaysNothing() {
        var pool = InboundQueues.pool(dev.muster.v1.PoolSpec.newBuilder().build());
        assertThat(pool.notices()).isEqualTo(PoolSpec.Notices.USUAL);
        assertThat(pool.nodeHealth()).isEqualTo(PoolSpec.NodeHealth.USUAL);
    }

    @Test
    void answerNamesWhatTheJobWasAsked() {
        assertThat(INBOUND.event(event(answer())))
                .isEqualTo(new Event.CheckpointAnswered(RESNET, 3, 17, true, "step 400"));
        var failed =
                SignalHeard.newBuilder(answer()).setKind(JobSignalKind.CHECKPOINT_FAILED).build();
        assertThat(INBOUND.event(event(failed)))
                .isEqualTo(new Event.CheckpointAnswered(RESNET, 3, 17, false, "step 400"));
    }

    @Test
    void answerToWhatABuildBeforeAskedIsTaken() {
        var old = SignalHeard.newBuilder(answer()).setAnswers("17").build();
        assertThat(INBOUND.event(event(old)))
                .isEqualTo(new Event.CheckpointAnswered(RESNET, 3, 17, true, "step 400"));
    }

    @Test
    void answerToWhatIsNoIdOfOursAnswersNothing() {
        for (var answers : new String[] {null, "soon", "0-6.17", "0-7.99999999999999999999"}) {
            var stray = SignalHeard.newBuilder(answer()).setAnswers(answers).build();
            assertThat(INBOUND.event(event(stray)))
                    .isEqualTo(new Event.CheckpointAnswered(RESNET, 3, 0, true, "step 400"));
        }
    }

    @Test
    void rankThatHasDrainedIsNamed() {
        assertThat(INBOUND.event(drained()))
                .isEqualTo(new Event.Drained(RESNET, 3, 7, new RankId("worker", 3)));
        var nobody = SignalHeard.newBuilder(drained().getJobSignal()).setRole(null).build();
        assertThatThrownBy(() -> INBOUND.event(event(nobody)))
                .isInstanceOf(UnusableEventException.class);
    }

    @Test
    void whatTheJobWasAskedStandsInItsEventAndUnderTheIdThatAnAnswerNames() {
        var asked =
                new Checkpoint(
                        17,
                        3,
                        "it is to be suspended",
                        Instant.EPOCH.plusSeconds(120),
                        Checkpoint.Stage.TIMED_OUT,
                        "it did not answer in time",
                        Instant.EPOCH.plusSeconds(121));
        var outbound =
                new Outbound(new Origin("gpus", 5, 42, "x"), Instant.EPOCH, _ -> null, _ -> null);
        var told = outbound.records(new Effect.CheckpointTold(RESNET, 18, 3, asked)).getFirst();
        var event = (JobEvent) told.value();
        assertThat(event.getKind()).isEqualTo(JobEventKind.CHECKPOINT);
        assertThat(event.getEnvelope().getSeq()).isEqualTo(18);
        assertThat(event.getCheckpoint())
                .isEqualTo(
                        new JobCheckpoint(
                                "0-7.17",
                                CheckpointStage.TIMED_OUT,
                                "it is to be suspended",
                                "it did not answer in time",
                                Instant.EPOCH.plusSeconds(120),
                                Instant.EPOCH.plusSeconds(121)));
    }

    static SignalHeard answer() {
        return SignalHeard.newBuilder()
                .setKind(JobSignalKind.CHECKPOINT_SAVED)
                .setAnswers("0-7.17")
                .setMessage("step 400")
                .build();
    }

    static InboxEvent drained() {
        return event(
                SignalHeard.newBuilder()
                        .setKind(JobSignalKind.DRAINED)
                        .setRole("worker")
                        .setIndex(3)
                        .setIncarnation(7)
                        .build());
    }

    private static InboxEvent event(SignalHeard signal) {
        return InboxEvent.newBuilder(event(digest()))
                .setKind(InboxKind.JOB_SIGNAL)
                .setTrainingDigest(null)
                .setJobSignal(signal)
                .build();
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
