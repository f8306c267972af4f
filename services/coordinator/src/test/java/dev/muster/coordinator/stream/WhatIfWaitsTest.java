package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRef;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * On a node of one core a job runs for ten minutes and is suspended; another one has the core for
 * six, and the first is resumed after one of them: it waits for five.
 */
class WhatIfWaitsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration WAITED = MINUTE.multipliedBy(5);
    private static final JobRef FIRST = job("first", 1);
    private static final JobRef OTHER = job("other", 2);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;
    private long version;

    @BeforeEach
    void play() {
        stage.with(1);
        stage.send(submitted(FIRST, workers(1)));
        again.runs(FIRST);
        pass(10);
        stage.send(submitted(OTHER, workers(1)));
        stage.send(InboxRecords.suspend(FIRST));
        stage.send(InboxRecords.podGone(FIRST, pod(FIRST, 0)));
        stage.send(InboxRecords.applied(FIRST, plan()));
        stage.send(InboxRecords.confirmed(FIRST, plan()));
        again.runs(OTHER);
        pass(1);
        stage.send(resume());
        pass(5);
        again.ends(OTHER);
        pass(1);
    }

    private static InboxEvent resume() {
        var change = JobChange.newBuilder().setKind(JobChangeKind.RESUME).build();
        return event(InboxKind.JOB_CHANGE)
                .setJob(FIRST)
                .setJobChange(new JobChanged(change))
                .build();
    }

    /** The newest version of the first one's plan. */
    private long plan() {
        stage.take(Topics.JOB_PLANS).stream()
                .filter(plan -> plan.getJob().equals(FIRST))
                .forEach(plan -> version = plan.getVersion());
        return version;
    }

    private void pass(int minutes) {
        for (int i = 0; i < minutes; i++) {
            stage.pass(MINUTE);
            stage.send(InboxRecords.aliveWatcher());
        }
    }

    @AfterEach
    void close() {
        again.close();
    }

    private void waitsForFive(Duration from, int nodes) {
        var more =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null,
                        new TreeMap<>(nodes == 0 ? Map.of() : Map.of("n1", nodes)),
                        new TreeSet<>());
        var queue = again.tried(Stage.NOON.plus(from), more).queues().get("default");

        assertThat(queue.before().started()).isEqualTo(1);
        assertThat(queue.before().longest()).isEqualTo(WAITED);
        assertThat(queue.after().longest()).isEqualTo(nodes == 0 ? WAITED : Duration.ZERO);
    }

    @Test
    void jobThatRanBeforeWaitsFromWhenItCameIntoLineAgain() {
        waitsForFive(MINUTE.multipliedBy(12), 0);
    }

    @Test
    void suspendedJobWaitsFromWhenItIsResumed() {
        waitsForFive(MINUTE.multipliedBy(11), 0);
        waitsForFive(MINUTE.multipliedBy(11), 1);
    }
}
