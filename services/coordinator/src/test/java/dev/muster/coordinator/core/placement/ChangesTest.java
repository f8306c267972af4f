package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangesTest {
    private static final int MANY = 10_000;
    private final Changes changes = new Changes();
    private final List<Integer> looks = new ArrayList<>();

    @Test
    void whoHasNotLookedYetLooksAtEveryRoom() {
        changes.add(1);
        assertThat(changes.catchUp(Changes.NEVER, 3, looks::add)).isEqualTo(1);
        assertThat(looks).containsExactly(0, 1, 2);
    }

    @Test
    void whoLookedBeforeLooksAtWhatChangedSince() {
        changes.add(7);
        changes.add(8);
        assertThat(changes.catchUp(1, MANY, looks::add)).isEqualTo(2);
        assertThat(changes.catchUp(2, MANY, looks::add)).isEqualTo(2);
        assertThat(looks).containsExactly(8);
    }

    @Test
    void everyRoomIsLookedAtWhereThatIsLessWork() {
        IntStream.range(0, 3).forEach(changes::add);
        changes.catchUp(0, 2, looks::add);
        assertThat(looks).containsExactly(0, 1);
    }

    @Test
    void lastChangesAreKnownHoweverManyThereWere() {
        IntStream.range(0, MANY).forEach(changes::add);
        changes.catchUp(MANY - 100, MANY, looks::add);
        assertThat(looks).isEqualTo(IntStream.range(MANY - 100, MANY).boxed().toList());
    }

    @Test
    void everyRoomIsLookedAtWhereTheFirstChangesAreForgotten() {
        IntStream.range(0, MANY).forEach(_ -> changes.add(5));
        changes.catchUp(0, 2 * MANY, looks::add);
        assertThat(looks).hasSize(2 * MANY);
    }
}
