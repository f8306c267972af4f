package dev.muster.admission.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * The topics that were there once. A producer must not ask for others: where the broker allows it,
 * that makes the topic, with a shape of the broker's own.
 */
final class ExistingTopics {
    private final Map<String, Object> kafka;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /**
     * @param kafka the settings of an administrator's client
     */
    ExistingTopics(Map<String, Object> kafka) {
        this.kafka = kafka;
    }

    /**
     * Asks the broker, unless the topic is known.
     *
     * @throws ExecutionException when it is not there
     */
    void require(String topic, long withinMillis)
            throws ExecutionException, InterruptedException, TimeoutException {
        if (known.contains(topic)) {
            return;
        }
        // Its end waits for what was asked.
        var hurried = new HashMap<>(kafka);
        hurried.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) withinMillis);
        hurried.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) withinMillis);
        try (var admin = Admin.create(hurried)) {
            var _ =
                    admin.describeTopics(List.of(topic))
                            .allTopicNames()
                            .get(withinMillis, TimeUnit.MILLISECONDS);
            known.add(topic);
        }
    }
}
