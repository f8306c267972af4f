package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.RunningAdmission;
import java.time.Duration;
import org.awaitility.Awaitility;

/** What users send. */
final class Forms {
    private Forms() {}

    static void makeAPoolAndAQueue(RunningAdmission admission) {
        untilSet(admission, "/v1/pools/default", setting("Pool", "default", ""));
        untilSet(admission, "/v1/queues/default", queue("default", "default"));
    }

    static void untilSet(RunningAdmission admission, String path, String text) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(admission.put(path, text).status()).isEqualTo(200));
    }

    static String job(String name, String role, int replicas) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: default}
        spec:
          roles:
          - name: %s
            replicas: %d
            template:
              spec:
                containers: [{name: main, image: "python:3.12"}]
        """
                .formatted(name, role, replicas);
    }

    static String queue(String name, String pool) {
        return setting("Queue", name, "spec: {pool: " + pool + "}");
    }

    static String setting(String kind, String name, String spec) {
        return """
        apiVersion: muster.dev/v1
        kind: %s
        metadata: {name: %s}
        %s
        """
                .formatted(kind, name, spec);
    }
}
