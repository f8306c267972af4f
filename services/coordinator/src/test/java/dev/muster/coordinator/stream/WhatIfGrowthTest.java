package dev.muster.coordinator.stream;

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
import dev.muster.v1.HookSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodManagerAlive;
import dev.muster.v1.PodPhase;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.ScalingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An elastic job that never ends has all of a node of two cores; with one more node it has workers
 * that it never had.
 */
class WhatIfGrowthTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private static final JobRef ELASTIC = job("elastic", 1);
    private static final JobRef WAITING = job("waiting", 2);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @AfterEach
    void close() {
        again.close();
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            stage.pass(Duration.ofSeconds(1));
            stage.send(InboxRecords.aliveWatcher());
            stage.send(alivePodManager());
            stage.tellTime();
        }
    }

    /** Deadlines count only while it is heard. */
    private static InboxEvent alivePodManager() {
        var alive =
                PodManagerAlive.newBuilder()
                        .setInstance("pod-manager")
                        .setPartitions(List.of(3))
                        .build();
        return event(InboxKind.POD_MANAGER_ALIVE).setPodManagerAlive(alive).build();
    }

    private void runs(JobRef job, int index) {
        stage.send(podSeen(job, seen(pod(job, index), PodPhase.RUNNING).build()));
    }

    private void elasticRuns(JobSubmitted submitted) {
        stage.with(2);
        stage.send(submitted(ELASTIC, submitted));
        pass(2);
        runs(ELASTIC, 0);
        runs(ELASTIC, 1);
    }

    private static Alteration oneMoreNode() {
        return new Alteration(
                new TreeMap<>(),
                new TreeMap<>(),
                null,
                new TreeMap<>(Map.of("n1", 1)),
                new TreeSet<>());
    }

    @Test
    void workersThatItNeverHadRunOnAsTheOthersDo() {
        var greedy = elastic(1, 1, 4);
        greedy.getSpec().getElastic().setScaling(ScalingPolicy.CAPACITY);
        elasticRuns(greedy);
        pass(120);
        stage.send(submitted(WAITING, workers(1)));
        pass(302);
        stage.send(InboxRecords.podGone(ELASTIC, pod(ELASTIC, 1)));
        runs(WAITING, 0);
        pass(60);

        var result = again.tried(oneMoreNode());

        assertThat(result.assumed()).isZero();
        assertThat(result.most()).isLessThan(Duration.ofSeconds(3));
        assertThat(result.queues().get("default").after().started()).isEqualTo(2);
        assertThat(result.queues().get("default").after().longest())
                .isBetween(RESERVE_AFTER, RESERVE_AFTER.plusSeconds(2));
    }

    /** What would be undone would be room for the other one. */
    @Test
    void hookThatNeverRanEndsWellInItsTime() {
        elasticRuns(elastic(2, 1, 4));
        pass(10);
        stage.send(scaled(scaleOut()));
        pass(1);
        stage.send(submitted(WAITING, workers(1)));
        pass(180);

        var result = again.tried(oneMoreNode());

        assertThat(result.queues().get("default").after().started()).isEqualTo(1);
        assertThat(result.assumed()).isZero();
    }

    /** In the log the one that is left ends, and the one that was taken from it never did. */
    @Test
    void workersThatItNeverHadEndAsTheOneThatEnded() {
        elasticRuns(elastic(4, 1, 4));
        pass(60);
        stage.send(scaled(withoutTheSecond()));
        pass(1);
        stage.send(InboxRecords.podGone(ELASTIC, pod(ELASTIC, 1)));
        pass(60);
        stage.send(submitted(WAITING, workers(4)));
        pass(10);
        again.ends(ELASTIC);
        pass(30);

        var result = again.tried(oneMoreNode());

        assertThat(result.queues().get("default").before().started()).isEqualTo(1);
        assertThat(result.queues().get("default").after().started()).isEqualTo(2);
    }

    private static InboxEvent scaled(ScaleSpec scale) {
        var change = JobChange.newBuilder().setKind(JobChangeKind.SCALE).setScale(scale).build();
        return event(InboxKind.JOB_CHANGE)
                .setJob(ELASTIC)
                .setJobChange(new JobChanged(change))
                .build();
    }

    private static ScaleSpec withoutTheSecond() {
        return ScaleSpec.newBuilder()
                .setKind(ScaleKind.IN)
                .setRole("worker")
                .setNames(List.of("worker-1"))
                .build();
    }

    private static ScaleSpec scaleOut() {
        return ScaleSpec.newBuilder()
                .setKind(ScaleKind.OUT)
                .setRole("worker")
                .setCount(2)
                .setTimeoutMillis(60_000)
                .setHook(new HookSpec(List.of("tell"), Map.of(), 10_000L, 0))
                .build();
    }
}
