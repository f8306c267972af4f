package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.deleteQueue;
import static dev.muster.admission.stream.Requests.keepQueue;
import static dev.muster.admission.stream.Requests.pauseQueue;
import static dev.muster.admission.stream.Requests.pool;
import static dev.muster.admission.stream.Requests.putQueue;
import static dev.muster.admission.stream.Requests.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.Outcome;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueState;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked of a queue that is deleted with its last job. */
class LeavingQueueIntakeTest {
    private static final String TEAM =
            IntStream.iterate(0, i -> i + 1)
                    .mapToObj(i -> "team-" + i)
                    .filter(name -> Partitions.ofKey(Topics.QUEUE_REQUESTS, name) == 0)
                    .findFirst()
                    .orElseThrow();

    private final Desk desk = new Desk();

    LeavingQueueIntakeTest() {
        desk.show(Topics.POOLS, "gpus", pool("gpus", 3));
        desk.show(Topics.POOLS, "tpus", pool("tpus", 4));
        desk.show(Topics.QUEUES, TEAM, queue(TEAM, "gpus"));
    }

    @AfterEach
    void close() {
        desk.close();
    }

    /** It would be made anew in the pool that it is just about to leave. */
    @Test
    void queueThatLeavesItsPoolIsNotKeptForAnother() {
        desk.ask(keepQueue("r1", TEAM, "tpus"));
        assertThat(only(desk.inbox()).getPool()).isEqualTo("gpus");

        var delete = deleteQueue("r2", TEAM);
        delete.setDrain(true);
        desk.ask(delete);
        desk.show(Topics.QUEUES, TEAM, draining(true));
        desk.ask(deleteQueue("r2b", TEAM)); // It has jobs, and is refused.
        desk.ask(keepQueue("r3", TEAM, "tpus"));
        var answer = only(desk.results());
        assertThat(answer.getOutcome()).isEqualTo(Outcome.CONFLICT);
        assertThat(answer.getMessage())
                .isEqualTo(
                        "queue %s is in pool gpus until its last job has ended; ask again then, or use another name"
                                .formatted(TEAM));
        desk.ask(keepQueue("r4", TEAM, "gpus"));
        assertThat(desk.inbox())
                .extracting(InboxEvent::getKind)
                .containsExactly(
                        InboxKind.QUEUE_DELETE, InboxKind.QUEUE_DELETE, InboxKind.QUEUE_CHANGE);
    }

    /** The pool takes the deletion back only where the queue is to drain no more, or is kept. */
    @ParameterizedTest
    @MethodSource
    void whatLeavesTheDrainingAsItIsLeavesTheDeletion(QueueRequest request) {
        isLeaving();
        desk.ask(request);
        desk.ask(keepQueue("r3", TEAM, "tpus"));
        assertThat(only(desk.results()).getOutcome()).isEqualTo(Outcome.CONFLICT);

        desk.raw(Topics.QUEUES, TEAM, null);
        desk.ask(put("r4", "tpus"));
        assertThat(desk.results()).isEmpty();
        assertThat(desk.inbox().getLast().getPool()).isEqualTo("tpus");
    }

    static Stream<Arguments> whatLeavesTheDrainingAsItIsLeavesTheDeletion() {
        var drains = putQueue("r2", TEAM, "gpus");
        drains.getQueue().setDraining(true);
        return Stream.of(
                argumentSet("its waiting jobs start, or not", orMade(pauseQueue("r2", TEAM), true)),
                argumentSet("drained", orMade(toDrain(true), true)),
                argumentSet("set as draining", drains));
    }

    @Test
    void deletionIsRememberedAlsoBeforeItIsShown() {
        desk.ask(drainingDelete());
        desk.ask(orMade(pauseQueue("r2", TEAM), true));
        desk.raw(Topics.QUEUES, TEAM, null);
        desk.ask(put("r3", "tpus"));
        assertThat(desk.results()).isEmpty();
        assertThat(desk.inbox().getLast().getPool()).isEqualTo("tpus");
    }

    @ParameterizedTest
    @MethodSource
    void queueWhoseDeletionIsTakenBackStaysInItsPool(QueueRequest request) {
        isLeaving();
        desk.ask(request);
        desk.ask(keepQueue("r3", TEAM, "tpus"));
        assertThat(desk.results()).isEmpty();
        assertThat(desk.inbox())
                .extracting(InboxEvent::getPool)
                .containsExactly("gpus", "gpus", "gpus");
    }

    static Stream<Arguments> queueWhoseDeletionIsTakenBackStaysInItsPool() {
        return Stream.of(
                argumentSet("resumed", toDrain(false)),
                argumentSet("changed, or made", orMade(toDrain(false), true)),
                argumentSet("set", putQueue("r2", TEAM, "gpus")),
                argumentSet("to be there", keepQueue("r2", TEAM, "gpus")),
                argumentSet("to be there, and drained", keptAndDrained()));
    }

    private static QueueRequest keptAndDrained() {
        var request = keepQueue("r2", TEAM, "gpus");
        request.getQueue().setDraining(true);
        return request;
    }

    /** Its last job ended before it was resumed. */
    @Test
    void queueThatWasGoneWhenItWasResumedIsOfNoPool() {
        isLeaving();
        desk.ask(toDrain(false));
        desk.raw(Topics.QUEUES, TEAM, null);
        desk.ask(put("r3", "tpus"));
        assertThat(desk.results()).isEmpty();
        assertThat(desk.inbox().getLast().getPool()).isEqualTo("tpus");
    }

    /**
     * It was empty, and gone at once; somebody made it anew before that was shown, and drains it.
     */
    @Test
    void queueThatOnlyDrainsIsKeptWhereItIsWhateverWasAskedOfTheOneBefore() {
        desk.ask(drainingDelete());
        desk.ask(orMade(pauseQueue("r2", TEAM), true));
        desk.show(Topics.QUEUES, TEAM, draining(false));
        desk.ask(keepQueue("r3", TEAM, "tpus"));
        assertThat(desk.results()).isEmpty();
        assertThat(desk.inbox().getLast().getPool()).isEqualTo("gpus");
    }

    private void isLeaving() {
        desk.ask(drainingDelete());
        desk.show(Topics.QUEUES, TEAM, draining(true));
    }

    private static QueueRequest drainingDelete() {
        var delete = deleteQueue("r1", TEAM);
        delete.setDrain(true);
        return delete;
    }

    private static QueueRequest toDrain(boolean draining) {
        var request = pauseQueue("r2", TEAM);
        request.getQueue().setDraining(draining);
        request.setFields(List.of("paused", "draining"));
        return request;
    }

    private static QueueRequest put(String id, String pool) {
        var request = orMade(pauseQueue(id, TEAM), true);
        request.getQueue().setPool(pool);
        request.setFields(List.of("pool"));
        return request;
    }

    private static QueueRequest orMade(QueueRequest request, boolean create) {
        request.setCreate(create);
        return request;
    }

    private static QueueState draining(boolean leaving) {
        var state = QueueState.newBuilder(queue(TEAM, "gpus")).setLeaving(leaving).build();
        state.getSpec().setDraining(true);
        return state;
    }

    private static <T> T only(List<T> records) {
        assertThat(records).hasSize(1);
        return records.getFirst();
    }
}
