package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadinessTest {
    @ParameterizedTest
    @CsvSource({
        "+,        1, 3, +",
        "+---,     1, 3, +++-",
        "+--+---,  1, 3, ++++++-",
        "++-++,    2, 1, -+--+",
        "---,      1, 1, ---",
        "+-+-,     1, 1, +-+-",
    })
    void changesOnlyAfterEnoughEqualAnswersInARow(
            String answers, int successes, int failures, String ready) {
        var memory = Readiness.UNASKED;
        var said = new StringBuilder();
        for (var answer : answers.chars().mapToObj(c -> c == '+').collect(Collectors.toList())) {
            memory = memory.answered(answer, successes, failures);
            said.append(memory.ready() ? '+' : '-');
        }
        assertThat(said).hasToString(ready);
    }
}
