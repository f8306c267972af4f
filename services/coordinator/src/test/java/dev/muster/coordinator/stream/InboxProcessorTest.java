package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.streams.PacedClients;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InboxProcessorTest {
    @TempDir private Path folder;

    /** A commit that timed out has Kafka Streams close the task and begin anew with what it has. */
    @Test
    void processorThatIsRevivedGoesOnMakingThePool() {
        try (var stage = new Stage()) {
            stage.with(1);
            for (int i = 0; i < 300; i++) {
                stage.send(
                        InboxRecords.submitted(
                                InboxRecords.job("j" + i, i), InboxRecords.workers(2)));
            }
            stage.restartSlowly();
            var context = context(stage);
            var processor = new InboxProcessor(stage.shared(), new PacedClients());

            processor.init(context);
            assertThat(wakings(context)).isEqualTo(1);
            processor.close();
            assertThat(wakings(context)).isZero();
            processor.init(context);
            assertThat(wakings(context)).isEqualTo(1);
            processor.close();
        }
    }

    private MockProcessorContext<byte[], byte[]> context(Stage stage) {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        var task = new TaskId(0, Stage.POOL);
        var context = new MockProcessorContext<byte[], byte[]>(settings, task, folder.toFile());
        context.addStateStore(stage.rows);
        context.addStateStore(stage.specs);
        return context;
    }

    private static long wakings(MockProcessorContext<byte[], byte[]> context) {
        return context.scheduledPunctuators().stream().filter(each -> !each.cancelled()).count();
    }
}
