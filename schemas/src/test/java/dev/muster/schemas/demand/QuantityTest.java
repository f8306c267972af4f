package dev.muster.schemas.demand;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "cpu, 500m, 500",
        "cpu, 2, 2000",
        "cpu, 0.1, 100",
        "cpu, 100u, 1",
        "cpu, 1500001n, 2",
        "cpu, 1k, 1000000",
        "cpu, 1E-3, 1",
        "memory, 128Mi, 134217728",
        "memory, 1e3, 1000",
        "memory, 1E3, 1000",
        "memory, 1E, 1000000000000000000",
        "memory, 1.5Gi, 1610612736",
        "memory, 1Ti, 1099511627776",
        "memory, 1Pi, 1125899906842624",
        "memory, 2P, 2000000000000000",
        "memory, 3T, 3000000000000",
        "memory, 4G, 4000000000",
        "memory, 5M, 5000000",
        "memory, 6Ki, 6144",
        "memory, 100m, 1",
        "memory, 8Ei, 9223372036854775807",
        "memory, 9007199254740993, 9007199254740993",
        "memory, 0, 0",
        "memory, -0, 0",
        "memory, .5, 1",
        "memory, 1., 1",
        "nvidia.com/gpu, 4, 4",
        "example.com/widget, +3, 3"
    })
    void anAmountIsExactAndRoundedUpToItsUnit(String resource, String text, long units) {
        assertThat(Quantity.parse(text))
                .isNotNull()
                .extracting(quantity -> quantity.unitsOf(resource))
                .isEqualTo(units);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-1", "-1m", "1 Gi", "1gi", "1Kib", "a", "1.2.3", "1e", "e3", "0x10", "1e999",
                "∞", "1,5", "1K", "1parsec"
            })
    void whatIsNoQuantityIsNone(String text) {
        assertThat(Quantity.parse(text)).isNull();
    }
}
