package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.node.NodeSettings.Shows;
import dev.muster.sandbox.node.core.ServiceNames;
import dev.muster.sandbox.node.core.Taints;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSettingsTest {
    @Test
    void whatIsWrittenAsArgumentsIsRead() {
        var shows =
                new Shows(
                        Map.of("cpu", "8", "memory", "1Gi", "pods", "7", "nvidia.com/gpu", "2"),
                        Map.of("zone", "a", "empty", ""),
                        List.of(
                                Taints.parse("example.com/gpu=yes:NoSchedule"),
                                Taints.parse("leaves=:NoExecute")));
        var settings =
                new NodeSettings(
                        Path.of("/k"),
                        "n",
                        Path.of("/r"),
                        shows,
                        1234,
                        new Manners(
                                NodeSettings.delay(3),
                                true,
                                new ServiceNames(Map.of("web.shop", "127.0.0.1:1080"))));
        assertThat(NodeSettings.parse(settings.arguments())).isEqualTo(settings);
    }

    @Test
    void theDefaultsAreAKubelets() {
        assertThat(NodeSettings.parse(List.of("--kubeconfig=/k", "--name=n", "--root=/r")))
                .isEqualTo(
                        new NodeSettings(
                                Path.of("/k"),
                                "n",
                                Path.of("/r"),
                                Shows.of(4, "8Gi"),
                                0,
                                Manners.KUBELET));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kubeconfig=/k --name=n                      | --root is not set",
                "--kubeconfig=/k --name= --root=/r             | --name is not set",
                "--cpu=3                                       | unknown argument --cpu=3",
                "--resource=cpu                                | --resource=cpu is not of the form",
                "--label==x                                    | --label==x is not of the form",
                "--service=web.shop                            | --service=web.shop is not of the form",
                "--taint=gpu:NoSchedule                        | gpu:NoSchedule is no taint",
                "--taint=gpu=a:Never                           | gpu=a:Never is no taint",
                "--kubeconfig=/k --name=n --root=/r --kubelet-port=x | --kubelet-port is not a number: x",
                "--kubeconfig=/k --name=n --root=/r --restart-delay=-1 | grows from 0s or more",
            })
    void whatIsWrongIsSaid(String arguments, String message) {
        assertThatThrownBy(() -> NodeSettings.parse(List.of(arguments.split(" "))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
