package dev.muster.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CatchUpTest {
    private static final long PATIENCE = CatchUp.PATIENCE.toNanos();

    private final CatchUp catchUp = new CatchUp();

    @Test
    void itIsDoneOnceLittleIsLeftToRead() {
        look(CatchUp.LITTLE + 1, 0);
        assertThat(catchUp.isDone()).isFalse();
        look(CatchUp.LITTLE, 1);
        assertThat(catchUp.isDone()).isTrue();
    }

    @Test
    void whatIsMuchIsWaitedForHoweverLong() {
        look(CatchUp.LITTLE + 1, 0);
        look(CatchUp.LITTLE + 1, 100 * PATIENCE);
        assertThat(catchUp.isDone()).isFalse();
    }

    @Test
    void onceDoneItStaysSo() {
        look(0, 0);
        look(CatchUp.LITTLE + 1, 1);
        assertThat(catchUp.isDone()).isTrue();
    }

    @Test
    void whatNobodyKnowsIsWaitedForAWhile() {
        catchUp.look(OptionalLong.empty(), 5);
        catchUp.look(OptionalLong.empty(), 4 + PATIENCE);
        assertThat(catchUp.isDone()).isFalse();
        catchUp.look(OptionalLong.empty(), 5 + PATIENCE);
        assertThat(catchUp.isDone()).isTrue();
    }

    @Test
    void theWhileBeginsAnewWithWhatIsNoLongerKnown() {
        catchUp.look(OptionalLong.empty(), 0);
        look(CatchUp.LITTLE + 1, PATIENCE / 2);
        catchUp.look(OptionalLong.empty(), PATIENCE);
        assertThat(catchUp.isDone()).isFalse();
    }

    private void look(long behind, long nanos) {
        catchUp.look(OptionalLong.of(behind), nanos);
    }
}
