package dev.muster.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CommitPaceTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 3);
    private final CommitPace pace = new CommitPace(now::get);

    @Test
    void firstCommitWaitsForNothing() {
        assertThat(pace.isDue(0)).isTrue();
    }

    @Test
    void afterACommitThreeTimesAsLongIsWorked() {
        commit(5);

        now.addAndGet(14);
        assertThat(pace.isDue(0)).isFalse();
        now.addAndGet(1);
        assertThat(pace.isDue(0)).isTrue();
    }

    @Test
    void forWhatIsLateThreeTimesAsLongIsWorked() {
        commit(5);

        now.addAndGet(29);
        assertThat(pace.isDue(10)).isFalse();
        now.addAndGet(1);
        assertThat(pace.isDue(10)).isTrue();
    }

    @Test
    void lastCommitSaysHowLongOneTakes() {
        commit(100);
        commit(1);

        now.addAndGet(3);
        assertThat(pace.isDue(0)).isTrue();
    }

    @Test
    void flushOfEachTaskIsPartOfTheOneCommit() {
        pace.begins();
        now.addAndGet(2);
        commit(2);

        now.addAndGet(11);
        assertThat(pace.isDue(0)).isFalse();
        now.addAndGet(1);
        assertThat(pace.isDue(0)).isTrue();
        assertThat(pace.commits()).isEqualTo(1);
    }

    private void commit(long nanos) {
        pace.begins();
        now.addAndGet(nanos);
        pace.ends();
    }
}
