package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.Alteration;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobRef;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Another watcher takes over while pods run: what they do afterwards is heard of by that one. */
class WhatIfWatcherTest {
    private static final JobRef FIRST = job("first", 1);
    private static final JobRef SECOND = job("second", 2);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @AfterEach
    void close() {
        again.close();
    }

    private void sendLater(InboxEvent event) {
        stage.send(InboxEvent.newBuilder(event).setWitness(new Witness(0, 1, 2L, null)).build());
    }

    private static PodSeen ran(JobRef job) {
        return seen(pod(job, 0), PodPhase.SUCCEEDED)
                .setContainers(List.of(InboxRecords.ended("main", 0)))
                .build();
    }

    @Test
    void podEndsWhoeverWatchesThen() {
        stage.with(1);
        stage.send(submitted(FIRST, workers(1)));
        stage.send(submitted(SECOND, workers(1)));
        var running = podSeen(FIRST, seen(pod(FIRST, 0), PodPhase.RUNNING).build());
        stage.send(running);
        stage.pass(Duration.ofSeconds(30));
        sendLater(InboxRecords.snapshotBegin());
        sendLater(InboxRecords.node("n1", 1));
        sendLater(running);
        sendLater(InboxRecords.snapshotEnd());
        stage.pass(Duration.ofSeconds(30));
        sendLater(podSeen(FIRST, ran(FIRST)));
        stage.pass(Duration.ofSeconds(1));
        sendLater(InboxRecords.aliveWatcher());

        var result = again.tried(Alteration.none());

        assertThat(result.unstarted()).isZero();
        assertThat(result.queues().get("default").after().longest())
                .isEqualTo(Duration.ofMinutes(1));
    }
}
