package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.Framework;
import dev.muster.v1.TrainJobSpec;
import java.util.List;
import org.apache.avro.util.ClassUtils;
import org.junit.jupiter.api.Test;

class ContractTrustTest {
    @Test
    void builderFillsInTheDefaultOfAnEnum() {
        assertThat(TrainJobSpec.newBuilder().setRoles(List.of()).build().getFramework())
                .isEqualTo(Framework.NONE);
    }

    @Test
    void onlyTheContractIsTrusted() {
        assertThat(new ExitCodeRange(1, 2).getFirst()).isEqualTo(1);

        assertThatExceptionOfType(SecurityException.class)
                .isThrownBy(() ->
                        ClassUtils.forName(getClass().getClassLoader(), Topics.class.getName()))
                .withMessageContaining("not trusted");
    }
}
