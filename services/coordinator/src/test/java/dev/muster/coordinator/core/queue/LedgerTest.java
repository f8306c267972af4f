package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whose quotas count what is used. */
class LedgerTest {
    private static final Payer A = new Payer("a", "ml");
    private static final List<String> ALL = List.of("a", "b");

    private final Marks marks = new Marks();
    private final Ledger ledger = new Ledger(marks);

    @Test
    void payersAreThoseOfOneQueueAndOneNamespaceByQueueFirst() {
        var payers =
                new TreeSet<>(
                        List.of(
                                new Payer("b", "etl"),
                                new Payer("a", "ml"),
                                new Payer("a", "etl"),
                                new Payer("a", "ml")));
        assertThat(payers)
                .containsExactly(
                        new Payer("a", "etl"), new Payer("a", "ml"), new Payer("b", "etl"));
    }

    @Test
    void eachChangeOfAGroupIsCounted() {
        long before = ledger.changes();
        ledger.charge(A, cores(1));
        long after = ledger.changes();
        assertThat(after).isGreaterThan(before);
        ledger.release(A, cores(1));
        assertThat(ledger.changes()).isGreaterThan(after);
    }

    @Test
    void whatNoLongHoldsIsChargedAndReleasedInAnyOrder() {
        var most = Amounts.of(Map.of("memory", Long.MAX_VALUE));
        ledger.put(Queue.of("a", guaranteed(most)));
        ledger.put(Queue.of("b", guaranteed(most)));
        assertThat(ledger.guaranteed()).isEqualTo(most.times(2));
        var b = new Payer("b", "ml");
        var use = new Use(most, most);
        var small = new Use(Amounts.of(Map.of("memory", 1L)), Amounts.NONE);
        for (var payer : List.of(A, A, b)) {
            ledger.charge(payer, use);
            ledger.charge(payer, small);
        }
        ledger.hold(b, use);
        assertThat(ledger.inNamespace("ml").counted("limits.memory")).isEqualTo(Long.MAX_VALUE);
        assertThat(ledger.account("a").used().get("memory")).isEqualTo(Long.MAX_VALUE);
        for (var payer : List.of(A, b, A)) {
            ledger.release(payer, use);
        }
        ledger.holdNothing();
        assertThat(ledger.account("a").used()).isEqualTo(small.requests().times(2));
        assertThat(ledger.inNamespace("ml")).isEqualTo(small.times(3));
        ledger.put(Queue.of("b", QueueSpecs.QUEUE));
        var group = ledger.group(Quota.NONE);
        assertThat(group.guaranteed()).isEqualTo(most);
        assertThat(group.shielded()).isEqualTo(small.requests().times(3));
        assertThat(group.secured()).isEqualTo(small.requests().times(2));
    }

    @Test
    void whatOneQueueIsGuaranteedIsAMatterOfAll() {
        marks.forTurns.take(ALL);
        var queue = Queue.of("a", guaranteed(Fixtures.cpu(2)));
        ledger.put(queue);
        assertThat(marks.forTurns.take(ALL)).isEqualTo(ALL);
        ledger.put(queue);
        assertThat(marks.forTurns.take(ALL)).isEmpty();
        ledger.remove(queue);
        assertThat(marks.forTurns.take(ALL)).isEqualTo(ALL);
    }

    @Test
    void nothingIsGuaranteedUntilItIsToSomeQueueAndWhenThatIsGone() {
        assertThat(ledger.isAllShared()).isTrue();
        var queue = Queue.of("a", guaranteed(Fixtures.cpu(2)));
        ledger.put(queue);
        assertThat(ledger.isAllShared()).isFalse();
        ledger.remove(queue);
        assertThat(ledger.isAllShared()).isTrue();
    }

    /** What it uses beyond that it may have to give back. */
    @Test
    void whatIsKeptIsLookedAtAgainWhenAQueueUsesMoreOrLessOfItsGuarantee() {
        ledger.put(Queue.of("a", QueueSpecs.guaranteed(2)));
        marks.forReserves.take(ALL);
        ledger.charge(A, cores(1));
        assertThat(marks.forReserves.take(ALL)).containsExactly("a");
        ledger.charge(A, cores(3));
        assertThat(marks.forReserves.take(ALL)).containsExactly("a");
        ledger.charge(A, cores(1));
        ledger.charge(new Payer("b", "ml"), cores(1));
        assertThat(marks.forReserves.take(ALL)).isEmpty();
        ledger.release(A, cores(4));
        assertThat(marks.forReserves.take(ALL)).containsExactly("a");
    }

    /** Whoever was tried in vain is tried again then. */
    @Test
    void whateverIsGivenBackMayLetOthersStart() {
        assertThat(eases(() -> ledger.charge(A, cores(2)))).isFalse();
        assertThat(eases(() -> ledger.release(A, cores(1)))).isTrue();
        assertThat(eases(() -> ledger.release("ml", cores(1)))).isTrue();
        assertThat(eases(() -> ledger.hold(A, cores(2)))).isFalse();
        assertThat(eases(() -> ledger.hold(A, cores(1)))).isTrue();
        assertThat(eases(ledger::holdNothing)).isTrue();
        assertThat(eases(ledger::holdNothing)).isFalse();
    }

    @Test
    void anotherQuotaMayLetOthersStart() {
        var queue = Queue.of("a", guaranteed(Fixtures.cpu(2)));
        assertThat(eases(() -> ledger.put(queue))).isTrue();
        assertThat(eases(() -> ledger.put(queue))).isFalse();
        assertThat(eases(() -> ledger.remove(queue))).isTrue();
    }

    private boolean eases(Runnable change) {
        long before = ledger.eased();
        change.run();
        return ledger.eased() > before;
    }

    private static Use cores(long cores) {
        return new Use(Fixtures.cpu(cores), Amounts.NONE);
    }

    private static QueueSpec guaranteed(Amounts amounts) {
        var none = new TreeMap<String, Long>();
        return QueueSpecs.with(QueueSpecs.QUEUE, new Quota(amounts, none, true, none, none, null));
    }
}
