package dev.muster.podmanager.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LaunchingTest {
    private static final String AGENT = "/dev/muster/podmanager/agent/agent.py";

    @Test
    void agentThatIsToldNoPortListensWhereLaunchersLookForIt() throws IOException {
        try (var in = Objects.requireNonNull(LaunchingTest.class.getResourceAsStream(AGENT))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\"MUSTER_AGENT_PORT\", \"%d\"".formatted(Launching.PORT));
        }
    }
}
