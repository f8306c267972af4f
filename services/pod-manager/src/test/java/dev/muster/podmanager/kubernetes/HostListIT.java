package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.ApiAnswer;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.TokenBucket;
import dev.muster.podmanager.kubernetes.Cluster.Written;
import dev.muster.sandbox.TestParts;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Writes of a launcher's host list by two pod-managers, one of which is late. */
class HostListIT {
    private static final String NOT_THERE = "1";
    private static final JobName JOB = new JobName("host-lists", "late");
    private static final KubernetesClient KUBERNETES =
            new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(new File(TestParts.kubeconfig().toString())))
                    .build();

    private final Cluster cluster =
            new Cluster(
                    new ApiServer(
                            KUBERNETES,
                            new RateLimit(
                                    new TokenBucket(100, 100, Instant.now()),
                                    100,
                                    InstantSource.system()),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(30)),
                    "host-list-it");

    @BeforeAll
    static void namespace() {
        KUBERNETES
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(JOB.namespace())
                                .endMetadata()
                                .build())
                .serverSideApply();
    }

    @AfterAll
    static void close() {
        KUBERNETES.close();
    }

    private Written write(String over, String hosts) throws IOException {
        var list =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("late-hosts")
                        .withNamespace(JOB.namespace())
                        .withResourceVersion(over)
                        .endMetadata()
                        .withData(Map.of("hosts", hosts))
                        .build();
        return cluster.write(
                JOB, new Apply(Kind.HOST_LIST, list, Edits.LOOKED_AT), Guard.Sending::send);
    }

    private static String hosts() {
        return KUBERNETES
                .configMaps()
                .inNamespace(JOB.namespace())
                .withName("late-hosts")
                .get()
                .getData()
                .get("hosts");
    }

    @Test
    void lateWriteFindsWhatCameMeanwhileAndChangesNothing() throws Exception {
        var first = write(NOT_THERE, "first");
        assertThat(first.answer()).isEqualTo(new ApiAnswer.Done());
        var version = Objects.requireNonNull(Objects.requireNonNull(first.made()).version());

        assertThat(write(NOT_THERE, "made late").answer()).isEqualTo(new ApiAnswer.Changed());
        assertThat(hosts()).isEqualTo("first");

        assertThat(write(version, "second").answer()).isEqualTo(new ApiAnswer.Done());
        assertThat(hosts()).isEqualTo("second");

        assertThat(write(version, "changed late").answer()).isEqualTo(new ApiAnswer.Changed());
        assertThat(hosts()).isEqualTo("second");
    }

    @Test
    void anotherListOfThatNameIsNotMeant() throws Exception {
        write(NOT_THERE, "theirs");
        var list =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("late-hosts")
                        .withNamespace(JOB.namespace())
                        .withUid("e4b1f8a0-0000-4000-8000-000000000000")
                        .endMetadata()
                        .withData(Map.of("hosts", "ours"))
                        .build();
        var before = hosts();
        var ours = new Apply(Kind.HOST_LIST, list, Edits.UNDONE);
        assertThat(cluster.write(JOB, ours, Guard.Sending::send).answer())
                .isEqualTo(new ApiAnswer.Changed());
        assertThat(hosts()).isEqualTo(before);
    }
}
