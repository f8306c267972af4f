package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobIdTest {
    private static JobId of(String namespace, String name, int partition, long offset) {
        return new JobId(namespace, name, new Uid(partition, offset));
    }

    @Test
    void jobsStandByNamespaceAndNameAndThenAsTheyWereSubmitted() {
        var ids =
                List.of(
                        of("a", "z", 0, 9),
                        of("b", "a", 0, 8),
                        of("b", "b", 1, 6),
                        of("b", "b", 0, 7),
                        of("b", "b", 1, 7));
        assertThat(ids).isSorted();
        assertThat(ids.reversed().stream().sorted()).isEqualTo(ids);
        assertThat(ids.getLast()).isEqualByComparingTo(of("b", "b", 1, 7));
    }

    @Test
    void idIsReadAsItIsWritten() {
        var id = of("ml", "bert", 3, 41);
        assertThat(id).hasToString("ml/bert@3-41");
        assertThat(JobId.parse(id.toString())).isEqualTo(id).hasSameHashCodeAs(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ml", "bert@3-41", "bert@3/41", "ml/bert"})
    void whatIsNoIdIsRefused(String text) {
        assertThatThrownBy(() -> JobId.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a job id (namespace/name@uid): " + text);
    }
}
