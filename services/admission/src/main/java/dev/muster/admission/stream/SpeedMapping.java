package dev.muster.admission.stream;

import dev.muster.admission.core.SpeedSample;
import dev.muster.admission.core.SpeedWindow;
import dev.muster.v1.TrainingDigest;
import dev.muster.v1.TrainingMetrics;
import java.time.Instant;

/** How fast a job trains, between contract and core. */
public final class SpeedMapping {
    private SpeedMapping() {}

    /**
     * @param now when it was heard
     */
    public static SpeedSample sample(TrainingMetrics said, Instant now) {
        var envelope = said.getEnvelope();
        return new SpeedSample(
                now,
                envelope.getJobUid(),
                envelope.getAttempt(),
                said.getIncarnation(),
                said.getWorkers(),
                said.getStep(),
                said.getEpoch(),
                said.getStepMicros(),
                said.getSamplesPerSecondThousandths(),
                said.getBatchMicros());
    }

    static TrainingDigest digest(SpeedWindow.Digest digest) {
        return TrainingDigest.newBuilder()
                .setIncarnation(digest.incarnation())
                .setWorkers(digest.workers())
                .setSamples(digest.samples())
                .setSpanMillis(digest.span().toMillis())
                .setStep(digest.step())
                .setEpoch(digest.epoch())
                .setStepMicros(digest.stepMicros())
                .setSamplesPerSecondThousandths(digest.samplesPerSecondThousandths())
                .setBatchMicros(digest.batchMicros())
                .build();
    }
}
