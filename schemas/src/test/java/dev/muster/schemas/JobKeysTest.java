package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.schemas.JobKeys.Parts;
import dev.muster.v1.JobRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobKeysTest {
    @Test
    void keyOfARequestIsNamespaceAndName() {
        assertThat(JobKeys.parse(JobKeys.of("ml", "resnet")))
                .isEqualTo(new Parts("ml", "resnet", null));
    }

    @Test
    void keyOfASubmissionEndsWithItsUid() {
        assertThat(JobKeys.of(new JobRef("ml", "resnet", "3-4711")))
                .isEqualTo("ml/resnet@3-4711")
                .isEqualTo(JobKeys.of("ml", "resnet", new Uid(3, 4711)));
        assertThat(JobKeys.parse("ml/resnet@3-4711"))
                .isEqualTo(new Parts("ml", "resnet", new Uid(3, 4711)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "ml", "ml/", "/resnet", "ml/resnet/2", "ml/resnet@", "m/r@x"})
    void keyOfAnotherFormIsRefused(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobKeys.parse(key))
                .withMessageContaining("form");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "-4711", "3-", "3--1", "03-1", "3-+1", "x-1", "3-4711 "})
    void uidOfAnotherFormIsRefused(String uid) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Uid.parse(uid))
                .withMessageEndingWith("'" + uid + "'");
    }

    @Test
    void newerUidHasTheLargerOffset() {
        assertThat(Uid.parse("3-10")).isGreaterThan(Uid.parse("3-9"));
        assertThat(Uid.parse("1-10")).isGreaterThan(Uid.parse("3-9"));
    }
}
