package dev.muster.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Test;

class PromptTest {
    private static final long NOON = 1_767_268_800_000L;
    private final AtomicLong now = new AtomicLong();
    private final CommitPace pace = new CommitPace(now::get);
    private final Rounds rounds = new Rounds();
    private final MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
    private final Prompt prompt = new Prompt(context, pace, rounds);

    PromptTest() {
        context.setCurrentSystemTimeMs(NOON);
    }

    @Test
    void afterAPauseItCommitsAtOnce() {
        prompt.commit(NOON);

        assertThat(context.committed()).isTrue();
        assertThat(context.scheduledPunctuators()).isEmpty();
    }

    @Test
    void backlogIsLeftToTheInterval() {
        context.setCurrentSystemTimeMs(NOON + 101);

        prompt.commit(NOON);

        assertThat(context.committed()).isFalse();
        assertThat(context.scheduledPunctuators()).isEmpty();
    }

    @Test
    void whatComesTooSoonIsCommittedOnceItIsTime() {
        commitTook(10);
        prompt.commit(NOON);
        prompt.commit(NOON);

        var waking = onlyWaking();
        now.addAndGet(29);
        look(waking);
        assertThat(context.committed()).isFalse();
        now.addAndGet(1);
        look(waking);
        assertThat(context.committed()).isTrue();
        assertThat(waking.cancelled()).isTrue();
    }

    @Test
    void whatIsLateWaitsInProportion() {
        commitTook(10);
        context.setCurrentSystemTimeMs(NOON + 20);
        prompt.commit(NOON);

        var waking = onlyWaking();
        now.addAndGet(59_999_999);
        look(waking);
        assertThat(context.committed()).isFalse();
        now.addAndGet(1);
        look(waking);
        assertThat(context.committed()).isTrue();
    }

    @Test
    void anothersCommitWasOursToo() {
        commitTook(10);
        prompt.commit(NOON);
        var waking = onlyWaking();
        commitTook(10);

        look(waking);

        assertThat(context.committed()).isFalse();
        assertThat(waking.cancelled()).isTrue();
    }

    @Test
    void itCanBeAskedAgain() {
        commitTook(10);
        prompt.commit(NOON);
        now.addAndGet(30);
        look(onlyWaking());
        context.resetCommit();
        commitTook(10);

        prompt.commit(NOON);

        assertThat(context.scheduledPunctuators())
                .filteredOn(waking -> !waking.cancelled())
                .hasSize(1);
    }

    @Test
    void whoseProcessorIsClosedWaitsForNothing() {
        commitTook(10);
        prompt.commit(NOON);

        prompt.close();

        assertThat(onlyWaking().cancelled()).isTrue();
        assertThat(rounds.patience(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    }

    private void commitTook(long nanos) {
        pace.begins();
        now.addAndGet(nanos);
        pace.ends();
    }

    private CapturedPunctuator onlyWaking() {
        assertThat(context.scheduledPunctuators()).hasSize(1);
        return context.scheduledPunctuators().getFirst();
    }

    private void look(CapturedPunctuator waking) {
        waking.getPunctuator().punctuate(now.get());
    }
}
