package dev.muster.coordinator.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MarksTest {
    private static final List<String> ALL = List.of("a", "b", "c");
    private final Marks marks = new Marks();

    @BeforeEach
    void lookAtEverything() {
        marks.forTurns.take(ALL);
        marks.forHolds.take(ALL);
        marks.forReasons.take(ALL);
    }

    @Test
    void everythingIsMarkedAtFirst() {
        assertThat(new Marks().forTurns.take(ALL)).isEqualTo(ALL);
    }

    @Test
    void whatWasLookedAtIsMarkedNoMore() {
        marks.of("b");
        assertThat(marks.forTurns.take(ALL)).containsExactly("b");
        assertThat(marks.forTurns.take(ALL)).isEmpty();
    }

    @Test
    void queuesAreMarkedByNameForEachWhoLooks() {
        marks.of("c");
        marks.of("a");
        marks.of("c");
        assertThat(marks.forTurns.take(ALL)).containsExactly("a", "c");
        assertThat(marks.forHolds.take(ALL)).containsExactly("a", "c");
        assertThat(marks.forReasons.take(ALL)).containsExactly("a", "c");
    }

    @Test
    void queueThatIsGoneIsMarkedToo() {
        marks.ofAll();
        marks.of("gone");
        assertThat(marks.forTurns.take(ALL)).containsExactly("a", "b", "c", "gone");
        assertThat(marks.forHolds.take(ALL)).containsExactly("a", "b", "c", "gone");
        assertThat(marks.forReasons.take(ALL)).containsExactly("a", "b", "c", "gone");
    }

    @Test
    void lessForItIsAMatterOnlyOfTurnsThatCouldComeSoFar() {
        marks.forLess.take(ALL);
        marks.ofOthersUse("b", false);
        assertThat(marks.forTurns.take(ALL)).isEmpty();
        assertThat(marks.forLess.take(ALL)).containsExactly("b");
        assertThat(marks.forHolds.take(ALL)).containsExactly("b");
        assertThat(marks.forReasons.take(ALL)).containsExactly("b");
    }

    @Test
    void moreForOthersIsAMatterOfTurns() {
        marks.forLess.take(ALL);
        marks.ofOthersUse("b", true);
        assertThat(marks.forTurns.take(ALL)).containsExactly("b");
        assertThat(marks.forLess.take(ALL)).isEmpty();
        assertThat(marks.forReserves.take(List.of())).isEmpty();
    }

    @Test
    void whatOthersUseIsAMatterOfWhoWantsRoom() {
        marks.forWanting.take(ALL);
        marks.ofOthersUse("b", true);
        assertThat(marks.forWanting.take(ALL)).containsExactly("b");
        marks.ofOthersUse("c", false);
        assertThat(marks.forWanting.take(ALL)).containsExactly("c");
    }

    @Test
    void whatAllDependOnIsAMatterOfEachWhoLooks() {
        marks.forWanting.take(ALL);
        marks.forReserves.take(ALL);
        marks.ofAll();
        assertThat(marks.forWanting.take(ALL)).isEqualTo(ALL);
        assertThat(marks.forReserves.take(ALL)).isEqualTo(ALL);
    }

    @Test
    void whatAQueueUsesIsNoMatterOfWhatIsKept() {
        marks.forReserves.take(ALL);
        marks.ofUse("a");
        assertThat(marks.forReserves.take(ALL)).isEmpty();
        marks.of("a");
        assertThat(marks.forReserves.take(ALL)).containsExactly("a");
    }
}
