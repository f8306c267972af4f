package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
    @ParameterizedTest
    @CsvSource({
        "cpu, 1500, 1.5",
        "cpu, 6000, 6",
        "limits.cpu, 100, 0.1",
        "memory, 2147483648, 2Gi",
        "memory, 3298534883328, 3Ti",
        "memory, 1125899906842624, 1024Ti",
        "requests.memory, 0, 0",
        "limits.memory, 1500, 1500",
        "ephemeral-storage, 10485760, 10Mi",
        "hugepages-2Mi, 4194304, 4Mi",
        "requests.nvidia.com/gpu, 2048, 2048",
        "nvidia.com/gpu, 8, 8",
        "pods, 1024, 1024",
        "count/pods, 1024, 1024"
    })
    void amountsAreAsUsersWriteThem(String resource, long amount, String words) {
        assertThat(Words.amount(resource, amount)).isEqualTo(words);
    }
}
