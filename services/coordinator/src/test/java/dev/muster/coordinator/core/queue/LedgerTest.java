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
        var ledger = new Ledger(new Marks());
        long before = ledger.changes();
        ledger.charge(new Payer("a", "ml"), new Use(Fixtures.cpu(1), Amounts.NONE));
        long after = ledger.changes();
        assertThat(after).isGreaterThan(before);
        ledger.release(new Payer("a", "ml"), new Use(Fixtures.cpu(1), Amounts.NONE));
        assertThat(ledger.changes()).isGreaterThan(after);
    }

    @Test
    void whatNoLongHoldsIsChargedAndReleasedInAnyOrder() {
        var ledger = new Ledger(new Marks());
        var most = Amounts.of(Map.of("memory", Long.MAX_VALUE));
        ledger.put(Queue.of("a", guaranteed(most)));
        ledger.put(Queue.of("b", guaranteed(most)));
        assertThat(ledger.guaranteed()).isEqualTo(most.times(2));
        var a = new Payer("a", "ml");
        var b = new Payer("b", "ml");
        var use = new Use(most, most);
        var small = new Use(Amounts.of(Map.of("memory", 1L)), Amounts.NONE);
        for (var payer : List.of(a, a, b)) {
            ledger.charge(payer, use);
            ledger.charge(payer, small);
        }
        ledger.hold(b, use);
        assertThat(ledger.inNamespace("ml").counted("limits.memory")).isEqualTo(Long.MAX_VALUE);
        assertThat(ledger.account("a").used().get("memory")).isEqualTo(Long.MAX_VALUE);
        for (var payer : List.of(a, b, a)) {
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

    private static QueueSpec guaranteed(Amounts amounts) {
        var none = new TreeMap<String, Long>();
        return QueueSpecs.with(QueueSpecs.QUEUE, new Quota(amounts, none, true, none, none, null));
    }
}
