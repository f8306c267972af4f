package dev.muster.admission.http;

import dev.muster.schemas.Topic;
import dev.muster.schemas.TopicPresence;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** The topics that were there once. */
final class ExistingTopics {
    private final Map<String, Object> kafka;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /**
     * @param kafka the settings of an administrator's client
     * @param withinMillis the broker is to answer
     */
    ExistingTopics(Map<String, Object> kafka, int withinMillis) {
        this.kafka = new HashMap<>(kafka);
        this.kafka.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, withinMillis);
        this.kafka.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, withinMillis);
    }

    /**
     * Asks the broker, unless the topic is known.
     *
     * @throws ExecutionException when it is not there
     */
    void require(Topic<?> topic) throws ExecutionException, InterruptedException {
        if (!known.contains(topic.name())) {
            TopicPresence.require(kafka, topic);
            known.add(topic.name());
        }
    }
}
