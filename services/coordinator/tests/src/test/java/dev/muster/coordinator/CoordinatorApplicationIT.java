package dev.muster.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.schemas.TopicCreator;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The process as it is deployed, by its own settings. */
class CoordinatorApplicationIT {
    @TempDir private static Path state;
    private static ConfigurableApplicationContext application;

    /** As the other tests on this broker: under another id it would decide all again. */
    @BeforeAll
    static void start() {
        application =
                SpringApplication.run(
                        CoordinatorApplication.class,
                        "--server.port=0",
                        "--spring.kafka.bootstrap-servers=" + TestParts.bootstrapServers(),
                        "--spring.kafka.properties.schema.registry.url=" + TestParts.registryUrl(),
                        "--coordinator.application-id=coordinator-it",
                        "--coordinator.state-dir=" + state,
                        "--coordinator.standby-replicas=0",
                        "--coordinator.session-timeout=10s",
                        "--coordinator.transaction-timeout=10s");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void processIsReadyOnceTheTopicsAreThereAndItsPoolsAreHosted() throws Exception {
        assertThat(get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        try (var admin = Admin.create(Map.of("bootstrap.servers", TestParts.bootstrapServers()))) {
            new TopicCreator(admin, 1).run();
        }

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(get("/actuator/health/readiness").statusCode()).isEqualTo(200));
        assertThat(get("/actuator/prometheus").body())
                .contains("muster_coordinator_pools_hosted 64.0")
                .contains("muster_coordinator_pools_stopped")
                .contains("muster_coordinator_failed_total 0.0");
    }

    private static HttpResponse<String> get(String path) throws Exception {
        var port = application.getEnvironment().getProperty("local.server.port");
        try (var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + port + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }
}
