package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.coordinator.stream.Outside.Sent;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.DeadProcess;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.PlannedPod;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real broker and registry; each test has a pool of its own. */
class CoordinatorStreamsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String CORE = "4.2-test";

    @TempDir private static Path states;
    private static Outside outside;
    private static CoordinatorStreams coordinator;
    private static SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private static int starts;

    @BeforeAll
    static void start() {
        outside = new Outside();
        startIn("state");
    }

    private static void startIn(String state) {
        meters = new SimpleMeterRegistry();
        coordinator =
                new CoordinatorStreams(Outside.KAFKA, config(states.resolve(state)), meters, CORE);
        coordinator.start();
        starts++;
    }

    private static CoordinatorConfig config(Path state) {
        return new CoordinatorConfig(
                "coordinator-it",
                state,
                2,
                0,
                "",
                Duration.ofMillis(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10));
    }

    @AfterAll
    static void stop() {
        coordinator.close();
        outside.close();
    }

    @AfterEach
    void nothingIsBroken() {
        assertThat(coordinator.isBroken()).isFalse();
    }

    @Test
    void submittedJobGetsItsPlanInThePartitionOfItsName() {
        var pool = outside.pool(1).withNodes(2, 1);
        var job = job("it-plan", 1);

        pool.send(submitted(job, workers(2)));

        var plan = planOf(job);
        assertThat(plan.partition()).isEqualTo(Partitions.ofName("ml", "it-plan"));
        assertThat(plan.value().getPool()).isEqualTo("pool-1");
        assertThat(plan.value().getRun().getPods())
                .extracting(PlannedPod::getNode)
                .containsExactlyInAnyOrder("n0", "n1");
        // By the word of Kafka's consumers, which write their names for it as they like.
        assertThat(meters.get("muster.coordinator.inbox.behind").gauge().value()).isZero();
    }

    @Test
    void restartedOnItsStateDirectoryItGoesOn() {
        var pool = outside.pool(2).withNodes(1, 1);
        pool.send(submitted(job("it-first", 1), workers(1)));
        planOf(job("it-first", 1));

        coordinator.close();
        pool.send(submitted(job("it-second", 2), workers(1)));
        startIn("state");
        pool.send(InboxRecords.node("late", 1));

        assertThat(nodesOf(planOf(job("it-second", 2)))).containsExactly("late");
        assertThat(plansOf(job("it-first", 1))).hasSize(1);
    }

    @Test
    void startedElsewhereItGoesOnFromTheChangelog() {
        var pool = outside.pool(3).withNodes(1, 1);
        pool.send(submitted(job("it-third", 1), workers(1)));
        pool.send(submitted(job("it-fourth", 2), workers(1)));
        planOf(job("it-third", 1));

        coordinator.close();
        startIn("elsewhere-" + starts);
        pool.send(InboxRecords.node("late", 1));

        assertThat(nodesOf(planOf(job("it-fourth", 2)))).containsExactly("late");
        assertThat(plansOf(job("it-third", 1))).hasSize(1);
    }

    @Test
    void readersOfPlansDoNotWaitForADeadProcess() throws Exception {
        var pool = outside.pool(10).withNodes(1, 1);
        coordinator.close();

        try (var dead =
                DeadProcess.leaving(Outside.KAFKA, "coordinator-it", Topics.JOB_PLANS.name())) {
            startIn("state");
            pool.send(submitted(job("it-takeover", 1), workers(1)));
            planOf(job("it-takeover", 1));
            assertThat(dead.isFenced()).isTrue();
        }
    }

    @Test
    void badRecordIsParkedAndLaterOnesGoOn() {
        var pool = outside.pool(4).withNodes(1, 1);

        pool.send("no Avro".getBytes(StandardCharsets.UTF_8));
        pool.send(new byte[] {0, 0x7f, 0, 0, 1, 2});
        pool.send(submitted(job("it-after", 1), workers(1)));

        planOf(job("it-after", 1));
        assertThat(outside.read(Topics.PARKED))
                .filteredOn(parked -> parked.value().getPartition() == 4)
                .extracting(parked -> parked.value().getError())
                .containsExactly(
                        "begins with byte 0x6e, not with 0x00: no record of a schema registry",
                        "the registry knows no schema with id 2130706433");
        assertThat(outside.read(Topics.DECISIONS))
                .filteredOn(decision -> decision.value().getPool().equals("pool-4"))
                .filteredOn(decision -> decision.value().getKind() == DecisionKind.PARKED)
                .hasSize(2);
    }

    @Test
    void kindOfALaterVersionStopsOnePoolAndNoOther() {
        var stopped = outside.pool(5).withNodes(1, 1);
        var other = outside.pool(6).withNodes(1, 1);

        stopped.send(InboxRecords.event(InboxKind.UNKNOWN).build());
        stopped.send(submitted(job("it-held", 1), workers(1)));
        other.send(submitted(job("it-free", 1), workers(1)));

        planOf(job("it-free", 1));
        assertThat(plansOf(job("it-held", 1))).isEmpty();
    }

    @Test
    void queuesCountsComeAfterAWhileByThemselves() {
        var pool = outside.pool(7).withNodes(1, 1);
        pool.send(InboxRecords.aliveWatcher());
        pool.send(submitted(job("it-time", 1), workers(1)));

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(outside.read(Topics.QUEUES))
                                .filteredOn(q -> q.value().getSpec().getPool().equals("pool-7"))
                                .last()
                                .returns(1, q -> q.value().getRunning()));
    }

    @Test
    void poolHearsOnceWhichCoreDecides() {
        var pool = outside.pool(9).withNodes(1, 1);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(versionsTold()).hasSize(1));

        coordinator.close();
        startIn("state");
        pool.send(submitted(job("it-version", 1), workers(1)));
        planOf(job("it-version", 1));

        assertThat(versionsTold()).containsExactly(CORE);
    }

    private static List<String> versionsTold() {
        return outside.inbox(9).stream()
                .filter(event -> event.value().getKind() == InboxKind.CORE_VERSION)
                .map(event -> event.value().getCoreVersion().getVersion())
                .toList();
    }

    @Test
    void jobOfTenThousandRanksGetsItsPlan() {
        var pool = outside.pool(8).withNodes(100, 110);
        var job = job("it-large", 1);

        pool.send(submitted(job, workers(10_000)));

        var plan = planOf(job);
        assertThat(plan.size()).isLessThan(4 * 1024 * 1024);
        var pods = plan.value().getRun().getPods();
        assertThat(pods).hasSize(10_000);
        assertThat(new HashSet<>(pods.stream().map(PlannedPod::getIndex).toList())).hasSize(10_000);
        assertThat(pods).extracting(PlannedPod::getNode).doesNotContainNull();
    }

    private static Sent<JobPlan> planOf(JobRef job) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(plansOf(job)).isNotEmpty());
        return plansOf(job).getFirst();
    }

    private static List<Sent<JobPlan>> plansOf(JobRef job) {
        return outside.read(Topics.JOB_PLANS).stream()
                .filter(plan -> plan.value().getJob().equals(job))
                .toList();
    }

    private static List<String> nodesOf(Sent<JobPlan> plan) {
        return plan.value().getRun().getPods().stream().map(PlannedPod::getNode).toList();
    }
}
