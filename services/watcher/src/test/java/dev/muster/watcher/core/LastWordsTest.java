package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LastWordsTest {
    @Test
    void ofMuchTheEndIsKept() {
        assertThat(LastWords.of("Traceback\nin main\nValueError: x", 16))
                .isEqualTo("…in\nValueError: x");
    }

    @Test
    void whatIsShortEnoughIsKeptWhole() {
        assertThat(LastWords.of("ValueError: x", 13)).isEqualTo("ValueError: x");
        assertThat(LastWords.of(null, 13)).isEmpty();
    }

    @Test
    void noLetterIsCutInTwo() {
        assertThat(LastWords.of("to the \uD83D\uDE80!", 2)).isEqualTo("…!");
        assertThat(LastWords.of("to the \uD83D\uDE80!", 3)).isEqualTo("…\uD83D\uDE80!");
    }
}
