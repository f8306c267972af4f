package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenQuestionsTest {
    private static final Duration HURRY = Duration.ofMillis(300);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 3);
    private final FakeRegistry registry = new FakeRegistry();
    private final RegistryEndpoints endpoints =
            new RegistryEndpoints(
                    RegistryConfig.from(Map.of("schema.registry.url", registry.url())));
    private final OpenQuestions questions = new OpenQuestions(endpoints, HURRY, now::get);

    @AfterEach
    void close() {
        endpoints.close();
        questions.close();
        registry.close();
    }

    private void passes(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void askInVain(String path) {
        assertThatExceptionOfType(RegistryUnavailableException.class)
                .isThrownBy(() -> questions.ask(path, null));
    }

    @Test
    void whereNothingIsOpenACallerWaitsTheWholeHurry() {
        assertThat(questions.patience()).isEqualTo(HURRY);
    }

    /** Each of many who need it would wait, and all others behind them. */
    @Test
    void callersOfASilentRegistryWaitOnceForAll() {
        registry.fallSilent();
        askInVain("/schemas/ids/1");
        passes(Duration.ofMillis(200));
        assertThat(questions.patience()).isEqualTo(Duration.ofMillis(100));

        askInVain("/schemas/ids/2");
        passes(Duration.ofMillis(200));
        assertThat(questions.patience()).as("so as not to spin").isEqualTo(HURRY.dividedBy(30));
        assertThat(questions.patience()).isZero();
        passes(HURRY.dividedBy(30));
        assertThat(questions.patience()).as("the one before waits till now").isZero();
        passes(HURRY.dividedBy(30));
        assertThat(questions.patience()).isEqualTo(HURRY.dividedBy(30));
    }

    @Test
    void soTheyDoWhereItIsBusy() {
        for (int i = 0; i < 40; i++) {
            registry.answerNext(503, "");
        }
        askInVain("/schemas/ids/1");
        passes(HURRY.multipliedBy(2));

        assertThat(questions.patience()).isEqualTo(HURRY.dividedBy(30));
    }

    /** As one that does not know our credentials: thousands who wait would ask it all the time. */
    @Test
    void refusalIsAnAnswerToAllWhoAskTheSameForASecond() {
        registry.answerNext(403, "{}");
        assertThat(answer("/schemas/ids/1")).isEqualTo(403);
        passes(Duration.ofMillis(999));
        assertThat(answer("/schemas/ids/1")).isEqualTo(403);
        assertThat(registry.requests()).hasSize(1);

        passes(Duration.ofMillis(1));
        assertThat(answer("/schemas/ids/1")).isNotEqualTo(403);
        assertThat(registry.requests()).hasSize(2);
    }

    /**
     * Its followers may know it a moment later, and a record that waits for that would be parked.
     */
    @Test
    void schemaThatTheRegistryLacksIsAskedForAnew() {
        registry.answerNext(404, "{\"error_code\": 40403}");
        assertThat(answer("/schemas/ids/1")).isEqualTo(404);
        registry.answerNext(200, "{}");
        assertThat(answer("/schemas/ids/1")).isEqualTo(200);
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void addressWhereNoRegistryIsIsNotAskedAgainAtOnce() {
        registry.answerNext(404, "<html>");
        assertThat(answer("/schemas/ids/1")).isEqualTo(404);
        assertThat(answer("/schemas/ids/1")).isEqualTo(404);
        assertThat(registry.requests()).hasSize(1);
    }

    /** On a busy machine it may take longer than the hurry. */
    private int answer(String path) {
        while (true) {
            try {
                return questions.ask(path, null).statusCode();
            } catch (RegistryUnavailableException notYet) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whenItHasAnsweredTheyWaitAnew() {
        registry.fallSilent();
        askInVain("/schemas/ids/1");
        passes(HURRY.multipliedBy(2));
        registry.speakAgain();

        while (!questions.patience().equals(HURRY)) {
            Thread.onSpinWait();
        }
        var _ = questions.ask("/schemas/ids/1", null);
        assertThat(registry.requests()).hasSize(1);
    }
}
