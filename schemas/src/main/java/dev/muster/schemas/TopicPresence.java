package dev.muster.schemas;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Whether a topic is there. Producers must not ask for one that is not: where the broker allows it,
 * that makes the topic, with a shape of the broker's own.
 */
public final class TopicPresence {
    private TopicPresence() {}

    /**
     * Asks the broker, for as long as the settings allow.
     *
     * @param kafka the settings of an administrator's client
     * @throws ExecutionException when the topic is not there, or nobody says whether it is
     */
    public static void require(Map<String, Object> kafka, Topic<?> topic)
            throws ExecutionException, InterruptedException {
        try (var admin = Admin.create(kafka)) {
            var _ = admin.describeTopics(List.of(topic.name())).allTopicNames().get();
        }
    }
}
