package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.WATCHER;
import static dev.muster.coordinator.stream.InboxRecords.elastic;
import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.schemas.Topics;
import dev.muster.v1.CheckpointSignal;
import dev.muster.v1.CheckpointSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSignalKind;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodPhase;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.SignalHeard;
import dev.muster.v1.TrainingDigest;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One elastic job on a node of two cores gives up one of them, for which another job waits. */
class WhatIfScaleTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JobRef ELASTIC = job("elastic", 1);
    private static final JobRef WAITING = job("waiting", 2);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @BeforeEach
    void play() {
        stage.with(2);
        stage.send(submitted(ELASTIC, saving()));
        stage.send(submitted(WAITING, workers(1)));
        // Beyond its minimum it is ordered a little later.
        stage.pass(Duration.ofSeconds(1));
        stage.tellTime();
        runs(ELASTIC, 0);
        runs(ELASTIC, 1);
        stage.pass(MINUTE);
        stage.send(InboxRecords.aliveWatcher());
        stage.send(
                event(InboxKind.TRAINING_DIGEST)
                        .setJob(ELASTIC)
                        .setTrainingDigest(
                                TrainingDigest.newBuilder()
                                        .setSamples(1)
                                        .setSpanMillis(1000)
                                        .setStep(1)
                                        .setSamplesPerSecondThousandths(1000L)
                                        .build())
                        .build());
        stage.send(scaleIn());
        stage.pass(Duration.ofSeconds(5));
        stage.send(
                event(InboxKind.JOB_SIGNAL)
                        .setJob(ELASTIC)
                        .setJobSignal(
                                SignalHeard.newBuilder()
                                        .setKind(JobSignalKind.CHECKPOINT_SAVED)
                                        .setAnswers(asked())
                                        .build())
                        .build());
        stage.send(
                event(InboxKind.POD_GONE)
                        .setWitness(WATCHER)
                        .setJob(ELASTIC)
                        .setPodGone(new PodGone(pod(ELASTIC, 1)))
                        .build());
        runs(WAITING, 0);
        stage.pass(MINUTE);
        stage.send(InboxRecords.aliveWatcher());
    }

    private static JobSubmitted saving() {
        var elastic = elastic(2, 1, 2);
        var checkpoint = CheckpointSpec.newBuilder().setSignal(CheckpointSignal.EVENT).build();
        elastic.getSpec().setCheckpoint(checkpoint);
        return elastic;
    }

    private static InboxEvent scaleIn() {
        var scale =
                ScaleSpec.newBuilder().setKind(ScaleKind.IN).setRole("worker").setCount(1).build();
        var change = JobChange.newBuilder().setKind(JobChangeKind.SCALE).setScale(scale).build();
        return event(InboxKind.JOB_CHANGE)
                .setJob(ELASTIC)
                .setJobChange(new JobChanged(change))
                .build();
    }

    /** The id of what it was asked last. */
    private String asked() {
        return stage.take(Topics.JOB_EVENTS).stream()
                .map(JobEvent::getCheckpoint)
                .filter(Objects::nonNull)
                .toList()
                .getLast()
                .getId();
    }

    private void runs(JobRef job, int index) {
        stage.send(podSeen(job, seen(pod(job, index), PodPhase.RUNNING).build()));
    }

    @AfterEach
    void close() {
        again.close();
    }

    @Test
    void whoWaitedForTheRoomStartsWhenItDid() {
        var result = again.tried(Alteration.none());

        assertThat(result.queues().get("default").before().started()).isEqualTo(2);
        assertThat(result.queues().get("default").before().longest())
                .isBetween(MINUTE.plusSeconds(6), MINUTE.plusSeconds(7));
        assertThat(result.most()).isLessThan(Duration.ofSeconds(1));
        assertThat(result.measured()).isEqualTo(1);
    }

    /** Both run already where the stretch begins. */
    @Test
    void theSameFromTheMiddleOn() {
        var result = again.tried(Stage.NOON.plusSeconds(30), Alteration.none());

        assertThat(result.queues().get("default").before().started()).isEqualTo(1);
        assertThat(result.queues().get("default").before().longest())
                .isBetween(MINUTE.plusSeconds(6), MINUTE.plusSeconds(7));
        assertThat(result.most()).isLessThan(Duration.ofSeconds(1));
    }
}
