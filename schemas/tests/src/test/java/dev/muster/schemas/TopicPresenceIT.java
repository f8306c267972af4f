package dev.muster.schemas;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

class TopicPresenceIT {
    private static final Map<String, Object> KAFKA =
            Map.of("bootstrap.servers", TestParts.bootstrapServers());

    @Test
    void topicIsThereOnceItIsMade() throws Exception {
        try (var admin = Admin.create(KAFKA)) {
            admin.deleteTopics(admin.listTopics().names().get()).all().get();
            await().until(() -> admin.listTopics().names().get().isEmpty());

            assertThatThrownBy(() -> TopicPresence.require(KAFKA, Topics.INBOX))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);

            var _ = new TopicCreator(admin, 1).run();
            await().ignoreExceptions()
                    .untilAsserted(() -> TopicPresence.require(KAFKA, Topics.INBOX));
        }
    }
}
