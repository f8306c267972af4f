package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

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
}
