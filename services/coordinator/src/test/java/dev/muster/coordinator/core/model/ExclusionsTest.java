package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how long a job avoids the nodes that it failed on. */
class ExclusionsTest {
    private static final SortedSet<String> NODE = new TreeSet<>(List.of("node-0"));

    private static Instant after(Duration time) {
        return NOON.plus(time);
    }

    private static Exclusions failedTimes(int times) {
        var exclusions = Exclusions.NONE;
        for (int i = 0; i < times; i++) {
            exclusions = exclusions.failed(NODE, NOON);
        }
        return exclusions;
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3", "4, 4", "8, 5"})
    void nodeIsAvoidedAnHourLongerForEachDoubling(int failures, int hours) {
        var exclusions = failedTimes(failures);
        var until = after(Duration.ofHours(hours));
        assertThat(exclusions.next()).isEqualTo(until);
        assertThat(exclusions.at(until.minusMillis(1)).nodes()).containsExactly("node-0");
        assertThat(exclusions.at(until).nodes()).isEmpty();
    }

    @Test
    void halfIsForgottenEveryHour() {
        var later = after(Duration.ofHours(1));
        var again = failedTimes(2).failed(NODE, later);
        assertThat(again.next()).isEqualTo(later.plus(Duration.ofHours(3)));
        var muchLater = after(Duration.ofHours(40));
        assertThat(failedTimes(2).failed(NODE, muchLater).next())
                .isEqualTo(muchLater.plus(Duration.ofHours(2)));
    }

    @Test
    void firstOfSeveralIsAvoidedNoMoreFirst() {
        var other = new TreeSet<>(List.of("node-1"));
        var both = failedTimes(1).failed(other, after(Duration.ofMinutes(5)));
        assertThat(both.nodes()).containsExactly("node-0", "node-1");
        assertThat(both.next()).isEqualTo(after(Duration.ofHours(2)));
        assertThat(both.without(NODE).next()).isEqualTo(after(Duration.ofMinutes(125)));
        assertThat(both.without(NODE).nodes()).containsExactly("node-1");
        assertThat(Exclusions.NONE.next()).isNull();
    }
}
