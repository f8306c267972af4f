package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf.OfQueue;
import dev.muster.coordinator.history.whatif.WhatIf.Waits;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two queues of one weight, each with three jobs of a core, and one core: they take turns, one
 * minute each. All of the first queue are submitted before those of the second.
 */
class WhatIfQueuesTest {
    private static final Duration RUN = Duration.ofMinutes(1);
    private static final String OTHER = "other";

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @BeforeEach
    void play() {
        stage.send(
                InboxRecords.event(InboxKind.QUEUE_PUT)
                        .setQueuePut(new QueuePut(OTHER, QueueSpec.newBuilder().build()))
                        .build());
        stage.with(1);
        for (int i = 1; i <= 3; i++) {
            stage.send(submitted(job("a" + i, i), workers(1)));
        }
        for (int i = 1; i <= 3; i++) {
            stage.send(submitted(job("b" + i, 10 + i), ofOther()));
        }
        for (var next : List.of("a1", "a2", "b1", "a3", "b2", "b3")) {
            int number = next.charAt(1) - '0';
            again.run(job(next, next.startsWith("a") ? number : 10 + number), RUN);
        }
        stage.send(InboxRecords.aliveWatcher());
    }

    private static JobSubmitted ofOther() {
        var one = workers(1);
        var spec = TrainJobSpec.newBuilder(one.getSpec()).setQueue(OTHER).build();
        return JobSubmitted.newBuilder(one).setSpec(spec).build();
    }

    @AfterEach
    void close() {
        again.close();
    }

    private Map<String, OfQueue> tried(Map<String, Integer> weights, @Nullable QueuePolicy policy) {
        var alteration =
                new Alteration(
                        new TreeMap<>(weights),
                        new TreeMap<>(),
                        policy,
                        new TreeMap<>(),
                        new TreeSet<>());
        return again.tried(alteration).queues();
    }

    /** Starts after minutes, a: 0, 1, 3 and b: 2, 4, 5; the first one was alone. */
    @Test
    void queuesOfOneWeightTookTurns() {
        var queues = tried(Map.of(), null);

        assertThat(queues.get("default").before())
                .isEqualTo(
                        new Waits(3, RUN.multipliedBy(4).dividedBy(3), RUN, RUN.multipliedBy(3)));
        assertThat(queues.get(OTHER).before())
                .isEqualTo(
                        new Waits(
                                3,
                                RUN.multipliedBy(11).dividedBy(3),
                                RUN.multipliedBy(4),
                                RUN.multipliedBy(5)));
        assertThat(queues.values()).allSatisfy(of -> assertThat(of.after()).isEqualTo(of.before()));
    }

    /** Then the second queue has all its three turns before the first has its next one. */
    @Test
    void queueOfLargeWeightGoesFirst() {
        var queues = tried(Map.of(OTHER, 100), null);

        assertThat(queues.get(OTHER)).returns(3, OfQueue::earlier).returns(0, OfQueue::later);
        assertThat(queues.get("default")).returns(0, OfQueue::earlier).returns(2, OfQueue::later);
        assertThat(queues.get(OTHER).after().longest()).isEqualTo(RUN.multipliedBy(3));
    }

    /** The oldest first: all of the first queue before any of the second. */
    @Test
    void otherPolicyDecidesWhoseTurnItIs() {
        var queues = tried(Map.of(), QueuePolicy.FIFO);

        assertThat(queues.get("default")).returns(1, OfQueue::earlier).returns(0, OfQueue::later);
        assertThat(queues.get("default").after().longest()).isEqualTo(RUN.multipliedBy(2));
        assertThat(queues.get(OTHER)).returns(0, OfQueue::earlier).returns(1, OfQueue::later);
    }

    /** With such a limit nothing of the other queue starts, and a job waits until it is moved. */
    @Test
    void jobThatStartsFromAnotherQueueCountsThereAlone() {
        var moving = job("c", 20);
        stage.send(submitted(moving, ofOther()));
        again.run(moving, RUN);
        stage.send(moved(moving));
        stage.pass(RUN);
        stage.send(InboxRecords.aliveWatcher());

        var limit = new TreeMap<>(Map.of("cpu", 500L));
        var limited =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(Map.of(OTHER, limit)),
                        null,
                        new TreeMap<>(),
                        new TreeSet<>());
        var queues = again.tried(limited).queues();

        assertThat(queues.get(OTHER))
                .returns(4, of -> of.before().started())
                .returns(0, of -> of.after().started())
                .returns(0, OfQueue::earlier)
                .returns(3, OfQueue::later);
        assertThat(queues.get("default"))
                .returns(3, of -> of.before().started())
                .returns(4, of -> of.after().started())
                .returns(1, OfQueue::earlier)
                .returns(1, OfQueue::later);
    }

    private static InboxEvent moved(JobRef job) {
        var change =
                JobChange.newBuilder()
                        .setKind(JobChangeKind.MOVE)
                        .setQueue(InboxRecords.QUEUE)
                        .build();
        return InboxRecords.event(InboxKind.JOB_CHANGE)
                .setJob(job)
                .setJobChange(JobChanged.newBuilder().setChange(change).build())
                .build();
    }
}
