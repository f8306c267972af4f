package dev.muster.schemas.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointIdTest {
    @Test
    void isReadAsItIsWritten() {
        var id = new CheckpointId("3-4711", 17);
        assertThat(id).hasToString("3-4711.17");
        assertThat(CheckpointId.parse("3-4711.17")).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "17",
                ".17",
                "3-4711.",
                "3-4711.01",
                "3-4711.-1",
                "3-4711.x",
                "3-4711.99999999999999999999"
            })
    void nothingElseIsRead(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheckpointId.parse(text))
                .withMessageContaining("'" + text + "'");
    }
}
