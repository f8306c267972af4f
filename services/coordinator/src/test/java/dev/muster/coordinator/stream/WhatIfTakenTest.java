package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.Alteration;
import dev.muster.coordinator.history.WhatIf;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PoolPut;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that did not end by themselves end otherwise where nobody takes them away. */
class WhatIfTakenTest {
    private static final JobRef LOW = job("low", 1);
    private static final JobRef HIGH = job("high", 2);
    private static final JobRef NEXT = job("next", 3);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @AfterEach
    void close() {
        again.close();
    }

    /** In steps, in which the watcher is heard of and the pool is told the time. */
    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            stage.pass(Duration.ofSeconds(1));
            stage.send(InboxRecords.aliveWatcher());
            stage.tellTime();
        }
    }

    private void queue(QueueSpec.Builder spec) {
        stage.send(
                event(InboxKind.QUEUE_PUT)
                        .setQueuePut(new QueuePut(InboxRecords.QUEUE, spec.build()))
                        .build());
    }

    private static JobSubmitted at(int priority) {
        var one = workers(1);
        var spec = TrainJobSpec.newBuilder(one.getSpec()).setPriority(priority).build();
        return JobSubmitted.newBuilder(one).setSpec(spec).build();
    }

    private void runs(JobRef job, PodIdentity pod, int seconds) {
        stage.send(podSeen(job, seen(pod, PodPhase.RUNNING).build()));
        pass(seconds);
    }

    private void ends(JobRef job, PodIdentity pod, int exitCode) {
        var phase = exitCode == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        var ended = seen(pod, phase).setContainers(List.of(InboxRecords.ended("main", exitCode)));
        stage.send(podSeen(job, ended.build()));
    }

    private long plan(JobRef job) {
        return stage.take(Topics.JOB_PLANS).stream()
                .filter(plan -> plan.getJob().equals(job))
                .mapToLong(JobPlan::getVersion)
                .max()
                .orElseThrow();
    }

    private WhatIf.OfQueue tried(Map<String, Long> limit, int nodes) {
        var alteration =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(
                                limit.isEmpty()
                                        ? Map.of()
                                        : Map.of("default", new TreeMap<>(limit))),
                        null,
                        new TreeMap<>(nodes == 0 ? Map.of() : Map.of("n1", nodes)),
                        new TreeSet<>());
        var result = again.tried(alteration);
        assertThat(result.most()).isLessThan(Duration.ofSeconds(10));
        return result.queues().get("default");
    }

    /**
     * A job is ended for another after 15 s, and runs for 120 s in the end. With one more node it
     * runs for 120 s at once, and whoever waits for its room does so as long.
     */
    @Test
    void whoWasPreemptedRunsAsLongAsItDidInTheEnd() {
        stage.with(1);
        stage.send(
                event(InboxKind.POOL_PUT)
                        .setPoolPut(
                                new PoolPut(
                                        InboxRecords.POOL,
                                        PoolSpec.newBuilder()
                                                .setPreemption(Preemption.LOWER_PRIORITY)
                                                .setMinimumRunMillis(0)
                                                .build()))
                        .build());
        queue(QueueSpec.newBuilder().setReserveAfterMillis(3000));
        stage.send(submitted(LOW, at(1)));
        runs(LOW, pod(LOW, 0), 10);
        stage.send(submitted(HIGH, at(5)));
        pass(5);
        queue(QueueSpec.newBuilder().setReserveAfterMillis(3_600_000)); // Nobody else holds.
        stage.send(submitted(NEXT, at(0)));
        ends(LOW, pod(LOW, 0), 143);
        stage.send(InboxRecords.podGone(LOW, pod(LOW, 0)));
        long stop = plan(LOW);
        stage.send(InboxRecords.applied(LOW, stop));
        stage.send(InboxRecords.confirmed(LOW, plan(LOW)));
        runs(HIGH, pod(HIGH, 0), 300);
        ends(HIGH, pod(HIGH, 0), 0);
        var again = new PodIdentity("worker", 0, 2, 2, 1L, "low-again", "uid-low-again");
        runs(LOW, again, 120);
        ends(LOW, again, 0);
        runs(NEXT, pod(NEXT, 0), 10);
        ends(NEXT, pod(NEXT, 0), 0);
        pass(1);
        var queue = tried(Map.of(), 1);

        assertThat(queue.before().started()).isEqualTo(3);
        assertThat(queue.before().longest()).isGreaterThan(Duration.ofSeconds(415));
        assertThat(queue.after().started()).isEqualTo(3);
        assertThat(queue.after().longest())
                .isBetween(Duration.ofSeconds(103), Duration.ofSeconds(109));
    }

    /**
     * Where two may run, the second one is on a node that goes, and is made again when the first
     * one has ended: the third waits for both.
     */
    @Test
    void whoIsOnANodeThatGoesGoesWithIt() {
        stage.with(1, 1);
        queue(QueueSpec.newBuilder().setLimit(Map.of("cpu", 1000L)));
        for (var job : List.of(LOW, HIGH, NEXT)) {
            stage.send(submitted(job, workers(1)));
        }
        runs(LOW, pod(LOW, 0), 30);
        stage.send(InboxRecords.nodeReleased("n2"));
        pass(30);
        ends(LOW, pod(LOW, 0), 0);
        for (var job : List.of(HIGH, NEXT)) {
            runs(job, pod(job, 0), 60);
            ends(job, pod(job, 0), 0);
        }
        pass(1);
        var queue = tried(Map.of("cpu", 2000L), 0);

        assertThat(queue.before().longest()).isEqualTo(Duration.ofSeconds(120));
        assertThat(queue.after().longest())
                .isBetween(Duration.ofSeconds(115), Duration.ofSeconds(130));
    }
}
