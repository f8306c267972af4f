package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a pod gets; how to write the files anew stands in the README beside them. */
class GoldensTest {
    @ParameterizedTest
    @MethodSource
    void ofAJobTheseObjectsAreMade(Goldens golden) throws IOException {
        if ("write".equals(System.getProperty("muster.goldens"))) {
            Files.writeString(golden.expected(), golden.text());
        }
        assertThat(golden.text()).isEqualTo(Files.readString(golden.expected()));
    }

    static Stream<Goldens> ofAJobTheseObjectsAreMade() {
        return Goldens.all();
    }
}
