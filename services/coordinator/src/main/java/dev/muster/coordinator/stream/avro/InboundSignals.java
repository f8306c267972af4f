package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.job;
import static dev.muster.coordinator.stream.avro.Fields.required;

import dev.muster.coordinator.core.model.Digest;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.schemas.contract.CheckpointId;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.SignalHeard;
import dev.muster.v1.TrainingDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What jobs say of themselves, as the core hears it. */
final class InboundSignals {
    private static final long MILLIONTHS = 1_000_000;

    private InboundSignals() {}

    static Event trained(InboxEvent in) {
        var said = required(in.getTrainingDigest(), "trainingDigest");
        return new Event.Trained(
                job(in.getJob()),
                new Digest(
                        in.getEnvelope().getAttempt(),
                        said.getIncarnation(),
                        said.getWorkers(),
                        said.getSamples(),
                        Duration.ofMillis(said.getSpanMillis()),
                        said.getStep(),
                        speed(said)));
    }

    static Event signal(InboxEvent in) {
        var said = required(in.getJobSignal(), "jobSignal");
        return switch (said.getKind()) {
            case UNKNOWN -> throw new UnknownKindException();
            case CHECKPOINT_SAVED -> answer(in, said, true);
            case CHECKPOINT_FAILED -> answer(in, said, false);
            case DRAINED ->
                    new Event.Drained(
                            job(in.getJob()),
                            in.getEnvelope().getAttempt(),
                            said.getIncarnation(),
                            new RankId(
                                    required(said.getRole(), "jobSignal.role"),
                                    required(said.getIndex(), "jobSignal.index")));
        };
    }

    private static Event answer(InboxEvent in, SignalHeard said, boolean saved) {
        var job = job(in.getJob());
        return new Event.CheckpointAnswered(
                job,
                in.getEnvelope().getAttempt(),
                ask(job, said.getAnswers()),
                saved,
                said.getMessage());
    }

    /**
     * What is no id of ours, or of another submission, answers nothing that was asked. Builds that
     * knew no ids of all submissions have asked by the number alone.
     */
    private static long ask(JobId job, @Nullable String answers) {
        var text = answers == null ? "" : answers;
        try {
            if (text.matches("[0-9]{1,18}")) {
                return Long.parseLong(text);
            }
            var id = CheckpointId.parse(text);
            return id.uid().equals(job.uid().toString()) ? id.number() : 0;
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private static long speed(TrainingDigest said) {
        var thousandths = said.getSamplesPerSecondThousandths();
        var micros = said.getStepMicros();
        if (thousandths != null) {
            return Math.clamp(thousandths, 0, Long.MAX_VALUE / 1000) * 1000;
        }
        if (micros == null || micros < 1) {
            throw new UnusableEventException("trainingDigest says nothing of speed");
        }
        return MILLIONTHS * MILLIONTHS / micros;
    }
}
