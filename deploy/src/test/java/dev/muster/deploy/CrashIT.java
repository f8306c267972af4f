package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.Phase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ten jobs run while each service in turn is killed and started again. */
class CrashIT {
    private static final int JOBS = 10;
    private static final List<String> SERVICES =
            List.of("admission", "coordinator", "pod-manager", "watcher");
    private static final Set<Phase> ENDS =
            Set.of(Phase.SUCCEEDED, Phase.FAILED, Phase.CANCELLED, Phase.REFUSED);

    @BeforeAll
    static void jobsRunWhileServicesAreKilled() throws Exception {
        var system = TheSystem.get();
        var namespace =
                Manifests.kubectl(
                        "--kubeconfig=" + system.context().kubeconfig(),
                        "create",
                        "namespace",
                        "crash");
        assertThat(namespace.exitCode()).as(namespace.text()).isZero();
        int next = 0;
        try (var requests = Requests.open(system.context(), "crash test")) {
            for (var service : SERVICES) {
                submit(requests, next++);
                var process = system.services().get(service);
                process.kill();
                // What is asked while it is gone must not be lost either.
                submit(requests, next++);
                process.restart();
            }
            for (; next < JOBS; next++) {
                submit(requests, next);
            }
        }
        try (var statuses = JobStatuses.open(system.context())) {
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> {
                        statuses.news();
                        assertThat(phases(statuses)).hasSize(JOBS).allMatch(ENDS::contains);
                    });
        }
    }

    private static List<Phase> phases(JobStatuses statuses) {
        return IntStream.range(0, JOBS)
                .mapToObj(i -> statuses.of("crash", "job" + i))
                .flatMap(Optional::stream)
                .map(status -> status.getPhase())
                .toList();
    }

    @Test
    void everyJobSucceeds() {
        try (var statuses = JobStatuses.open(context())) {
            assertThat(phases(statuses)).hasSize(JOBS).containsOnly(Phase.SUCCEEDED);
        }
    }

    @Test
    void everyJobHasOneEndAndEventsWithoutAGap() {
        var events =
                Records.of(context(), Topics.JOB_EVENTS).stream()
                        .filter(record -> record.key().startsWith("crash/"))
                        .collect(
                                Collectors.groupingBy(
                                        ConsumerRecord::key, TreeMap::new, Collectors.toList()));
        assertThat(events).hasSize(JOBS);
        events.forEach((job, records) -> {
            assertThat(records)
                    .as("numbers of %s", job)
                    .extracting(record -> record.value().getEnvelope().getSeq())
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, records.size())
                                    .mapToObj(Long::valueOf)
                                    .toList());
            assertThat(records.stream().filter(record -> isEnd(record.value())))
                    .as("ends of %s", job)
                    .hasSize(1);
        });
    }

    @Test
    void noRankEverHadTwoLivingPods() {
        var made =
                auditOfPods().stream()
                        .filter(event -> event.at("/verb").asText().equals("create"))
                        .filter(event -> event.at("/responseStatus/code").asInt() == 201)
                        .collect(
                                Collectors.groupingBy(
                                        event -> event.at("/objectRef/name").asText(),
                                        TreeMap::new,
                                        Collectors.counting()));
        assertThat(made).hasSize(2 * JOBS);
        assertThat(made.values()).containsOnly(1L);
    }

    private static List<JsonNode> auditOfPods() {
        var audit = TheSystem.get().sandbox().audit().orElseThrow();
        try (var lines = Files.lines(audit)) {
            return lines.map(CrashIT::json)
                    .filter(event -> event.at("/stage").asText().equals("ResponseComplete"))
                    .filter(event -> event.at("/objectRef/resource").asText().equals("pods"))
                    .filter(event -> event.at("/objectRef/subresource").isMissingNode())
                    .filter(event -> event.at("/objectRef/namespace").asText().equals("crash"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(String line) {
        try {
            return Serialization.jsonMapper().readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isEnd(JobEvent event) {
        return event.getKind() == JobEventKind.MOVED && ENDS.contains(event.getMoved().getTo());
    }

    private static void submit(Requests requests, int number) {
        var yaml =
                """
                apiVersion: muster.dev/v1
                kind: TrainJob
                metadata: {name: job%d, namespace: crash}
                spec:
                  roles:
                  - name: master
                    template: &pod
                      spec:
                        containers:
                        - name: main
                          image: python:3.12
                          command: [sh, -c, "sleep %d"]
                          resources: {requests: {cpu: 50m}}
                  - name: worker
                    template: *pod
                """
                        .formatted(number, 2 + number % 4);
        switch (TrainJobForm.read(yaml)) {
            case Read job -> {
                var _ = requests.submit(job);
            }
            case TrainJobForm.Refused refused -> throw new AssertionError(refused.problems());
        }
    }

    private static Context context() {
        return TheSystem.get().context();
    }
}
