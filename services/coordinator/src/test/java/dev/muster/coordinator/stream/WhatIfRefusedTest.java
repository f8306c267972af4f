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
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.PlanRefused;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.ScaleKind;
import dev.muster.v1.ScaleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The API server refuses a plan of a job on a node of three cores, for which others wait. */
class WhatIfRefusedTest {
    private static final JobRef ELASTIC = job("elastic", 1);
    private static final JobRef WAITING = job("waiting", 2);
    private static final JobRef FILLER = job("filler", 3);
    private static final JobRef LAST = job("last", 4);

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;
    private final Map<JobRef, Long> versions = new LinkedHashMap<>();
    private final Map<JobRef, Phase> phases = new LinkedHashMap<>();

    @AfterEach
    void close() {
        again.close();
    }

    private void scaleOut() {
        var scale =
                ScaleSpec.newBuilder().setKind(ScaleKind.OUT).setRole("worker").setCount(1).build();
        var change = JobChange.newBuilder().setKind(JobChangeKind.SCALE).setScale(scale).build();
        stage.send(
                event(InboxKind.JOB_CHANGE)
                        .setJob(ELASTIC)
                        .setJobChange(new JobChanged(change))
                        .build());
    }

    /** What pod-manager says of the newest plan, or of one that came so long before it. */
    private void refuses(JobRef job, long before) {
        look();
        var refused =
                PlanRefused.newBuilder()
                        .setVersion(versions.getOrDefault(job, 0L) - before)
                        .setAttempt(1)
                        .setReason("Forbidden")
                        .setMessage("no more pods")
                        .build();
        stage.send(event(InboxKind.PLAN_REFUSED).setJob(job).setPlanRefused(refused).build());
    }

    private void applied() {
        look();
        stage.send(InboxRecords.applied(ELASTIC, versions.getOrDefault(ELASTIC, 0L)));
    }

    private void look() {
        for (var sent : stage.takeSent()) {
            if (sent.value() instanceof JobPlan plan) {
                versions.put(plan.getJob(), plan.getVersion());
            } else if (sent.value() instanceof JobStatus status) {
                phases.put(status.getJob(), status.getPhase());
            }
        }
    }

    private @Nullable Phase phase(JobRef job) {
        look();
        return phases.get(job);
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            stage.pass(Duration.ofSeconds(1));
            stage.send(InboxRecords.aliveWatcher());
            stage.tellTime();
        }
    }

    private void runs(JobRef job, int index) {
        stage.send(podSeen(job, seen(pod(job, index), PodPhase.RUNNING).build()));
    }

    private void ends(JobRef job, int index) {
        stage.send(
                podSeen(
                        job,
                        seen(pod(job, index), PodPhase.SUCCEEDED)
                                .setContainers(List.of(InboxRecords.ended("main", 0)))
                                .build()));
    }

    /** Its pods are gone, by two witnesses. */
    private void leaves(JobRef job, PodIdentity... pods) {
        for (var pod : pods) {
            stage.send(InboxRecords.podGone(job, pod));
        }
        look();
        stage.send(InboxRecords.applied(job, versions.getOrDefault(job, 0L)));
        look();
        stage.send(InboxRecords.confirmed(job, versions.getOrDefault(job, 0L)));
    }

    private void startsAsItDid(@Nullable Instant from) {
        var result = again.tried(from, Alteration.none());

        assertThat(result.unstarted()).isZero();
        assertThat(result.most()).isLessThan(Duration.ofSeconds(2));
    }

    private void elasticRunsWithTwo() {
        stage.with(3);
        stage.send(submitted(ELASTIC, elastic(2, 1, 3)));
        pass(2);
        runs(ELASTIC, 0);
        runs(ELASTIC, 1);
        pass(10);
    }

    private void elasticRunsOn() {
        assertThat(phase(ELASTIC)).isEqualTo(Phase.RUNNING);
        stage.send(submitted(WAITING, workers(3)));
        pass(50);
        ends(ELASTIC, 0);
        ends(ELASTIC, 1);
        pass(10);
        assertThat(phase(WAITING)).isEqualTo(Phase.STARTING);
    }

    @Test
    void jobWhoseGrowthWasRefusedRunsOn() {
        elasticRunsWithTwo();
        scaleOut();
        pass(1);
        refuses(ELASTIC, 0);
        applied();
        pass(1);
        elasticRunsOn();

        startsAsItDid(null);
        startsAsItDid(Stage.NOON.plusSeconds(5));
    }

    @Test
    void growthThatWasTakenTheNextTimeIsTakenHereToo() {
        elasticRunsWithTwo();
        scaleOut();
        pass(1);
        refuses(ELASTIC, 0);
        applied();
        pass(1);
        scaleOut();
        pass(1);
        applied();
        var next = new PodIdentity("worker", 2, 1, 4, 1L, "next", "uid-next");
        stage.send(podSeen(ELASTIC, seen(next, PodPhase.RUNNING).build()));
        stage.send(submitted(WAITING, workers(1)));
        pass(50);
        ends(ELASTIC, 0);
        pass(10);
        assertThat(phase(WAITING)).isEqualTo(Phase.STARTING);

        startsAsItDid(null);
        startsAsItDid(Stage.NOON.plusSeconds(5));
    }

    @Test
    void refusalOfAnOldPlanMeansNothing() {
        elasticRunsWithTwo();
        scaleOut();
        pass(1);
        refuses(ELASTIC, 1);
        runs(ELASTIC, 2);
        pass(1);
        ends(ELASTIC, 2);
        elasticRunsOn();

        startsAsItDid(null);
        startsAsItDid(Stage.NOON.plusSeconds(5));
    }

    @Test
    void jobThatWasRefusedFailsHereToo() {
        stage.with(3);
        stage.send(submitted(FILLER, workers(3)));
        stage.send(submitted(WAITING, workers(3)));
        pass(1);
        refuses(FILLER, 0);
        assertThat(phase(FILLER)).isEqualTo(Phase.FAILED);
        leaves(FILLER);
        pass(10);
        assertThat(phase(WAITING)).isEqualTo(Phase.STARTING);

        startsAsItDid(null);
        startsAsItDid(Stage.NOON.plusMillis(500));
    }

    /** Its second worker comes when there is room for it. */
    @Test
    void jobThatWasRefusedLateFailsAsLate() {
        stage.with(3);
        stage.send(submitted(FILLER, workers(2)));
        stage.send(submitted(ELASTIC, elastic(2, 1, 3)));
        stage.send(submitted(WAITING, workers(1)));
        pass(1);
        runs(FILLER, 0);
        runs(FILLER, 1);
        runs(ELASTIC, 0);
        pass(30);
        ends(FILLER, 0);
        ends(FILLER, 1);
        pass(1);
        runs(WAITING, 0);
        stage.send(submitted(LAST, workers(2)));
        refuses(ELASTIC, 0);
        assertThat(phase(ELASTIC)).isEqualTo(Phase.FAILED);
        leaves(ELASTIC, pod(ELASTIC, 0));
        pass(10);
        assertThat(phase(LAST)).isEqualTo(Phase.STARTING);

        startsAsItDid(null);
        startsAsItDid(Stage.NOON.plusSeconds(5));
    }
}
