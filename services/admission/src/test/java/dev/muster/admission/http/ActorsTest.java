package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.AdmissionConfig;
import dev.muster.schemas.contract.Limits;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

class ActorsTest {
    private static final String HEADER = "X-Remote-User";

    @Test
    void whoAsksIsWhomTheHeaderNames() {
        assertThat(of(HEADER, "alice@example.com")).isEqualTo("alice@example.com");
        assertThat(of(HEADER, "  Alice (on call) ")).isEqualTo("Alice (on call)");
        assertThat(of(HEADER, "a".repeat(Limits.HTTP_ACTOR_CHARACTERS)))
                .hasSize(Limits.HTTP_ACTOR_CHARACTERS);
    }

    @Test
    void nobodyIsNamedWhereThereIsNoHeader() {
        assertThat(of(HEADER, null)).isEqualTo("http");
        assertThat(of(HEADER, " ")).isEqualTo("http");
        assertThat(of("", "alice")).isEqualTo("http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\tb", "a\u0007", "\u00e9", "a\u007f"})
    void whatCannotBePrintedIsNoName(String given) {
        assertThatThrownBy(() -> of(HEADER, given))
                .isInstanceOfSatisfying(
                        Actors.UnusableException.class,
                        e -> assertThat(e.problem().path()).isEqualTo(HEADER));
    }

    @Test
    void norIsWhatIsTooLong() {
        assertThatThrownBy(() -> of(HEADER, "a".repeat(Limits.HTTP_ACTOR_CHARACTERS + 1)))
                .isInstanceOf(Actors.UnusableException.class);
    }

    private static String of(String header, @Nullable String given) {
        var http = new MockHttpServletRequest();
        if (given != null) {
            http.addHeader(HEADER, given);
        }
        var second = Duration.ofSeconds(1);
        return new Actors(
                        new AdmissionConfig(
                                second, second, DataSize.ofMegabytes(1), Set.of(), header, 0))
                .of(http);
    }
}
