package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobRef;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the watcher tells anew while pods run. */
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

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            stage.pass(Duration.ofSeconds(1));
            stage.send(InboxRecords.aliveWatcher());
            stage.tellTime();
        }
    }

    private long plan() {
        return stage.take(Topics.JOB_PLANS).getLast().getVersion();
    }

    private static PodSeen ran(PodIdentity pod) {
        return seen(pod, PodPhase.SUCCEEDED)
                .setContainers(List.of(InboxRecords.ended("main", 0)))
                .build();
    }

    /** Another one takes over: what they do afterwards is heard of by that one. */
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
        sendLater(podSeen(FIRST, ran(pod(FIRST, 0))));
        stage.pass(Duration.ofSeconds(1));
        sendLater(InboxRecords.aliveWatcher());

        var result = again.tried(Alteration.none());

        assertThat(result.unstarted()).isZero();
        assertThat(result.queues().get("default").after().longest())
                .isEqualTo(Duration.ofMinutes(1));
    }

    /** It ran when the stretch began, and a later list does not have it: nobody saw it go. */
    @Test
    void podThatAListLacksIsGoneAsItWas() {
        stage.with(1);
        stage.send(submitted(FIRST, workers(1)));
        stage.send(submitted(SECOND, workers(1)));
        stage.send(podSeen(FIRST, seen(pod(FIRST, 0), PodPhase.RUNNING).build()));
        pass(30);
        stage.send(InboxRecords.snapshotBegin());
        stage.send(InboxRecords.node("n1", 1));
        stage.send(InboxRecords.snapshotEnd());
        stage.send(InboxRecords.applied(FIRST, plan()));
        stage.send(InboxRecords.confirmed(FIRST, plan()));
        pass(20);
        var made = new PodIdentity("worker", 0, 2, 2, 1L, "again", "uid-again");
        stage.send(podSeen(FIRST, seen(made, PodPhase.RUNNING).build()));
        pass(60);
        stage.send(podSeen(FIRST, ran(made)));
        pass(1);

        var result = again.tried(Stage.NOON.plusSeconds(5), Alteration.none());

        assertThat(result.unstarted()).isZero();
        assertThat(result.most()).isLessThan(Duration.ofSeconds(5));
        assertThat(result.queues().get("default").after().longest())
                .isBetween(Duration.ofSeconds(108), Duration.ofSeconds(114));
    }
}
