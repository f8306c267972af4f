package dev.muster.sandbox.node;

import static dev.muster.sandbox.node.Cluster.end;
import static dev.muster.sandbox.node.Cluster.main;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocalNodeIT {
    private static Cluster cluster;

    @BeforeAll
    static void startNode() {
        cluster = Cluster.ofApiServer();
        cluster.startNode();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aPodRunsToItsEndAndItsLogIsReadThroughTheApiServer() {
        cluster.create(cluster.pod("hello", "echo hello; echo world >&2"));

        var pod = cluster.awaitPhase("hello", "Succeeded");

        assertThat(end(pod).getExitCode()).isZero();
        assertThat(end(pod).getReason()).isEqualTo("Completed");
        assertThat(main(pod).getImageID()).isEqualTo("sandbox");
        assertThat(cluster.log("hello")).isEqualTo("hello\nworld\n");
    }

    @Test
    void anExitCodeIsReported() {
        cluster.create(cluster.pod("three", "exit 3"));

        var pod = cluster.awaitPhase("three", "Failed");

        assertThat(end(pod).getExitCode()).isEqualTo(3);
        assertThat(end(pod).getReason()).isEqualTo("Error");
    }
}
