package dev.muster.schemas.trainjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountTest {
    @ParameterizedTest
    @CsvSource({
        "cpu, 20, 20000, 20",
        "cpu, 1500m, 1500, 1500m",
        "cpu, 0.0001, 1, 1m",
        "cpu, 2e1, 20000, 20",
        "memory, 16Gi, 17179869184, 16Gi",
        "memory, 1536Mi, 1610612736, 1536Mi",
        "memory, 1k, 1000, 1000",
        "memory, 1E, 1000000000000000000, 976562500000000Ki",
        "memory, 7Ei, 8070450532247928832, 7Ei",
        "nvidia.com/gpu, 8, 8, 8",
        "nvidia.com/gpu, 0, 0, 0",
        "pods, 2Ki, 2048, 2048",
        "hugepages-2Mi, 4Mi, 4194304, 4Mi"
    })
    void aQuantityIsANumberInTheContractAndAQuantityAgain(
            String resource, String written, long units, String shown) {
        assertThat(Amount.parse(resource, written)).isEqualTo(OptionalLong.of(units));
        assertThat(Amount.text(resource, units)).isEqualTo(shown);
        assertThat(Amount.parse(resource, shown)).isEqualTo(OptionalLong.of(units));
    }

    @ParameterizedTest
    @CsvSource({"8Ei", "1e19", "-1", "lots", "1.5.1", "1Zi"})
    void whatIsNoQuantityOrDoesNotFitIsNone(String written) {
        assertThat(Amount.parse("memory", written)).isEmpty();
    }
}
