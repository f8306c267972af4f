package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.v1.CheckpointStage;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobMoved;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobScaling;
import dev.muster.v1.Phase;
import dev.muster.v1.RankEvent;
import dev.muster.v1.ScaleStage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventLineTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private static final String LOG =
            "worker-1 exited with 1: …in train\n  step()\nValueError: boom\n";

    private final EventLine lines = new EventLine(new Moments(NOON, ZoneOffset.UTC));

    @ParameterizedTest
    @MethodSource
    void oneLineSaysWhenToWhatAndWhat(JobEvent event, String said) {
        assertThat(lines.of(event)).isEqualTo("12:00:00  " + said);
    }

    static Stream<Arguments> oneLineSaysWhenToWhatAndWhat() {
        return Stream.of(
                argumentSet("submitted", moved(Phase.QUEUED, "", ""), "job           Queued"),
                argumentSet(
                        "failed",
                        moved(Phase.FAILED, "BackoffLimitExceeded", "worker-1 exited with 3"),
                        "job           Failed: BackoffLimitExceeded: worker-1 exited with 3"),
                argumentSet(
                        "stopped",
                        moved(Phase.STOPPING, "", "it was suspended"),
                        "job           Stopping: it was suspended"),
                argumentSet(
                        "pod that exited",
                        ofRank(JobEventKind.RANK_ENDED, null, 3, "Error", "worker-1 exited with 3"),
                        "worker-1      ended with 3: Error: worker-1 exited with 3"),
                argumentSet(
                        "pod that left the end of its log",
                        ofRank(JobEventKind.RANK_ENDED, null, 1, "Error", LOG),
                        """
                        worker-1      ended with 1: Error: worker-1 exited with 1: …in train
                                                  step()
                                                ValueError: boom\
                        """),
                argumentSet(
                        "failed with it",
                        moved(Phase.FAILED, "BackoffLimitExceeded", LOG + "=====\n"),
                        "job           Failed: BackoffLimitExceeded: worker-1 exited with 1: …in"
                                + " train … ValueError: boom"),
                argumentSet(
                        "pod that vanished",
                        ofRank(JobEventKind.RANK_ENDED, null, null, "PodLost", ""),
                        "worker-1      ended: PodLost"),
                argumentSet(
                        "made again",
                        ofRank(JobEventKind.RANK_PLACED, "node-4", null, "", ""),
                        "worker-1      made again on node-4, incarnation 7"),
                argumentSet(
                        "running",
                        ofRank(JobEventKind.RANK_RUNNING, null, null, "", ""),
                        "worker-1      runs"),
                argumentSet(
                        "scaled",
                        event(JobEventKind.SCALED)
                                .setScaling(
                                        JobScaling.newBuilder()
                                                .setRole("worker")
                                                .setFrom(2)
                                                .setTo(4)
                                                .setStage(ScaleStage.FAILED)
                                                .setReason("Timeout")
                                                .setMessage("3 of 4 ran in time")
                                                .setSince(NOON)
                                                .build())
                                .build(),
                        "worker        2 -> 4 Failed: Timeout: 3 of 4 ran in time"),
                argumentSet(
                        "asked to save",
                        asked(CheckpointStage.ASKED, ""),
                        "checkpoint    Asked: it is suspended"),
                argumentSet(
                        "saved",
                        asked(CheckpointStage.SAVED, "step 40"),
                        "checkpoint    Saved: step 40"),
                argumentSet(
                        "asked for",
                        moved(Phase.CANCELLED, "Cancelled", "", "alice@desk"),
                        "job           Cancelled: Cancelled, by alice@desk"),
                argumentSet(
                        "of a later contract",
                        event(JobEventKind.UNKNOWN).build(),
                        "?             of a kind that this muster does not know"));
    }

    private static JobEvent moved(Phase to, String reason, String message) {
        return moved(to, reason, message, null);
    }

    private static JobEvent moved(Phase to, String reason, String message, @Nullable String by) {
        var moved = new JobMoved(null, to, reason, message, by);
        return event(JobEventKind.MOVED).setMoved(moved).build();
    }

    private static JobEvent ofRank(
            JobEventKind kind,
            @Nullable String node,
            @Nullable Integer exitCode,
            String reason,
            String message) {
        var rank = new RankEvent("worker", 1, 7, node, exitCode, reason, message);
        return event(kind).setRank(rank).build();
    }

    private static JobEvent asked(CheckpointStage stage, String message) {
        var asked =
                JobCheckpoint.newBuilder()
                        .setId("1")
                        .setStage(stage)
                        .setPurpose("it is suspended")
                        .setMessage(message)
                        .setUntil(NOON)
                        .setSince(NOON)
                        .build();
        return event(JobEventKind.CHECKPOINT).setCheckpoint(asked).build();
    }

    private static JobEvent.Builder event(JobEventKind kind) {
        var envelope =
                Envelope.newBuilder()
                        .setId("0-1/0")
                        .setAt(NOON)
                        .setActor("coordinator")
                        .setRequestId("")
                        .build();
        return JobEvent.newBuilder()
                .setEnvelope(envelope)
                .setKind(kind)
                .setJob(new JobRef("ml", "a", "0-1"));
    }
}
