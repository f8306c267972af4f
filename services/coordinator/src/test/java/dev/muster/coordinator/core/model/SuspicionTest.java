package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.PoolSpec.NodeHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How failures of a node weigh, and fade. */
class SuspicionTest {
    private static final NodeHealth LAST = new NodeHealth(Duration.ofHours(6), 0);
    private static final NodeHealth THREE = new NodeHealth(Duration.ofHours(6), 3);

    @ParameterizedTest
    @CsvSource({"0, 1000", "3, 750", "6, 500", "9, 375", "12, 250", "60, 0", "10000, 0"})
    void halfIsForgottenInEachHalfLifeAndEvenlyWithinOne(long hours, int left) {
        assertThat(failures(1, LAST).weight(after(Duration.ofHours(hours)), LAST.halfLife()))
                .isEqualTo(left);
    }

    @ParameterizedTest
    @CsvSource({"1, 6", "2, 12", "3, 16", "4, 18"})
    void nodeIsSuspectUntilHalfAFailureIsLeft(int failures, long hours) {
        var suspicion = failures(failures, LAST);
        assertThat(suspicion.trust()).isEqualTo(Trust.SUSPECT);
        assertThat(suspicion.until(LAST)).isEqualTo(after(Duration.ofHours(hours)));
    }

    @Test
    void nodeIsExcludedUntilHalfOfWhatExcludesIsLeft() {
        assertThat(failures(2, THREE).trust()).isEqualTo(Trust.SUSPECT);
        var excluded = failures(3, THREE);
        assertThat(excluded.trust()).isEqualTo(Trust.EXCLUDED);
        assertThat(excluded.until(THREE)).isEqualTo(after(Duration.ofHours(6)));
        var again = excluded.at(excluded.until(THREE), THREE, THREE);
        assertThat(again.trust()).isEqualTo(Trust.SUSPECT);
        assertThat(again.weight()).isEqualTo(1500);
        assertThat(again.until(THREE)).isEqualTo(after(Duration.ofHours(16)));
    }

    @Test
    void failuresThatCameHoursApartAreCountedRounded() {
        var known = failures(2, THREE);
        assertThat(known.failed("", "", THREE, after(Duration.ofHours(2))).trust())
                .isEqualTo(Trust.EXCLUDED);
        assertThat(known.failed("", "", THREE, after(Duration.ofHours(4))).trust())
                .isEqualTo(Trust.SUSPECT);
    }

    @Test
    void oneThatWouldNotBeExcludedAnewStaysExcludedWhileMoreThanHalfIsLeft() {
        var excluded = failures(3, THREE);
        var later = excluded.at(after(Duration.ofHours(5)), THREE, THREE);
        assertThat(later.weight()).isEqualTo(1750);
        assertThat(later.trust()).isEqualTo(Trust.EXCLUDED);
    }

    @Test
    void whatFollowsWithinAMinuteIsTheSameFailure() {
        var first = failures(1, LAST);
        assertThat(first.failed("PodLost", "", LAST, after(Duration.ofSeconds(59))))
                .isSameAs(first);
        assertThat(first.failed("PodLost", "", LAST, after(Duration.ofSeconds(60))).weight())
                .isBetween(1998, 1999);
    }

    @Test
    void itNeverWeighsMoreThanAThousandFailures() {
        var much = new Suspicion("n", 999_999, NOON, Trust.SUSPECT, NOON.minusSeconds(90), "", "");
        assertThat(much.failed("PodLost", "", LAST, NOON).weight()).isEqualTo(1_000_000);
    }

    static LongStream seeds() {
        return Seeds.first(500);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void changesExactlyWhenItSays(long seed) {
        var random = new Random(seed);
        var rule =
                new NodeHealth(
                        Duration.ofMillis(1 + random.nextLong(1L << random.nextInt(1, 34))),
                        random.nextInt(6));
        int weight = 501 + random.nextInt(20_000);
        var now =
                new Suspicion("n", weight, NOON, Trust.SUSPECT, NOON, "", "").at(NOON, rule, rule);
        while (now.trust() != Trust.TRUSTED) {
            var until = now.until(rule);
            assertThat(now.at(until, rule, rule).trust()).isLessThan(now.trust());
            assertThat(now.at(until.minusMillis(1), rule, rule).trust()).isEqualTo(now.trust());
            now = now.at(until, rule, rule);
        }
    }

    /** So many, that weigh as much together now. */
    private static Suspicion failures(int count, NodeHealth rule) {
        var known = Suspicion.first("n", "PodLost", "", rule, NOON);
        for (int i = 1; i < count; i++) {
            var before =
                    new Suspicion("n", known.weight(), NOON, known.trust(), Instant.EPOCH, "", "");
            known = before.failed("PodLost", "", rule, NOON);
        }
        return known;
    }

    private static Instant after(Duration time) {
        return NOON.plus(time);
    }
}
