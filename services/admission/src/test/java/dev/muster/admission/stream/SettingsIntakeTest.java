package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.bulk;
import static dev.muster.admission.stream.Requests.change;
import static dev.muster.admission.stream.Requests.changePolicy;
import static dev.muster.admission.stream.Requests.deleteQueue;
import static dev.muster.admission.stream.Requests.pauseQueue;
import static dev.muster.admission.stream.Requests.pool;
import static dev.muster.admission.stream.Requests.putPool;
import static dev.muster.admission.stream.Requests.putQueue;
import static dev.muster.admission.stream.Requests.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.v1.BulkChange;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.Outcome;
import dev.muster.v1.Preemption;
import dev.muster.v1.QueueDelete;
import dev.muster.v1.QueuePolicy;
import dev.muster.v1.RequestResult;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SettingsIntakeTest {
    private static final String TEAM = nameIn(0);
    private static final String ELSEWHERE = nameIn(1);

    private static final JobChange HOLD = change(JobChangeKind.HOLD);

    private final Desk desk = new Desk();

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void poolsGetNumbersThoughTheCoordinatorsHaveNotShownThemYet() {
        desk.ask(putPool("r1", "gpus", null));
        desk.ask(putPool("r2", "tpus", null));
        desk.ask(putPool("r3", "gpus", null));
        assertThat(desk.inbox())
                .extracting(event -> event.getPoolPut().getSpec().getNumber())
                .containsExactly(0, 1, 0);
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void numberOfAShownPoolIsTakenToo() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 0));
        desk.ask(putPool("r1", "tpus", 0));
        desk.ask(putPool("r2", "tpus", null));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.CONFLICT);
        assertThat(only(desk.inbox()).getPoolPut().getSpec().getNumber()).isEqualTo(1);
    }

    @Test
    void everyPoolIsDecidedInTheFirstPartition() {
        desk.ask(putPool("r1", ELSEWHERE, null));
        assertThat(desk.inbox()).hasSize(1);
        assertThat(desk.sentOn(Topics.QUEUE_REQUESTS)).isZero();
    }

    @Test
    void queueInTheWrongPartitionIsSentOn() {
        desk.ask(putQueue("r1", ELSEWHERE, "gpus"));
        assertThat(desk.sentOn(Topics.QUEUE_REQUESTS)).isEqualTo(1);
        assertThat(desk.inbox()).isEmpty();
    }

    @Test
    void queueWaitsForItsPool() {
        desk.ask(putQueue("r1", TEAM, "gpus"));
        assertThat(desk.inbox()).isEmpty();
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.pass(Duration.ofMillis(100));
        var event = only(desk.inbox());
        assertThat(event.getKind()).isEqualTo(InboxKind.QUEUE_PUT);
        assertThat(event.getPool()).isEqualTo("gpus");
        assertThat(event.getRequestKey()).isEqualTo(TEAM);
        assertThat(event.getQueuePut().getName()).isEqualTo(TEAM);
        assertThat(event.getQueuePut().getSpec().getWeight()).isEqualTo(1);
    }

    @Test
    void changeOfAQueueSaysOnlyWhatItNames() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.ask(pauseQueue("r0", TEAM));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.NOT_FOUND);
        desk.ask(putQueue("r1", TEAM, "gpus"));
        desk.ask(pauseQueue("r2", TEAM));
        var event = desk.inbox().getLast();
        assertThat(event.getKind()).isEqualTo(InboxKind.QUEUE_CHANGE);
        assertThat(event.getPool()).isEqualTo("gpus");
        assertThat(event.getQueueChange().getFields()).containsExactly("paused");
        assertThat(event.getQueueChange().getSpec().getPaused()).isTrue();
        assertThat(event.getQueueChange().getCreate()).isFalse();
    }

    @Test
    void changeOfAPoolSaysOnlyWhatItNames() {
        desk.ask(changePolicy("r0", ELSEWHERE, QueuePolicy.FIFO));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.NOT_FOUND);
        desk.ask(putPool("r1", ELSEWHERE, 5));
        desk.ask(changePolicy("r2", ELSEWHERE, QueuePolicy.FIFO));
        var event = desk.inbox().getLast();
        assertThat(event.getKind()).isEqualTo(InboxKind.POOL_CHANGE);
        assertThat(event.getPool()).isEqualTo(ELSEWHERE);
        assertThat(event.getPoolChange().getFields()).containsExactly("policy");
        assertThat(event.getPoolChange().getSpec().getPolicy()).isEqualTo(QueuePolicy.FIFO);
        assertThat(event.getPoolChange().getSpec().getNumber()).isEqualTo(5);
    }

    @Test
    void queueAndAChangeOfAllJobsWaitForThePoolOfTheirNameThatComesNext() {
        desk.ask(putQueue("r1", TEAM, TEAM));
        desk.ask(pauseQueue("r2", TEAM));
        desk.ask(bulk("r3", TEAM, new BulkChange(true, Map.of(), null, HOLD)));
        desk.ask(putPool("r4", TEAM, 3));
        assertThat(only(desk.inbox()).getKind()).isEqualTo(InboxKind.POOL_PUT);
        desk.show(Topics.POOLS, TEAM, pool(TEAM, 3));
        desk.pass(Duration.ofMillis(100));
        assertThat(desk.inbox())
                .extracting(InboxEvent::getKind)
                .containsExactlyInAnyOrder(
                        InboxKind.QUEUE_PUT, InboxKind.QUEUE_CHANGE, InboxKind.BULK_CHANGE);
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void whatCameWhileTheRegistryWasSilentKeepsItsOrderAndNoPoolWaitsForItsQueue() {
        try (var late = new Desk(Duration.ofSeconds(1))) {
            var queue = late.bytes(Topics.QUEUE_REQUESTS, putQueue("r1", TEAM, TEAM));
            var pool = late.bytes(Topics.QUEUE_REQUESTS, putPool("r2", TEAM, 3));
            var policy =
                    late.bytes(Topics.QUEUE_REQUESTS, changePolicy("r3", TEAM, QueuePolicy.FIFO));
            late.registry.fallSilent();
            List.of(queue, pool, policy)
                    .forEach(request -> late.raw(Topics.QUEUE_REQUESTS, TEAM, request));
            assertThat(late.inbox()).isEmpty();

            late.registry.speakAgain();
            for (int i = 0; i < 30; i++) {
                late.pass(Duration.ofMillis(50));
            }
            assertThat(late.inbox())
                    .extracting(InboxEvent::getKind)
                    .containsExactly(InboxKind.POOL_PUT, InboxKind.POOL_CHANGE);
            late.show(Topics.POOLS, TEAM, pool(TEAM, 3));
            late.pass(Duration.ofMillis(100));
            assertThat(only(late.inbox()).getKind()).isEqualTo(InboxKind.QUEUE_PUT);
        }
    }

    @Test
    void queueOfNoPoolIsRefused() {
        desk.ask(putQueue("r1", TEAM, "gpus"));
        desk.pass(Duration.ofSeconds(2));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void queueStaysInItsPoolUntilItIsDeleted() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.show(Topics.POOLS, "tpus", pool("tpus", 4));
        desk.ask(putQueue("r1", TEAM, "gpus"));
        desk.ask(putQueue("r2", TEAM, "tpus"));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.CONFLICT);

        desk.show(Topics.QUEUES, TEAM, queue(TEAM, "gpus"));
        desk.ask(deleteQueue("r3", TEAM));
        desk.raw(Topics.QUEUES, TEAM, null);
        desk.ask(putQueue("r4", TEAM, "tpus"));
        assertThat(desk.inbox())
                .extracting(event -> event.getKind(), event -> event.getPool())
                .containsExactly(
                        tuple(InboxKind.QUEUE_PUT, "gpus"),
                        tuple(InboxKind.QUEUE_DELETE, "gpus"),
                        tuple(InboxKind.QUEUE_PUT, "tpus"));
    }

    @Test
    void queueThatIsNotThereIsNotFound() {
        desk.ask(deleteQueue("r1", TEAM));
        assertThat(desk.results())
                .extracting(RequestResult::getOutcome)
                .containsExactly(Outcome.NOT_FOUND);
    }

    @Test
    void drainingDeletionReachesThePoolAndMayBeRepeated() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.show(Topics.QUEUES, TEAM, queue(TEAM, "gpus"));
        for (var id : List.of("r1", "r2")) {
            var delete = deleteQueue(id, TEAM);
            delete.setDrain(true);
            desk.ask(delete);
        }
        assertThat(desk.inbox())
                .extracting(event -> event.getQueueDelete())
                .containsExactly(new QueueDelete(TEAM, true), new QueueDelete(TEAM, true));
        desk.raw(Topics.QUEUES, TEAM, null);
        desk.ask(deleteQueue("r2", TEAM));
        assertThat(only(desk.inbox()).getPool()).isEqualTo("gpus"); // Which knows what it answered.
        assertThat(desk.results()).isEmpty();
    }

    @Test
    void bulkChangeReachesThePoolOfItsQueue() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.ask(bulk("r1", TEAM, new BulkChange(false, Map.of("a", "b"), "ml", HOLD)));
        assertThat(desk.inbox()).isEmpty();
        desk.show(Topics.QUEUES, TEAM, queue(TEAM, "gpus"));
        desk.pass(Duration.ofMillis(100));
        var event = only(desk.inbox());
        assertThat(event.getKind()).isEqualTo(InboxKind.BULK_CHANGE);
        assertThat(event.getPool()).isEqualTo("gpus");
        assertThat(event.getRequestKey()).isEqualTo(TEAM);
        assertThat(event.getEnvelope().getRequestId()).isEqualTo("r1");
        assertThat(event.getBulkChange())
                .isEqualTo(new BulkChanged(TEAM, Map.of("a", "b"), "ml", HOLD));
    }

    @Test
    void bulkChangeOfAWholePoolNamesNoQueue() {
        desk.show(Topics.POOLS, TEAM, pool(TEAM, 3));
        desk.ask(bulk("r1", TEAM, new BulkChange(true, Map.of(), null, HOLD)));
        assertThat(only(desk.inbox()).getBulkChange())
                .isEqualTo(new BulkChanged(null, Map.of(), null, HOLD));
    }

    @Test
    void bulkChangeOfAQueueThatDoesNotComeIsNotFound() {
        desk.ask(bulk("r1", TEAM, new BulkChange(false, Map.of(), null, HOLD)));
        desk.pass(Duration.ofSeconds(2));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.NOT_FOUND);
    }

    @Test
    void jobsDoNotMoveInBulkToAnotherPool() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.show(Topics.QUEUES, TEAM, queue(TEAM, "gpus"));
        desk.show(Topics.QUEUES, "far", queue("far", "tpus"));
        var move = new JobChange(JobChangeKind.MOVE, null, "far", null, "", null, null);
        desk.ask(bulk("r1", TEAM, new BulkChange(false, Map.of(), null, move)));
        assertThat(only(desk.results()).getProblems().getFirst().getPath())
                .isEqualTo("change.queue");
    }

    @Test
    void bulkChangeWithoutItsPartIsRefused() {
        desk.ask(bulk("r1", TEAM, null));
        assertThat(only(desk.results()).getProblems().getFirst().getPath()).isEqualTo("bulk");
    }

    @Test
    void settingsOfALaterReleaseAreRefusedByTheirPaths() {
        var pool = putPool("r1", "gpus", null);
        pool.getPool().setPolicy(QueuePolicy.UNKNOWN);
        pool.getPool().setPreemption(Preemption.UNKNOWN);
        pool.getPool()
                .setSpotTolerations(
                        List.of(
                                new Toleration(
                                        "a", TolerationOperator.UNKNOWN, "", TaintEffect.UNKNOWN)));
        desk.ask(pool);
        assertThat(only(desk.results()).getProblems())
                .extracting(problem -> problem.getPath())
                .containsExactly(
                        "spec.policy",
                        "spec.preemption",
                        "spec.spot.tolerations[0].operator",
                        "spec.spot.tolerations[0].effect");
    }

    @Test
    void requestWithoutItsPartIsRefused() {
        var request = putPool("r1", "gpus", null);
        request.setPool(null);
        desk.ask(request);
        assertThat(only(desk.results()).getProblems().getFirst().getPath()).isEqualTo("pool");
    }

    private static String nameIn(int partition) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "team-" + i)
                .filter(name -> Partitions.ofKey(Topics.QUEUE_REQUESTS, name) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static <T> T only(List<T> records) {
        assertThat(records).hasSize(1);
        return records.getFirst();
    }
}
