package dev.muster.cli.kafka;

import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.Phase;
import dev.muster.v1.RestartCounts;
import java.time.Instant;
import java.util.List;

/** Statuses of jobs for tests. */
public final class Statuses {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private Statuses() {}

    /** Of a job that was submitted at noon to queue and pool {@code default}. */
    public static JobStatus status(JobRef job, Phase phase) {
        return JobStatus.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder().setId("0-1/0").setAt(NOON).setActor("test").build())
                .setJob(job)
                .setPhase(phase)
                .setAttempt(1)
                .setQueue("default")
                .setPool("default")
                .setRoles(List.of())
                .setRestarts(new RestartCounts(0, 0))
                .setTimes(JobTimes.newBuilder().setSubmitted(NOON).build())
                .setSeq(1)
                .build();
    }
}
