package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import dev.muster.coordinator.core.queue.Marks.Marked;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Queues that use all of their guarantees, with a job of one core waiting in each: who is looked at
 * when what others use changes. Queue d is guaranteed nothing.
 */
class GroupRoomTest {
    private static final List<String> ALL = List.of("a", "b", "c", "d");
    private static final Use CORE = new Use(cpu(1), Amounts.NONE);

    private final Tables tables = new Tables(new Journal());

    @BeforeEach
    void allHaveLooked() {
        var play = Play.withNodes(12);
        int number = 0;
        for (var name : ALL) {
            play.on(
                    new Event.QueuePut(
                            name, QueueSpecs.guaranteed(name.equals("d") ? 0 : 4), null));
        }
        for (var name : ALL.subList(0, 3)) {
            play.on(
                    new Event.Submitted(
                            job("r" + name, ++number), spec(name, role("worker", 1, 4)), null));
        }
        for (var name : ALL) {
            play.on(
                    new Event.Submitted(
                            job("w" + name, ++number), spec(name, role("worker", 1, 1)), null));
        }
        play.allRows().forEach(tables::restore);
        tables.reserves.catchUp();
        tables.marks.forTurns.take(ALL);
        looks().forEach(this::look);
    }

    private List<Marked> looks() {
        return List.of(tables.marks.forHolds, tables.marks.forReasons, tables.marks.forWanting);
    }

    private List<String> look(Marked marked) {
        tables.reserves.catchUp();
        tables.groupRoom.catchUp(marked);
        return marked.take(ALL);
    }

    private void charge(String queue) {
        tables.ledger.charge(new Payer(queue, "ml"), CORE);
        tables.reserves.catchUp();
    }

    private void release(String queue) {
        tables.ledger.release(new Payer(queue, "ml"), CORE);
        tables.reserves.catchUp();
    }

    /** But for who was guaranteed nothing: it could have been what that one may ask for. */
    @Test
    void whatIsUsedAgainBeforeTheNextLookIsAMatterOfItsQueueAlone() {
        release("a");
        assertThat(tables.marks.forTurns.take(ALL)).containsAll(ALL);
        charge("a");
        assertThat(look(tables.marks.forReasons)).containsExactly("a");
        assertThat(look(tables.marks.forHolds)).containsExactly("a", "d");
        assertThat(look(tables.marks.forWanting)).containsExactly("a", "d");
    }

    @Test
    void whatIsLeftIsAMatterOfAllWhoNeedNoMore() {
        release("a");
        assertThat(looks()).allSatisfy(marked -> assertThat(look(marked)).containsAll(ALL));
        charge("a");
        assertThat(looks()).allSatisfy(marked -> assertThat(look(marked)).containsAll(ALL));
    }

    /** One gives it back and another borrows it: who is guaranteed nothing may now ask for it. */
    @Test
    void whatIsBorrowedIsAMatterOfThoseForWhomItMakesADifference() {
        charge("b");
        release("a");
        assertThat(look(tables.marks.forHolds)).containsExactly("a", "b", "d");
        assertThat(look(tables.marks.forWanting)).containsExactly("a", "b", "d");
        assertThat(look(tables.marks.forReasons)).containsExactly("a", "b");
    }
}
