package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When stages that were tried in vain are tried again. */
class TriedStagesTest {
    private static final long ALL = Long.MIN_VALUE;
    private static final long NONE = Long.MAX_VALUE;
    private static final Payer PAYER = new Payer("default", "ml");
    private static final Use USE = new Use(cpu(1), Amounts.NONE);

    private final Tables tables = new Tables(new Journal());
    private final TriedStages tried = new TriedStages(tables);

    @BeforeEach
    void roundHasTriedAll() {
        tables.restore(node("node-0", 4));
        tables.ledger.charge(PAYER, USE);
        tables.capacity.occupy("node-0", cpu(1));
        tried.none();
        assertThat(tried.from()).isEqualTo(ALL);
        tried.all();
        assertThat(tried.from()).isEqualTo(NONE);
    }

    @Test
    void noneIsTriedAgainWhileOthersOnlyUseMore() {
        tables.ledger.charge(PAYER, USE);
        tables.capacity.occupy("node-0", cpu(1));
        assertThat(tried.from()).isEqualTo(NONE);
    }

    @Test
    void anotherRoundTriesAll() {
        tried.none();
        assertThat(tried.from()).isEqualTo(ALL);
    }

    @Test
    void allAreTriedAgainWhereRoomCame() {
        tables.capacity.release("node-0", cpu(1));
        assertThat(tried.from()).isEqualTo(ALL);
    }

    @Test
    void allAreTriedAgainWhereAQuotaWasGivenBack() {
        tables.ledger.release(PAYER, USE);
        assertThat(tried.from()).isEqualTo(ALL);
    }

    @Test
    void allAreTriedAgainWhereAQuotaIsAnother() {
        tables.put(Queue.of("default", QueueSpecs.limited(6)));
        assertThat(tried.from()).isEqualTo(ALL);
        tried.all();
        assertThat(tried.from()).isEqualTo(NONE);
        tables.remove(Queue.of("default", QueueSpecs.limited(6)));
        assertThat(tried.from()).isEqualTo(ALL);
    }

    @Test
    void allAreTriedAgainWhereNobodyHoldsAnyMore() {
        tables.ledger.hold(PAYER, USE);
        assertThat(tried.from()).isEqualTo(NONE);
        tables.ledger.hold(PAYER, USE);
        assertThat(tried.from()).isEqualTo(ALL);
        tried.all();
        assertThat(tried.from()).isEqualTo(NONE);
        tables.ledger.holdNothing();
        assertThat(tried.from()).isEqualTo(ALL);
    }

    @Test
    void whoComesAfterOneThatWasPlacedIsTriedNext() {
        tried.none();
        tried.before(7);
        assertThat(tried.from()).isEqualTo(7);
    }
}
