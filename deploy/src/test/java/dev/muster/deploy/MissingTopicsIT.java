package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.system.ServiceJars;
import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.service.ServiceProcess;
import dev.muster.sandbox.service.ServiceSpec;
import dev.muster.schemas.Topic;
import dev.muster.schemas.TopicCreator;
import dev.muster.schemas.Topics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * On a broker with Kafka's defaults, which makes every topic that a client asks for, the services
 * come ready once the topics of the catalogue are made, and make none of them.
 */
@Isolated // Four services more than the machine has room for beside others.
@Tag("only-in-profile-long")
class MissingTopicsIT {
    private static final Map<String, String> DEFAULTS =
            Map.of("auto.create.topics.enable", "true", "num.partitions", "1");

    /** Longer than any of them waits before it asks again. */
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir(cleanup = CleanupMode.NEVER)
    private static Path folder;

    @Test
    void servicesThatComeBeforeTheTopicsMakeNone() throws Exception {
        namespaceOfTheLeases();
        var place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        var kafka = Kafka.start(place, List.of(), DEFAULTS);
        var services =
                Stream.of("admission", "coordinator", "pod-manager", "watcher")
                        .map(name -> ServiceProcess.begin(place, spec(name, kafka)))
                        .toList();
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            for (var service : services) {
                Awaitility.await()
                        .atMost(LONG)
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(() -> isEnded(service) || answers(service));
            }
            Awaitility.await()
                    .during(A_WHILE)
                    .atMost(A_WHILE.plusSeconds(10))
                    .untilAsserted(() ->
                            assertThat(admin.listTopics().names().get())
                                    .doesNotContainAnyElementsOf(
                                            Topics.all().stream().map(Topic::name).toList()));

            var _ = new TopicCreator(admin, 1).run();

            services.forEach(MissingTopicsIT::comesReady);
            var made = admin.describeTopics(Topics.all().stream().map(Topic::name).toList());
            var topics = made.allTopicNames().get();
            assertThat(Topics.all())
                    .allSatisfy(topic ->
                            assertThat(topics.get(topic.name()).partitions())
                                    .as(topic.name())
                                    .hasSize(topic.partitions()));
        } finally {
            services.forEach(ServiceProcess::kill);
            kafka.process().kill();
        }
    }

    private static ServiceSpec spec(String name, Kafka kafka) {
        return ServiceSpec.of(name, new ServiceJars(TheSystem.REPOSITORY).of(name))
                .with("spring.kafka.bootstrap-servers", kafka.bootstrapServers())
                .with("spring.kafka.properties.schema.registry.url", TestParts.registryUrl())
                .withVariable("KUBECONFIG", TestParts.kubeconfig().toString());
    }

    private static void namespaceOfTheLeases() throws Exception {
        var answer =
                Manifests.kubectl(
                        "--kubeconfig=" + TestParts.kubeconfig(),
                        "apply",
                        "--filename=" + Manifests.BASE.resolve("namespace.yaml"));
        assertThat(answer.exitCode()).as(answer.text()).isZero();
    }

    private static boolean isEnded(ServiceProcess service) {
        return !service.process().alive();
    }

    private static boolean answers(ServiceProcess service)
            throws IOException, InterruptedException {
        var liveness = URI.create(service.url() + "/actuator/health/liveness");
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(liveness).build();
            return client.send(request, BodyHandlers.discarding()).statusCode() > 0;
        }
    }

    /** Its keeper starts it anew if it has ended, as admission does. */
    private static void comesReady(ServiceProcess service) {
        if (isEnded(service)) {
            service.restart();
        } else {
            service.awaitReady();
        }
    }
}
