package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterNamesTest {
    private static final String PEER = PodAddress.of("ml", "net-worker-7");
    private static final ClusterNames NAMES =
            new ClusterNames(
                    new PodBuilder()
                            .withNewMetadata()
                            .withNamespace("ml")
                            .withName("launcher")
                            .endMetadata()
                            .withNewSpec()
                            .withSubdomain("net")
                            .endSpec()
                            .build(),
                    Map.of("23456", "20001"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "net-worker-7.net",
                "net-worker-7.net.ml",
                "net-worker-7.net.ml.svc",
                "net-worker-7.net.ml.svc.cluster.local",
                "net-worker-7.net.ml.svc.cluster.local.",
                "net-worker-7.other.ml.svc",
            })
    void everyFormOfAPodsNameBecomesItsAddress(String name) {
        assertThat(NAMES.resolve(name)).isEqualTo(PEER);
        assertThat(NAMES.resolve("--hosts=" + name + ":80," + name))
                .isEqualTo("--hosts=" + PEER + ":80," + PEER);
        assertThat(NAMES.resolve("tcp://" + name + ":23456/x"))
                .isEqualTo("tcp://" + PEER + ":20001/x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "train.net",
                "net",
                "net-worker-7",
                "net-worker-7.other",
                "net-worker-7.other.ml",
                "net-worker-7.net.com",
                "net-worker-7.network",
                "www.net-worker-7.net",
                "/data/net-worker-7.net",
                "x_net-worker-7.net",
                "net-worker-7.net_",
                "http://example.org/a.b",
                "3.14",
                "",
            })
    void whatIsNoNameOfAPodStays(String text) {
        assertThat(NAMES.resolve(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"launcher.net", "launcher.net.ml", "launcher.net:23457"})
    void aPodKnowsItselfWithoutANumber(String name) {
        assertThat(NAMES.resolve(name)).startsWith(PodAddress.of("ml", "launcher"));
    }

    @org.junit.jupiter.api.Test
    void anotherNamespaceIsMeantByItsName() {
        assertThat(NAMES.resolve("db-0.db.prod.svc")).isEqualTo(PodAddress.of("prod", "db-0"));
    }
}
