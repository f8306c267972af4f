package dev.muster.podmanager.kubernetes;

import dev.muster.podmanager.core.Agent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Supplier;

/** The agent's source, each time with another token of 256 random bits. */
public final class AgentFiles implements Supplier<Agent.Files> {
    private static final String SOURCE = "/dev/muster/podmanager/agent/agent.py";
    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final String program = program();

    private static String program() {
        try (var in = AgentFiles.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the agent is not among the resources");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Agent.Files get() {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new Agent.Files(program, HexFormat.of().formatHex(bytes));
    }
}
