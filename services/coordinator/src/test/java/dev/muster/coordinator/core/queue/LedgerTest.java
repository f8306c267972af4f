package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import java.util.List;
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
}
