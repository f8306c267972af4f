package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownwardFieldsTest {
    private static final DownwardFields FIELDS =
            new DownwardFields(Fixtures.pod().build(), Fixtures.node());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "metadata.name                | net-worker-1",
                "metadata.namespace           | ml",
                "metadata.uid                 | u-1",
                "metadata.labels['role']      | worker",
                "metadata.labels['none']      | ``",
                "metadata.labels              | role=\"worker\"",
                "metadata.annotations['note'] | a \"b\"",
                "metadata.annotations         | note=\"a \\\"b\\\"\"",
                "spec.nodeName                | here",
                "status.hostIP                | 127.0.0.1",
            })
    void aPodKnowsItself(String path, String value) {
        assertThat(FIELDS.field(path)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "requests.cpu,    1,   1",
        "requests.cpu,    1m,  500",
        "limits.memory,   1Mi, 2048",
        "limits.memory,   0,   2147483648",
        "requests.memory, 1Mi, 2048",
        "limits.cpu,      1,   8",
        "limits.none,     1,   0",
    })
    void resourcesAreRoundedUpToTheDivisor(String resource, String divisor, String value) {
        var container =
                new ContainerBuilder()
                        .withName("main")
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("500m"))
                        .addToLimits("memory", new Quantity("2Gi"))
                        .endResources()
                        .build();
        var wanted = new ResourceFieldSelector("main", new Quantity(divisor), resource);
        assertThat(FIELDS.resource(container, wanted)).isEqualTo(value);
    }
}
