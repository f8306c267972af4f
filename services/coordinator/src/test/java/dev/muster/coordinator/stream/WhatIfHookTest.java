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
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRef;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hook runs when the stretch begins: what waits for its end goes on when it did. */
class WhatIfHookTest {
    private static final JobRef ELASTIC = job("elastic", 1);
    private static final JobRef WAITING = job("waiting", 2);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @AfterEach
    void close() {
        again.close();
    }

    private void scaleIn() {
        var scale =
                ScaleSpec.newBuilder()
                        .setKind(ScaleKind.IN)
                        .setRole("worker")
                        .setCount(1)
                        .setHook(new HookSpec(List.of("tell"), Map.of(), 600_000L, 0));
        var change =
                JobChange.newBuilder().setKind(JobChangeKind.SCALE).setScale(scale.build()).build();
        stage.send(
                event(InboxKind.JOB_CHANGE)
                        .setJob(ELASTIC)
                        .setJobChange(new JobChanged(change))
                        .build());
    }

    private void sees(JobRef job, PodIdentity pod, PodPhase phase) {
        var seen = seen(pod, phase);
        if (phase == PodPhase.SUCCEEDED) {
            seen.setContainers(List.of(InboxRecords.ended("main", 0)));
        }
        stage.send(podSeen(job, seen.build()));
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            stage.pass(Duration.ofSeconds(1));
            stage.send(InboxRecords.aliveWatcher());
            stage.tellTime();
        }
    }

    @Test
    void hookThatRanBeforeEndsAsItDid() {
        stage.with(2);
        stage.send(submitted(ELASTIC, elastic(2, 1, 2)));
        pass(2);
        sees(ELASTIC, pod(ELASTIC, 0), PodPhase.RUNNING);
        sees(ELASTIC, pod(ELASTIC, 1), PodPhase.RUNNING);
        stage.send(submitted(WAITING, workers(1)));
        pass(8);
        scaleIn();
        var hook = new PodIdentity("hook", 0, 1, 3, 1L, "elastic-hook-0", "uid-hook");
        sees(ELASTIC, hook, PodPhase.RUNNING);
        pass(50);
        sees(ELASTIC, hook, PodPhase.SUCCEEDED);
        pass(2);
        stage.send(InboxRecords.podGone(ELASTIC, hook));
        stage.send(InboxRecords.podGone(ELASTIC, pod(ELASTIC, 1)));
        sees(WAITING, pod(WAITING, 0), PodPhase.RUNNING);
        pass(10);

        var result = again.tried(Stage.NOON.plusSeconds(20), Alteration.none());

        assertThat(result.unstarted()).isZero();
        assertThat(result.most()).isLessThan(Duration.ofSeconds(3));
        assertThat(result.queues().get("default").after().longest())
                .isBetween(Duration.ofSeconds(57), Duration.ofSeconds(61));
    }
}
