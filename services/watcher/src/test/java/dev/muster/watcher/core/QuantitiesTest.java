package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "cpu, 500m, 500",
        "cpu, 2, 2000",
        "cpu, 0.1, 100",
        "cpu, 100u, 1",
        "cpu, 1500001n, 2",
        "cpu, 1k, 1000000",
        "memory, 128Mi, 134217728",
        "memory, 1e3, 1000",
        "memory, 1E3, 1000",
        "memory, 1E, 1000000000000000000",
        "memory, 1.5Gi, 1610612736",
        "memory, 100m, 1",
        "memory, 8Ei, 9223372036854775807",
        "memory, 9007199254740993, 9007199254740993",
        "memory, 1e999999999, 9223372036854775807",
        "memory, 1e-999999999, 1",
        "memory, 0, 0",
        "nvidia.com/gpu, 4, 4",
        "example.com/widget, +3, 3"
    })
    void anAmountIsExactAndRoundedUpToItsUnit(String resource, String text, long units) {
        var exact = Quantities.exact(new Quantity(text));
        assertThat(Quantities.inUnits(resource, exact)).isEqualTo(units);
    }

    @Test
    void whatIsNoQuantityIsRefused() {
        assertThatThrownBy(() -> Quantities.exact(new Quantity("1", "parsec")))
                .hasMessage("Not a quantity: 1parsec");
    }
}
