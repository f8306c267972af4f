package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.event;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import dev.muster.v1.PoolPut;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that did not end by themselves end otherwise where nobody takes them away. */
class WhatIfTakenTest {
    private static final JobRef LOW = job("low", 1);
    private static final JobRef HIGH = job("high", 2);
    private static final JobRef NEXT = job("next", 3);
    private static final JobRef THIRD = job("third", 4);

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

    /** For whoever has waited for 3 s. */
    private void preempting() {
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
        sees(job, seen(pod, PodPhase.RUNNING));
        pass(seconds);
    }

    private void sees(JobRef job, PodSeen.Builder seen) {
        stage.send(podSeen(job, seen.build()));
    }

    private void ends(JobRef job, PodIdentity pod, int exitCode) {
        sees(job, ended(pod, exitCode));
    }

    private static PodSeen.Builder ended(PodIdentity pod, int exitCode) {
        var phase = exitCode == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        return seen(pod, phase).setContainers(List.of(InboxRecords.ended("main", exitCode)));
    }

    /** As it was told to. */
    private void goes(JobRef job, PodIdentity pod) {
        ends(job, pod, 143);
        stage.send(InboxRecords.podGone(job, pod));
        stage.send(InboxRecords.applied(job, plan(job)));
        stage.send(InboxRecords.confirmed(job, plan(job)));
    }

    private long plan(JobRef job) {
        return stage.take(Topics.JOB_PLANS).stream()
                .filter(plan -> plan.getJob().equals(job))
                .mapToLong(JobPlan::getVersion)
                .max()
                .orElseThrow();
    }

    /** All that is there, as the watcher sees it: the only pod. */
    private void list(JobRef job, PodIdentity pod) {
        stage.send(InboxRecords.snapshotBegin());
        stage.send(InboxRecords.node("n1", 1));
        sees(job, seen(pod, PodPhase.RUNNING));
        stage.send(InboxRecords.snapshotEnd());
    }

    private WhatIf.OfQueue tried(
            @Nullable Instant from, Map<String, Long> limit, Map<String, Integer> nodes) {
        var alteration =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(
                                limit.isEmpty()
                                        ? Map.of()
                                        : Map.of("default", new TreeMap<>(limit))),
                        null,
                        new TreeMap<>(nodes),
                        new TreeSet<>());
        var result = again.tried(from, alteration);
        assertThat(result.most()).isLessThan(Duration.ofSeconds(10));
        assertThat(result.unstarted()).isZero();
        assertThat(result.assumed()).isZero();
        return result.queues().get("default");
    }

    /** A job is ended for another after 15 s, and runs for 120 s in the end. */
    private void preempted() {
        stage.with(1);
        preempting();
        stage.send(submitted(LOW, at(1)));
        runs(LOW, pod(LOW, 0), 10);
        stage.send(submitted(HIGH, at(5)));
        pass(5);
        queue(QueueSpec.newBuilder().setReserveAfterMillis(3_600_000)); // Nobody else holds.
        stage.send(submitted(NEXT, at(0)));
        goes(LOW, pod(LOW, 0));
        runs(HIGH, pod(HIGH, 0), 100);
        list(HIGH, pod(HIGH, 0));
        pass(200);
        ends(HIGH, pod(HIGH, 0), 0);
        var again = new PodIdentity("worker", 0, 2, 2, 1L, "low-again", "uid-low-again");
        runs(LOW, again, 120);
        ends(LOW, again, 0);
        runs(NEXT, pod(NEXT, 0), 10);
        ends(NEXT, pod(NEXT, 0), 0);
        pass(1);
    }

    /**
     * With one more node it runs for 120 s at once, and whoever waits for its room does so as long.
     */
    @Test
    void whoWasPreemptedRunsAsLongAsItDidInTheEnd() {
        preempted();
        var queue = tried(null, Map.of(), Map.of("n1", 1));

        assertThat(queue.before().started()).isEqualTo(3);
        assertThat(queue.before().longest()).isGreaterThan(Duration.ofSeconds(415));
        assertThat(queue.after().started()).isEqualTo(3);
        assertThat(queue.after().longest())
                .isBetween(Duration.ofSeconds(103), Duration.ofSeconds(109));
    }

    /** The same, though it ran already where the stretch begins. */
    @Test
    void whoRanBeforeIsNotTakenAwayByWhatTheLogDidToIt() {
        preempted();
        var queue = tried(Stage.NOON.plusSeconds(5), Map.of(), Map.of("n1", 1));

        assertThat(queue.before().started()).isEqualTo(2);
        assertThat(queue.before().longest()).isGreaterThan(Duration.ofSeconds(415));
        assertThat(queue.after().started()).isEqualTo(2);
        assertThat(queue.after().longest())
                .isBetween(Duration.ofSeconds(103), Duration.ofSeconds(109));
    }

    /**
     * It was ended for another, so that the log does not say that it went with its node. It is made
     * again where the other one was, while who comes then waits for a third one's end.
     */
    @Test
    void whoRanBeforeGoesWithItsNode() {
        stage.with(1, 1);
        preempting();
        stage.send(submitted(LOW, at(1)));
        runs(LOW, pod(LOW, 0), 1);
        stage.send(submitted(THIRD, at(9)));
        sees(THIRD, seen(pod(THIRD, 0), PodPhase.RUNNING).setNode("n2"));
        pass(9);
        stage.send(submitted(HIGH, at(5)));
        pass(5);
        queue(QueueSpec.newBuilder().setReserveAfterMillis(3_600_000)); // Nobody else holds.
        goes(LOW, pod(LOW, 0));
        runs(HIGH, pod(HIGH, 0), 30);
        ends(HIGH, pod(HIGH, 0), 0);
        var again = new PodIdentity("worker", 0, 2, 2, 1L, "low-again", "uid-low-again");
        runs(LOW, again, 15);
        stage.send(InboxRecords.nodeReleased("n1"));
        stage.send(InboxRecords.podGone(LOW, again));
        stage.send(InboxRecords.applied(LOW, plan(LOW)));
        stage.send(InboxRecords.confirmed(LOW, plan(LOW)));
        pass(15);
        stage.send(submitted(NEXT, at(0)));
        pass(5);
        sees(THIRD, ended(pod(THIRD, 0), 0).setNode("n2"));
        var elsewhere = new PodIdentity("worker", 0, 3, 3, 1L, "low-there", "uid-low-there");
        sees(LOW, seen(elsewhere, PodPhase.RUNNING).setNode("n2"));
        pass(120);
        sees(LOW, ended(elsewhere, 0).setNode("n2"));
        sees(NEXT, seen(pod(NEXT, 0), PodPhase.RUNNING).setNode("n2"));
        pass(1);
        var queue = tried(Stage.NOON.plusSeconds(5), Map.of(), Map.of("n2", 1));

        assertThat(queue.before().longest())
                .isBetween(Duration.ofSeconds(124), Duration.ofSeconds(126));
        assertThat(queue.after().longest()).isEqualTo(Duration.ofSeconds(5));
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
        var queue = tried(null, Map.of("cpu", 2000L), Map.of());

        assertThat(queue.before().longest()).isEqualTo(Duration.ofSeconds(120));
        assertThat(queue.after().longest())
                .isBetween(Duration.ofSeconds(115), Duration.ofSeconds(130));
    }
}
