package dev.muster.coordinator.history.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.RankId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods that are made at noon and begin to run 10 s later. */
class RecordedMakingTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final PodMark MARK = new PodMark(new RankId("worker", 0), 1, 1, 1, "u");

    private final RecordedMaking making = new RecordedMaking("default", true, NOON);

    private static Instant at(int seconds) {
        return NOON.plusSeconds(seconds);
    }

    private static Pod pod(PodPhase phase) {
        return SimulatedPods.pod(MARK, 1, phase, "n1");
    }

    /** Begins 20 s after it was ordered. */
    private static RecordedMaking ranFor(int seconds) {
        var other = new RecordedMaking("default", true, NOON);
        other.seen(at(20), pod(PodPhase.RUNNING));
        other.seen(at(20 + seconds), pod(PodPhase.SUCCEEDED));
        return other;
    }

    private static List<String> lines(List<RecordedMaking.News> news) {
        return news.stream().map(one -> one.after().toSeconds() + " " + one.pod().phase()).toList();
    }

    @Test
    void cutOneRunsAsLongInAllAsTheOther() {
        making.seen(at(10), pod(PodPhase.RUNNING));
        making.told(at(50));
        making.seen(at(51), pod(PodPhase.FAILED));

        assertThat(lines(making.goingOnAs(ranFor(100))))
                .containsExactly("10 RUNNING", "110 SUCCEEDED");
    }

    /** That one went on from what had been saved. */
    @Test
    void cutOneThatHasRunForLongerRunsAsLongFromThereOn() {
        making.seen(at(10), pod(PodPhase.RUNNING));
        making.told(at(500));

        assertThat(lines(making.goingOnAs(ranFor(100))))
                .containsExactly("10 RUNNING", "500 RUNNING", "600 SUCCEEDED");
    }

    @Test
    void cutOneThatNeverRanBeginsFromThereOn() {
        making.seen(at(1), pod(PodPhase.PENDING));
        making.told(at(300));

        assertThat(lines(making.goingOnAs(ranFor(100))))
                .containsExactly("1 PENDING", "300 RUNNING", "400 SUCCEEDED");
    }

    @Test
    void oneThatEndedByItselfIsNotCut() {
        making.seen(at(10), pod(PodPhase.RUNNING));
        making.seen(at(20), pod(PodPhase.SUCCEEDED));
        making.told(at(20));
        making.taken(at(30));

        assertThat(making.isCut()).isFalse();
        assertThat(making.told()).isNull();
    }

    /** What somebody else did first stays as it is recorded. */
    @Test
    void oneThatWasTakenIsNotTold() {
        making.seen(at(10), pod(PodPhase.RUNNING));
        making.taken(at(20));
        making.told(at(21));

        assertThat(making.isCut()).isTrue();
        assertThat(making.told()).isNull();
    }

    @Test
    void whatIsToldOfItAgainIsNoNews() {
        making.seen(at(1), pod(PodPhase.PENDING));
        making.seen(at(10), pod(PodPhase.RUNNING));
        making.seen(at(20), SimulatedPods.pod(MARK, 7, PodPhase.RUNNING, "n1"));
        making.seen(at(30), unready(8));
        making.seen(at(40), unready(9));
        making.seen(at(50), pod(PodPhase.SUCCEEDED));

        assertThat(lines(making.news()))
                .containsExactly("1 PENDING", "10 RUNNING", "30 RUNNING", "50 SUCCEEDED");
        assertThat(making.news())
                .extracting(news -> news.pod().resourceVersion())
                .containsExactly(1L, 7L, 9L, 1L);
    }

    private static Pod unready(long version) {
        return Fixtures.unready(SimulatedPods.pod(MARK, version, PodPhase.RUNNING, "n1"));
    }

    @Test
    void oneThatIsWantedAgainWasNotTold() {
        making.seen(at(10), pod(PodPhase.RUNNING));
        making.told(at(20));
        making.wanted();
        making.seen(at(30), pod(PodPhase.SUCCEEDED));

        assertThat(making.hasEnded()).isTrue();
        assertThat(making.after(PodPhase.SUCCEEDED)).isEqualTo(Duration.ofSeconds(30));
    }
}
