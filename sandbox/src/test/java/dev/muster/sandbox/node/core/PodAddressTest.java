package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodAddressTest {
    @Test
    void isTheSameInEveryJvm() {
        assertThat(PodAddress.of("default", "resnet-worker-0")).isEqualTo("127.247.84.41");
    }

    @Test
    void dependsOnTheNamespace() {
        assertThat(PodAddress.of("a", "x-0")).isNotEqualTo(PodAddress.of("b", "x-0"));
    }

    @Test
    void tenThousandRanksOfOneRoleDoNotMeet() {
        var addresses = new TreeSet<String>();
        for (int rank = 0; rank < 10_000; rank++) {
            addresses.add(PodAddress.of("ml", "big-worker-" + rank));
        }
        assertThat(addresses).hasSize(10_000);
    }

    @Test
    void staysAwayFromTheMachinesOwnAddresses() {
        for (int i = 0; i < 20_000; i++) {
            assertThat(PodAddress.of("n" + i, "x"))
                    .matches(
                            "127\\.([1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-4])\\.[0-9]+\\.[1-9][0-9]*")
                    .doesNotEndWith(".255");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "pod,      ,    ,    pod",
        "pod,      host,    ,    pod",
        "pod,      host, job, host",
        "pod,      , job, pod",
    })
    void aHostNameCountsOnlyWhereASubdomainMakesItAName(
            String name, String hostname, String subdomain, String host) {
        var pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withHostname(hostname)
                        .withSubdomain(subdomain)
                        .endSpec()
                        .build();
        assertThat(PodAddress.host(pod)).isEqualTo(host);
    }
}
