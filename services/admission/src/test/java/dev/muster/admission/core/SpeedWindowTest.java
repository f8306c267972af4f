package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.SpeedWindow.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a job says of its speed, summed up. */
class SpeedWindowTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final List<Digest> digests = new ArrayList<>();
    private @Nullable SpeedWindow window;

    @Test
    void digestIsTheMediansOfTenSeconds() {
        say(0, 1, 100);
        say(4, 2, 300);
        say(8, 3, 7);
        assertThat(digests).isEmpty();
        say(10, 4, 200);
        assertThat(digests)
                .containsExactly(
                        new Digest(
                                "0-7",
                                2,
                                5,
                                4,
                                4,
                                Duration.ofMillis(10_500),
                                4,
                                1L,
                                500_000L,
                                100L,
                                null));
    }

    @Test
    void manySamplesGiveOneDigestEachTenSeconds() {
        for (int i = 0; i <= 60_000; i += 10) {
            take(new Said(i, 2, 4, 100));
        }
        assertThat(digests).hasSize(6);
        assertThat(digests).extracting(Digest::samples).containsOnly(1001, 1000);
        assertThat(window.samples()).isEmpty();
    }

    @Test
    void noMoreSamplesAreKeptThanTheLast() {
        for (int i = 0; i < 9_000; i += 10) {
            take(new Said(i, 2, 4, i));
        }
        assertThat(window.samples()).hasSize(SpeedWindow.MOST);
        take(new Said(10_000, 2, 4, 0));
        assertThat(digests.getFirst().samplesPerSecondThousandths()).isGreaterThan(8_000);
    }

    @Test
    void whatWasSaidOfAnotherAttemptOrByOthersCountsNoMore() {
        take(new Said(0, 1, 4, 1));
        take(new Said(9_000, 1, 4, 1));
        take(new Said(9_500, 2, 4, 500));
        take(new Said(12_000, 2, 4, 500));
        assertThat(digests).isEmpty();
        take(new Said(15_000, 2, 3, 800));
        take(new Said(25_000, 2, 3, 800));
        assertThat(digests).hasSize(1);
        assertThat(digests.getFirst().workers()).isEqualTo(3);
        assertThat(digests.getFirst().samples()).isEqualTo(2);
    }

    @Test
    void earlierAttemptThatStillReportsDoesNotKeepTheLaterOneFromItsDigests() {
        for (int i = 0; i <= 60_000; i += 2_000) {
            take(new Said(i, 2, 4, 100));
            take(new Said(i + 1_000, 1, 4, 900));
        }
        assertThat(digests).hasSizeBetween(4, 6);
        assertThat(digests).extracting(Digest::attempt).containsOnly(2);
        assertThat(digests).extracting(Digest::samplesPerSecondThousandths).containsOnly(100L);
    }

    @Test
    void earlierAttemptIsOverAlsoJustAfterADigest() {
        take(new Said(0, 2, 4, 100));
        take(new Said(10_000, 2, 4, 100));
        assertThat(digests).hasSize(1);
        assertThat(window.isNewerThan("0-7", sample(new Said(10_001, 1, 4, 900)))).isTrue();
    }

    @Test
    void attemptThatIsHeardOfNoMoreDoesNotKeepEarlierOnesBackForEver() {
        take(new Said(0, 999, 4, 100));
        assertThat(window.isNewerThan("0-7", sample(new Said(59_999, 2, 4, 100)))).isTrue();
        assertThat(window.isNewerThan("0-7", sample(new Said(60_000, 2, 4, 100)))).isFalse();
    }

    @Test
    void twoWhoCountOtherWorkersDoNotKeepEachOtherFromADigest() {
        for (int i = 0; i <= 60_000; i += 2_000) {
            take(new Said(i, 2, 4, 100));
            take(new Said(i + 1_000, 2, 3, 900));
        }
        assertThat(digests).hasSizeBetween(5, 6);
        assertThat(digests).extracting(Digest::samples).containsOnly(1);
    }

    @Test
    void whoSaysNeitherAttemptNorWorkersGoesWithWhoDoes() {
        for (int i = 0; i <= 20_000; i += 2_000) {
            take(new Said(i, null, null, 100));
            take(new Said(i + 1, 2, null, 300));
            take(new Said(i + 2, null, 4, 200));
        }
        assertThat(digests).hasSize(2);
        assertThat(digests).extracting(Digest::attempt).containsOnly(2);
        assertThat(digests).extracting(Digest::workers).containsOnly(4);
        assertThat(digests).extracting(Digest::samplesPerSecondThousandths).containsOnly(200L);
        take(new Said(20_003, 3, 4, 900));
        assertThat(window.samples()).hasSize(1);
    }

    @Test
    void whatNobodySaysAnyMoreIsNoPartOfLaterDigests() {
        take(new Said(0, 2, 4, 100));
        take(new Said(10_000, null, null, 100));
        take(new Said(20_000, null, null, 100));
        assertThat(digests).extracting(Digest::workers).containsExactly(4, null);
        assertThat(digests).extracting(Digest::attempt).containsExactly(2, null);
    }

    @Test
    void clockThatWasAheadAndWasSetRightPutsNoDigestOff() {
        int ahead = 3 * 3_600_000;
        take(new Said(ahead, 2, 4, 900));
        take(new Said(ahead + 10_000, 2, 4, 900));
        assertThat(digests).hasSize(1);
        for (int i = 0; i <= 20_000; i += 2_000) {
            take(new Said(i, 2, 4, 100));
        }
        assertThat(digests).hasSize(3);
        assertThat(digests.getLast().samplesPerSecondThousandths()).isEqualTo(100);
        assertThat(digests.getLast().attempt()).isEqualTo(2);
    }

    @Test
    void clockThatWasAheadKeepsNoEarlierAttemptBackForLonger() {
        take(new Said(3 * 3_600_000, 999, 4, 100));
        assertThat(window.isNewerThan("0-7", sample(new Said(0, 2, 4, 100)))).isFalse();
    }

    @Test
    void newSubmissionOfTheNameBeginsAnew() {
        take(new Said(0, 1, 4, 1));
        var later = sample(new Said(30_000, 1, 4, 1));
        assertThat(SpeedWindow.take(window, "0-8", later).digest()).isNull();
        assertThat(SpeedWindow.take(window, "0-7", later).digest()).isNotNull();
    }

    @Test
    void sampleMustSayHowFastAndMakeSense() {
        assertThat(sample(new Said(0, 1, 4, 1)).problems()).isEmpty();
        var wrong = new SpeedSample(NOON, null, null, null, 0, -1, null, null, null, null);
        assertThat(wrong.problems())
                .extracting(Problem::path)
                .containsExactly("samplesPerSecond", "step", "workers");
    }

    private record Said(
            long millis, @Nullable Integer attempt, @Nullable Integer workers, long speed) {}

    private void say(long seconds, long step, long speed) {
        var at = NOON.plusSeconds(seconds);
        taken(new SpeedSample(at, null, 2, 5, 4, step, 1L, 500_000L, speed, null));
    }

    private void take(Said said) {
        taken(sample(said));
    }

    private static SpeedSample sample(Said said) {
        return new SpeedSample(
                NOON.plusMillis(said.millis()),
                null,
                said.attempt(),
                null,
                said.workers(),
                1,
                null,
                null,
                said.speed(),
                null);
    }

    private void taken(SpeedSample sample) {
        if (window != null && window.isNewerThan("0-7", sample)) {
            return;
        }
        var taken = SpeedWindow.take(window, "0-7", sample);
        window = taken.next();
        if (taken.digest() != null) {
            digests.add(taken.digest());
        }
    }
}
