package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Throughput.Code;
import dev.muster.coordinator.core.model.Throughput.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of how fast a job trains at its sizes. */
class ThroughputTest {
    private static final Throughput UNKNOWN = Throughput.unknown(job("a", 1), NOON);

    private static Throughput measured(Throughput known, int size) {
        return known.at(1, size, NOON).measured(size);
    }

    @Test
    void newestFiveOfASizeAreKeptTheOldestFirst() {
        var known = UNKNOWN.at(1, 4, NOON);
        for (long speed = 1; speed <= 7; speed++) {
            known = known.measured(speed);
        }
        assertThat(known.points()).containsExactly(new Point(4, List.of(3L, 4L, 5L, 6L, 7L)));
    }

    @Test
    void sizeIsSureOnceThereAreThreeAndTheMiddleOneCounts() {
        assertThat(new Point(4, List.of(9L, 1L)).isSure()).isFalse();
        assertThat(new Point(4, List.of(9L, 1L, 5L)).isSure()).isTrue();
        assertThat(new Point(4, List.of(9L, 1L, 5L)).median()).isEqualTo(5);
        assertThat(new Point(4, List.of(9L, 1L, 5L, 7L)).median()).isEqualTo(5);
    }

    @Test
    void sizesNextToTheOneThatItHasAreKeptTheSmallestFirst() {
        var known = UNKNOWN;
        for (int size = 1; size <= 20; size++) {
            known = measured(known, size);
        }
        assertThat(known.points())
                .extracting(Point::size)
                .containsExactly(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
    }

    @Test
    void whatWasToldOfASizeIsForgottenWhenItComesToThatAgain() {
        var known = measured(measured(UNKNOWN, 4), 8).at(2, 4, NOON.plusSeconds(9));
        assertThat(known.points()).containsExactly(new Point(8, List.of(8L)));
        assertThat(known.point(4)).isEmpty();
        assertThat(known.since()).isEqualTo(NOON.plusSeconds(9));
    }

    @Test
    void verdictHoldsSinceItsCodeBeganToHold() {
        var later = NOON.plusSeconds(9);
        var first = UNKNOWN.deciding(Code.MEASURING, "1 of 3", NOON);
        var same = first.deciding(Code.MEASURING, "2 of 3", later);
        assertThat(same.verdict())
                .isEqualTo(new Throughput.Verdict(Code.MEASURING, "2 of 3", NOON));
        assertThat(same.deciding(Code.BEST_SIZE, "4", later).verdict())
                .isEqualTo(new Throughput.Verdict(Code.BEST_SIZE, "4", later));
    }
}
