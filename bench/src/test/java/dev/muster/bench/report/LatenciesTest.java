package dev.muster.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void percentileIsATimeThatWasMeasured() {
        var hundred =
                Latencies.of(
                        IntStream.rangeClosed(1, 100)
                                .map(i -> 101 - i)
                                .mapToObj(Duration::ofMillis)
                                .toList());
        assertThat(List.of(0, 50, 99, 100).stream().map(hundred::percentile))
                .containsExactly(
                        Duration.ofMillis(1),
                        Duration.ofMillis(50),
                        Duration.ofMillis(99),
                        Duration.ofMillis(100));
    }

    @Test
    void percentileOfFewIsTheNextLonger() {
        var three =
                Latencies.of(
                        List.of(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(9)));
        assertThat(three.percentile(50)).isEqualTo(Duration.ofMillis(2));
        assertThat(three.percentile(67)).isEqualTo(Duration.ofMillis(9));
        assertThat(three.cells()).containsExactly("3", "2.0", "9.0", "9.0", "9.0");
    }

    @Test
    void nothingMeasuredIsNoFigure() {
        assertThat(Latencies.of(List.of()).cells()).containsExactly("0", "-", "-", "-", "-");
    }
}
