package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.stream.Stage.Sent;
import dev.muster.schemas.Topics;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.CoreVersion;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PodPhase;
import dev.muster.v1.RequestResult;
import dev.muster.v1.Witness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolHostTest {
    private static final JobRef RESNET = job("resnet", 7);
    private static final byte[] RUBBISH = "rubbish".getBytes(UTF_8);

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void jobThatFitsGetsItsPlanWithEveryPodOnANode() {
        stage.with(1, 1);

        stage.send(submitted(RESNET, workers(2)));

        var plan = stage.take(Topics.JOB_PLANS).getFirst();
        assertThat(plan.getKind()).isEqualTo(PlanKind.RUN);
        assertThat(plan.getJob()).isEqualTo(RESNET);
        assertThat(plan.getPool()).isEqualTo("default");
        assertThat(plan.getRun().getRoles().getFirst().getTemplate())
                .isEqualTo(InboxRecords.TEMPLATE);
        assertThat(plan.getRun().getPods())
                .extracting(PlannedPod::getIndex, PlannedPod::getNode)
                .containsExactlyInAnyOrder(tuple(0, "n1"), tuple(1, "n2"));
    }

    @Test
    void submissionIsAnsweredAndToldOnEveryTopic() {
        stage.with(2);

        stage.send(submitted(RESNET, workers(1)));

        var sent = stage.takeSent();
        assertThat(sent)
                .extracting(Sent::topic)
                .contains(
                        Topics.REQUEST_RESULTS.name(),
                        Topics.JOB_EVENTS.name(),
                        Topics.JOB_STATUS.name(),
                        Topics.JOB_PLANS.name(),
                        Topics.DECISIONS.name());
        assertThat(sent).extracting(Stage.Sent::value).doesNotContainNull();
        assertThat(sent.stream().map(Sent::value))
                .anySatisfy(value ->
                        assertThat(((RequestResult) value))
                                .returns(Outcome.ACCEPTED, RequestResult::getOutcome)
                                .returns(
                                        "request-3-7",
                                        result -> result.getEnvelope().getRequestId()));
    }

    @Test
    void idsComeFromTheInboxPositionAndTheOutputsPlace() {
        stage.with(2);

        stage.send(submitted(RESNET, workers(1)));

        var sent = stage.takeSent();
        assertThat(sent)
                .extracting(PoolHostTest::id)
                .first()
                .isEqualTo("%d-%d/0".formatted(Stage.POOL, 5));
        assertThat(sent).extracting(PoolHostTest::id).doesNotHaveDuplicates();
    }

    private static Object id(Sent output) {
        var envelope = (dev.muster.v1.Envelope) output.value().get(0);
        assertThat(envelope.getCause()).isEqualTo("submit-3-7");
        return envelope.getId();
    }

    @Test
    void jobRunsToItsEndAndItsSpecGoes() {
        stage.with(1);
        stage.send(submitted(RESNET, workers(1)));
        var pod = InboxRecords.pod(RESNET, 0);
        stage.send(InboxRecords.applied(RESNET, 1));

        stage.send(InboxRecords.podSeen(RESNET, InboxRecords.seen(pod, PodPhase.RUNNING).build()));
        assertThat(stage.specs.get("ml/resnet@3-7")).isNotNull();
        stage.send(
                InboxRecords.podSeen(
                        RESNET,
                        InboxRecords.seen(pod, PodPhase.SUCCEEDED)
                                .setContainers(List.of(InboxRecords.ended("main", 0)))
                                .build()));

        assertThat(stage.take(Topics.JOB_STATUS))
                .last()
                .returns(Phase.SUCCEEDED, JobStatus::getPhase)
                .returns(Map.of("team", "a"), JobStatus::getLabels);
    }

    @Test
    void refusedSubmissionLeavesNoSpecBehind() {
        stage.send(InboxRecords.poolPut());

        stage.send(submitted(RESNET, workers(1)));

        assertThat(stage.take(Topics.REQUEST_RESULTS))
                .extracting(RequestResult::getOutcome)
                .containsExactly(Outcome.REFUSED);
        assertThat(stage.specs.get("ml/resnet@3-7")).isNull();
    }

    @Test
    void queuesAreShownAsSoonAsTheirPoolIsRestored() {
        stage.with(1);
        stage.send(submitted(RESNET, workers(1)));
        stage.send(submitted(job("next", 8), workers(1)));

        stage.restart();

        assertThat(gauge("waiting")).isEqualTo(1);
        assertThat(gauge("running")).isEqualTo(1);
    }

    private double gauge(String name) {
        return stage.meters.get("muster.queue." + name).tag("queue", "default").gauge().value();
    }

    @Test
    void restartedHostGoesOnWhereTheOldOneWas() {
        stage.with(1);
        stage.send(submitted(RESNET, workers(1)));
        stage.send(submitted(job("next", 8), workers(1)));
        stage.takeSent();

        stage.restart();
        stage.send(InboxRecords.node("n2", 1));

        assertThat(stage.take(Topics.JOB_PLANS))
                .extracting(plan -> plan.getJob().getName(), PoolHostTest::nodes)
                .containsExactly(tuple("next", List.of("n2")));
    }

    private static List<String> nodes(JobPlan plan) {
        return plan.getRun().getPods().stream().map(PlannedPod::getNode).toList();
    }

    @Test
    void recordsThatComeWhileThePoolIsRebuiltWaitForIt() {
        stage.with(1);
        for (int i = 0; i < 500; i++) {
            stage.send(submitted(job("big" + i, 100 + i), workers(2)));
        }
        stage.takeSent();

        stage.restartSlowly();
        stage.send(submitted(RESNET, workers(1)));
        stage.send(RUBBISH);
        stage.send(submitted(job("next", 8), workers(1)));
        assertThat(stage.takeSent()).isEmpty();

        assertThat(stage.work()).isGreaterThan(3);
        var sent = stage.takeSent();
        assertThat(sent)
                .extracting(Sent::topic)
                .contains(Topics.JOB_PLANS.name(), Topics.PARKED.name());
        assertThat(sent.stream().map(Sent::value).filter(RequestResult.class::isInstance))
                .extracting(result -> ((RequestResult) result).getJob().getName())
                .containsExactly("resnet", "next");
    }

    @Test
    void poolIsHostedOnceItIsMadeFromItsRows() {
        stage.with(1);
        assertThat(stage.gauge("pools.hosted")).isEqualTo(1);
        for (int i = 0; i < 500; i++) {
            stage.send(submitted(job("big" + i, 100 + i), workers(2)));
        }

        stage.restartSlowly();
        assertThat(stage.counters.areAllHosted()).isFalse();
        assertThat(stage.gauge("pools.hosted")).isZero();

        stage.work();
        assertThat(stage.counters.areAllHosted()).isTrue();
        assertThat(stage.gauge("pools.hosted")).isEqualTo(1);
    }

    @Test
    void poolThatLeavesWhileItIsMadeIsWaitedForNoMore() {
        stage.with(1);
        for (int i = 0; i < 500; i++) {
            stage.send(submitted(job("big" + i, 100 + i), workers(2)));
        }
        stage.restartSlowly();

        stage.close();

        assertThat(stage.counters.areAllHosted()).isTrue();
        assertThat(stage.gauge("pools.hosted")).isZero();
    }

    /** Nobody closes what was never whole. */
    @Test
    void poolWhoseRowsCannotBeReadIsNotWaitedForHere() {
        stage.with(1);
        stage.rows.put("G-no-job", RUBBISH);

        assertThatThrownBy(stage::restart).isInstanceOf(RuntimeException.class);
        assertThat(stage.counters.areAllHosted()).isTrue();
        stage.rows.delete("G-no-job");
        stage.restart();
        assertThat(stage.counters.areAllHosted()).isTrue();
    }

    @Test
    void recordThatComesAgainIsTakenInOnce() {
        stage.with(2);
        stage.send(submitted(RESNET, workers(1)));
        stage.takeSent();

        stage.restart();
        stage.sendAgain(5, stage.bytes(submitted(RESNET, workers(1))));

        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.count("repeated")).isEqualTo(1);
    }

    @Test
    void poolOfWhichNothingWasHeardHasNoRow() {
        try (var all = stage.rows.all()) {
            assertThat(all.hasNext()).isFalse();
        }
    }

    @Test
    void deadlinePassesWithoutAnyOtherRecord() {
        stage.with(1);
        stage.send(InboxRecords.aliveWatcher());
        stage.send(submitted(RESNET, workers(1)));
        stage.takeSent();

        stage.pass(Duration.ofSeconds(2));

        assertThat(stage.tellTime()).isEqualTo(1);
        assertThat(stage.take(Topics.QUEUES)).isNotEmpty();
        assertThat(stage.tellTime()).isZero();
    }

    @Test
    void poolHearsOnceWhichCoreTookItOver() {
        stage.upgrade("2");
        assertThat(stage.tellTime()).isZero();
        stage.with(1);

        assertThat(stage.tellTime()).isEqualTo(1);
        assertThat(stage.count("events", "kind", "CORE_VERSION")).isEqualTo(1);
        assertThat(stage.tellTime()).isZero();
        stage.restart();
        stage.tellTime();
        assertThat(stage.count("events", "kind", "CORE_VERSION")).isEqualTo(1);
        stage.upgrade("3");
        stage.tellTime();
        assertThat(stage.count("events", "kind", "CORE_VERSION")).isEqualTo(2);
        assertThat(stage.tellTime()).isZero();
    }

    @Test
    void whatAStepLeftToTheNextGoesOnAfterATakeover() {
        stage.with();
        for (int i = 0; i < 500; i++) {
            stage.send(submitted(job("job" + i, 100 + i), workers(1)));
        }
        var hold = JobChange.newBuilder().setKind(JobChangeKind.HOLD).build();
        stage.send(
                InboxRecords.event(InboxKind.BULK_CHANGE)
                        .setBulkChange(new BulkChanged("default", Map.of(), null, hold))
                        .build());
        stage.takeSent();

        stage.restart();

        assertThat(stage.tellTime()).isEqualTo(1);
        assertThat(stage.take(Topics.JOB_STATUS)).isNotEmpty();
    }

    @Test
    void poolThatHasNothingLeftToDoIsToldOnceAfterATakeover() {
        stage.with(1);

        stage.restart();

        assertThat(stage.tellTime()).isEqualTo(1);
        assertThat(stage.takeSent()).isEmpty();
        assertThat(stage.tellTime()).isZero();
    }

    /** As when a coordinator that was replaced had sent it and only then did it arrive. */
    @Test
    void versionOfAnotherCoreIsPutRight() {
        stage.upgrade("2");
        stage.with(1);
        stage.tellTime();
        var old = InboxRecords.event(InboxKind.CORE_VERSION);

        stage.send(old.setCoreVersion(new CoreVersion("1")).build());

        assertThat(stage.tellTime()).isEqualTo(1);
        assertThat(stage.tellTime()).isZero();
    }

    @Test
    void queuesReasonIsADecisionWhenItChanges() {
        stage.send(InboxRecords.poolPut());
        stage.send(InboxRecords.queuePut());
        stage.send(submitted(RESNET, workers(1)));

        assertThat(queueDecisions())
                .extracting(decision -> decision.getReason().getCode())
                .containsExactly("PoolUnavailable");
        stage.send(submitted(job("next", 8), workers(1)));
        assertThat(queueDecisions()).isEmpty();
        stage.send(InboxRecords.poolPut(Map.of("zone", "a")));
        assertThat(queueDecisions().getFirst().getReason().getRemedy()).contains("zone=a");
        stage.send(InboxRecords.node("n1", 1));
        assertThat(queueDecisions())
                .singleElement()
                .returns(null, Decision::getReason)
                .returns(null, Decision::getJob);
    }

    private List<Decision> queueDecisions() {
        return stage.take(Topics.DECISIONS).stream()
                .filter(decision -> decision.getKind() == DecisionKind.QUEUE_STATE)
                .toList();
    }

    @Test
    void clockThatJumpsAheadIsReported() {
        stage.with(1);

        stage.jump(Duration.ofMinutes(2));
        stage.send(InboxRecords.node("n2", 1));

        assertThat(stage.count("clock.jumps")).isEqualTo(1);
    }

    @Test
    void watcherThatIsNotBelievedIsReported() {
        stage.with(1);

        stage.pass(Duration.ofMinutes(2));
        stage.send(InboxRecords.aliveWatcher(new Witness(0, 1, 0L, null)));

        assertThat(stage.count("watchers.unbelieved")).isEqualTo(1);
    }

    @Test
    void longSilenceIsNoJump() {
        stage.with(1);

        stage.pass(Duration.ofHours(2));
        stage.send(InboxRecords.node("n2", 1));

        assertThat(stage.count("clock.jumps")).isZero();
    }
}
