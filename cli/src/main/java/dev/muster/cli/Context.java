package dev.muster.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Where the system is that the commands talk to: a small YAML file, written by {@code muster up}.
 * What only some commands need may be left out, empty here; those then say that they lack it.
 *
 * @param admission root of admission's HTTP
 * @param bootstrapServers of Kafka
 * @param registry root of the schema registry's Confluent API
 * @param kubeconfig of the cluster that runs the pods
 * @param clientProperties a file of properties for Kafka's clients, as for TLS and SASL, and for
 *     the registry's; it is named here and read where it is needed, since it may hold credentials;
 *     null: they need none
 */
public record Context(
        String admission,
        String bootstrapServers,
        String registry,
        Path kubeconfig,
        @Nullable Path clientProperties) {
    private static final String VARIABLE = "MUSTER_CONTEXT";

    /** Of a Kafka and a registry that ask for no credentials. */
    public Context(String admission, String bootstrapServers, String registry, Path kubeconfig) {
        this(admission, bootstrapServers, registry, kubeconfig, null);
    }

    /** The file that {@code MUSTER_CONTEXT} names, else {@code ~/.config/muster/context.yaml}. */
    public static Path file() {
        @Nullable String named = System.getenv(VARIABLE);
        return named == null || named.isBlank()
                ? Path.of(System.getProperty("user.home"), ".config", "muster", "context.yaml")
                : Path.of(named);
    }

    /** Reads a context file. */
    public static Context read(Path file) {
        if (!Files.exists(file)) {
            throw CommandFailedException.failed(
                    "no system is known: start one with 'muster up', or name its context file in "
                            + VARIABLE
                            + " (looked for "
                            + file
                            + ")",
                    null);
        }
        try {
            var load = new Load(LoadSettings.builder().setLabel(file.toString()).build());
            return of(load.loadFromString(Files.readString(file)), file);
        } catch (YamlEngineException | IOException e) {
            throw CommandFailedException.failed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Context of(@Nullable Object yaml, Path file) {
        var fields = yaml instanceof Map<?, ?> map ? map : Map.of();
        var admission = field(fields, "admission");
        if (admission.isEmpty()) {
            throw CommandFailedException.failed(file + " lacks admission", null);
        }
        return new Context(
                admission,
                field(fields, "bootstrapServers"),
                field(fields, "registry"),
                Path.of(field(fields, "kubeconfig")),
                besides(file, field(fields, "clientProperties")));
    }

    private static @Nullable Path besides(Path file, String named) {
        return named.isEmpty() ? null : file.toAbsolutePath().resolveSibling(named).normalize();
    }

    private static String field(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? text.strip() : "";
    }

    /**
     * @throws CommandFailedException when the file does not say it
     */
    @Override
    public String bootstrapServers() {
        return needed(bootstrapServers, "bootstrapServers");
    }

    /**
     * @throws CommandFailedException when the file does not say it
     */
    @Override
    public String registry() {
        return needed(registry, "registry");
    }

    /**
     * @throws CommandFailedException when the file does not say it
     */
    @Override
    public Path kubeconfig() {
        return Path.of(needed(kubeconfig.toString(), "kubeconfig"));
    }

    private static String needed(String value, String name) {
        if (value.isEmpty()) {
            throw CommandFailedException.failed(
                    "this command needs " + name + " in the context file", null);
        }
        return value;
    }

    /** Writes the file, whole or not at all. */
    public void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            var next = Files.createTempFile(file.toAbsolutePath().getParent(), "context", ".yaml");
            Files.writeString(next, text());
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private String text() {
        return """
        # Where muster's commands find the system. Written by 'muster up'.
        admission: "%s"
        bootstrapServers: "%s"
        registry: "%s"
        kubeconfig: "%s"
        """
                        .formatted(admission, bootstrapServers, registry, kubeconfig)
                + (clientProperties == null
                        ? ""
                        : "clientProperties: \"%s\"\n".formatted(clientProperties));
    }
}
