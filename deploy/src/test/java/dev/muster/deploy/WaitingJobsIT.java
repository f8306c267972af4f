package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that wait cost the API server no write. */
class WaitingJobsIT {
    private static final String OURS = "system:serviceaccount:muster-system:";
    private static final Set<String> WRITES =
            Set.of("create", "update", "patch", "delete", "deletecollection");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String namespace = TheSystem.namespace("waiting");

    @Test
    void nothingIsWrittenForJobsThatAreTooLargeForAnyNode() {
        var large = IntStream.range(0, 10).mapToObj(i -> "large-" + i).toList();
        try (var asked = new Asked();
                var statuses = JobStatuses.open(TheSystem.context())) {
            large.forEach(name -> asked.submit(namespace, name, job(name, "1000"), false));
            await().atMost(PATIENCE).until(() -> large.stream().allMatch(n -> waits(statuses, n)));
            assertThat(writes()).isEmpty();

            // Whose turn comes after theirs: when it has ended all of them were looked at.
            asked.submit(namespace, "small", job("small", "10m"), false);
            assertThat(Jobs.end(statuses, namespace, "small").getPhase())
                    .isEqualTo(Phase.SUCCEEDED);
            assertThat(large).allMatch(name -> waits(statuses, name));
            assertThat(writes())
                    .contains("create pods of small")
                    .allMatch(write -> write.endsWith(" of small"));

            large.forEach(name -> asked.change(namespace, name, JobChangeKind.CANCEL, false));
        }
    }

    private boolean waits(JobStatuses statuses, String name) {
        statuses.news();
        return statuses.of(namespace, name)
                .filter(status -> status.getPhase() == Phase.QUEUED)
                .isPresent();
    }

    /** What our services wrote in the namespace, and of which job. */
    private List<String> writes() {
        return Audit.events(TheSystem.audit(), "\"namespace\":\"" + namespace + "\"").stream()
                .filter(event -> event.at("/user/username").asText().startsWith(OURS))
                .filter(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .filter(event -> WRITES.contains(event.at("/verb").asText()))
                .map(event ->
                        "%s %s of %s"
                                .formatted(
                                        event.at("/verb").asText(),
                                        event.at("/objectRef/resource").asText(),
                                        jobOf(event)))
                .toList();
    }

    /** By the name of the object; who asks for a pod names it only within. */
    private static String jobOf(JsonNode event) {
        var name =
                event.at("/objectRef/name")
                        .asText(event.at("/responseObject/metadata/name").asText());
        return name.replaceFirst("-worker-0$", "");
    }

    private String job(String name, String cpu) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: %s, namespace: %s}
        spec:
          roles:
          - name: worker
            template:
              spec:
                containers:
                - {name: main, image: none, command: ["true"], resources: {requests: {cpu: %s}}}
        """
                .formatted(name, namespace, cpu);
    }
}
