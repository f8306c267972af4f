package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.QueueSpecs.QUEUE;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Marks;
import org.junit.jupiter.api.Test;

class QueueIndexTest {
    private final Marks marks = new Marks();
    private final QueueIndex queues = new QueueIndex(new Ledger(marks), marks);

    @Test
    void headsStandInTheWayWhereNobodyMayPassThem() {
        queues.put(Queue.of("a", QUEUE));
        assertThat(queues.mayAnyStandInTheWay()).isFalse();
        queues.put(Queue.of("b", queue(1, false, false, 10)));
        assertThat(queues.mayAnyStandInTheWay()).isTrue();
        queues.put(Queue.of("b", QUEUE));
        assertThat(queues.mayAnyStandInTheWay()).isFalse();
    }

    @Test
    void largestCreditIsThatOfTheQueuesThereAre() {
        assertThat(queues.largestCredit()).isZero();
        var a = Queue.of("a", QUEUE);
        var b = Queue.of("b", QUEUE);
        queues.put(a.credited(3));
        queues.put(b.credited(7));
        assertThat(queues.largestCredit()).isEqualTo(7);
        queues.put(b.credited(2));
        queues.put(b.credited(1));
        assertThat(queues.largestCredit()).isEqualTo(3);
        queues.remove(a.credited(3));
        assertThat(queues.largestCredit()).isEqualTo(1);
        queues.put(b.credited(-4));
        assertThat(queues.largestCredit()).isZero();
        queues.put(a.credited(5));
        assertThat(queues.largestCredit()).isEqualTo(5);
    }

    @Test
    void headsStandInTheWayWhereSomethingMayBeKeptForThem() {
        queues.put(Queue.of("a", limited(4)));
        queues.put(Queue.of("b", limited(4)));
        queues.remove(Queue.of("a", limited(4)));
        assertThat(queues.mayAnyStandInTheWay()).isTrue();
        queues.remove(Queue.of("b", limited(4)));
        assertThat(queues.mayAnyStandInTheWay()).isFalse();
    }
}
