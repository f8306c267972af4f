package dev.muster.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureGatesTest {
    @Test
    void kubernetesAsItComesHasNoFlag() {
        assertThat(FeatureGates.NONE.flags()).isEmpty();
        assertThat(FeatureGates.NONE.flagsOfServer()).isEmpty();
    }

    @Test
    void everyProgramIsToldOfTheFeaturesAndTheServerAloneOfTheApis() {
        var gates = new FeatureGates(List.of("One", "Two"), List.of("group/v1", "group/v2"));

        assertThat(gates.flags()).containsExactly("--feature-gates=One=true,Two=true");
        assertThat(gates.flagsOfServer())
                .containsExactly(
                        "--feature-gates=One=true,Two=true",
                        "--runtime-config=group/v1=true,group/v2=true");
    }
}
