package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HookTest {
    @ParameterizedTest
    @CsvSource({"1, 5", "2, 10", "3, 20", "4, 40", "5, 60", "6, 60", "2000000000, 60"})
    void triesComeLessAndLessOftenDownToOneAMinute(int tries, int seconds) {
        var hook = new Hook(List.of("true"), new TreeMap<>(), Duration.ofMinutes(1), 3);
        assertThat(hook.delayAfter(tries)).isEqualTo(Duration.ofSeconds(seconds));
    }
}
