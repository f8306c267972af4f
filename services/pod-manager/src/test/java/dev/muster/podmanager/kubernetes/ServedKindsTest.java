package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.podmanager.kubernetes.ApiServer.Reply;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API server's list of a group's resources says of a kind. */
class ServedKindsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void aKindIsServedWhereItsResourceIsListed() throws IOException {
        assertThat(ServedKinds.lists(reply(200, "queues", "podgroups"), "podgroups")).isTrue();
        assertThat(ServedKinds.lists(reply(200, "queues"), "podgroups")).isFalse();
        assertThat(ServedKinds.lists(reply(200), "podgroups")).isFalse();
    }

    @Test
    void aGroupThatIsNotFoundIsNotServed() throws IOException {
        assertThat(ServedKinds.lists(reply(404), "podgroups")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 500, 502, 503, 504})
    void anErrorSaysNothing(int code) {
        assertThatThrownBy(() -> ServedKinds.lists(reply(code), "podgroups"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("HTTP " + code);
    }

    private static Reply reply(int code, String... resources) {
        var body = MAPPER.createObjectNode();
        var list = body.putArray("resources");
        for (var name : resources) {
            list.addObject().put("name", name);
        }
        return new Reply(code, body, Duration.ZERO);
    }
}
