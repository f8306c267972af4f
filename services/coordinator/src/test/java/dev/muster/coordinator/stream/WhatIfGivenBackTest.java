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
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.PodPhase;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An elastic job has both cores of a node when the stretch begins, gives one of them back for a job
 * that runs for 30 s, and has it again for 60 s. Somebody who needs both cores waits for its end.
 */
class WhatIfGivenBackTest {
    private static final JobRef ELASTIC = job("elastic", 1);
    private static final JobRef OTHER = job("other", 2);
    private static final JobRef LAST = job("last", 3);
    private static final JobRef FILLER = job("filler", 4);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @BeforeEach
    void play() {
        stage.with(2, 1);
        reserveAfter(3);
        stage.send(submitted(ELASTIC, elastic(2, 1, 2)));
        stage.send(submitted(FILLER, workers(1)));
        pass(2);
        runs(ELASTIC, pod(ELASTIC, 0), "n1");
        runs(ELASTIC, pod(ELASTIC, 1), "n1");
        runs(FILLER, pod(FILLER, 0), "n2");
        pass(8);
        stage.send(submitted(OTHER, workers(1)));
        pass(5);
        reserveAfter(3600);
        stage.send(InboxRecords.podGone(ELASTIC, pod(ELASTIC, 1)));
        pass(1);
        runs(OTHER, pod(OTHER, 0), "n1");
        pass(30);
        ends(OTHER, pod(OTHER, 0));
        pass(6);
        var back = new PodIdentity("worker", 1, 1, 3, 1L, "back", "uid-back");
        runs(ELASTIC, back, "n1");
        stage.send(submitted(LAST, needing(2)));
        pass(10);
        ends(ELASTIC, pod(ELASTIC, 0));
        pass(50);
        ends(ELASTIC, back);
        pass(1);
    }

    private static JobSubmitted needing(long cores) {
        var plain = workers(1);
        var needs =
                PodNeeds.newBuilder(plain.getNeeds().getFirst())
                        .setDemand(Map.of("cpu", cores * 1000, "pods", 1L));
        return JobSubmitted.newBuilder(plain).setNeeds(List.of(needs.build())).build();
    }

    private void reserveAfter(int seconds) {
        var spec = QueueSpec.newBuilder().setReserveAfterMillis(seconds * 1000L).build();
        stage.send(
                event(InboxKind.QUEUE_PUT)
                        .setQueuePut(new QueuePut(InboxRecords.QUEUE, spec))
                        .build());
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            stage.pass(Duration.ofSeconds(1));
            stage.send(InboxRecords.aliveWatcher());
            stage.tellTime();
        }
    }

    private void runs(JobRef job, PodIdentity pod, String node) {
        stage.send(podSeen(job, seen(pod, PodPhase.RUNNING).setNode(node).build()));
    }

    private void ends(JobRef job, PodIdentity pod) {
        var ended =
                seen(pod, PodPhase.SUCCEEDED)
                        .setContainers(List.of(InboxRecords.ended("main", 0)))
                        .build();
        stage.send(podSeen(job, ended));
    }

    @AfterEach
    void close() {
        again.close();
    }

    private WhatIf.OfQueue tried(int nodes) {
        var alteration =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null,
                        new TreeMap<>(nodes == 0 ? Map.of() : Map.of("n2", nodes)),
                        new TreeSet<>());
        var result = again.tried(Stage.NOON.plusSeconds(5), alteration);
        assertThat(result.most()).isLessThan(Duration.ofSeconds(5));
        assertThat(result.unstarted()).isZero();
        return result.queues().get("default");
    }

    @Test
    void whatIsGivenBackIsSoHereToo() {
        assertThat(tried(0).after().longest())
                .isBetween(Duration.ofSeconds(56), Duration.ofSeconds(61));
    }

    /** It has its 60 s at once, and ends when its first worker did. */
    @Test
    void whatIsNotGivenBackRunsOn() {
        assertThat(tried(1).after().longest())
                .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(12));
    }
}
