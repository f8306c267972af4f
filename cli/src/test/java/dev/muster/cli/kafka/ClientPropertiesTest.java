package dev.muster.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientPropertiesTest {
    private static final String SECRET = "open-sesame";

    @TempDir private Path folder;
    private Path contextFile = Path.of("");

    @BeforeEach
    void context() throws IOException {
        contextFile = folder.resolve("context.yaml");
        Files.writeString(
                contextFile,
                """
                admission: http://a:1
                bootstrapServers: 127.0.0.1:1
                registry: http://127.0.0.1:1
                clientProperties: kafka/client.properties
                """);
        Files.createDirectory(folder.resolve("kafka"));
    }

    private void write(String properties) throws IOException {
        Files.writeString(folder.resolve("kafka").resolve("client.properties"), properties);
    }

    @Test
    void theFileIsFoundBesideTheContextAndReachesTheClients() throws IOException {
        write(
                """
                security.protocol=SASL_SSL
                sasl.mechanism=PLAIN
                sasl.jaas.config=Module required password="%s";
                bootstrap.servers=elsewhere:9092
                """
                        .formatted(SECRET));

        var context = Context.read(contextFile);

        assertThat(Kafka.common(context))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry("bootstrap.servers", "127.0.0.1:1");
        assertThat(context.toString()).doesNotContain(SECRET);
    }

    @Test
    void theContextThatIsWrittenNamesTheFile() {
        var context = Context.read(contextFile);
        var again = folder.resolve("other").resolve("context.yaml");

        context.write(again);

        assertThat(Context.read(again)).isEqualTo(context);
    }

    @Test
    void aFileThatIsNotThereIsOneLine() {
        var context = Context.read(contextFile);
        assertThatThrownBy(() -> Kafka.common(context))
                .isInstanceOf(CommandFailedException.class)
                .hasMessage(
                        "cannot read clientProperties %s of the context file: there is no such file"
                                .formatted(folder.resolve("kafka/client.properties")));
    }

    @Test
    void aClientThatCannotBeMadeSaysWhyAndTellsNoCredentials() throws IOException {
        write(
                """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=PLAIN
                sasl.jaas.config=Module required password="%s"
                """
                        .formatted(SECRET));
        var context = Context.read(contextFile);
        assertThatThrownBy(() -> Kafka.rehearse(context))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageStartingWith("no client of Kafka can be made with clientProperties: ")
                .message()
                .doesNotContain(SECRET);
    }
}
