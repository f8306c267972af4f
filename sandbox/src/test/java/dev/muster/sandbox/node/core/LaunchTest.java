package dev.muster.sandbox.node.core;

import static dev.muster.sandbox.node.core.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.node.core.Launch.Place;
import dev.muster.sandbox.node.core.Launch.Plan;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaunchTest {
    private static final String MASTER = PodAddress.of("ml", "net-master-0");
    private static final Place PLACE =
            new Place(
                    "/place",
                    Map.of("PATH", "/bin", "HOSTNAME", "machine"),
                    Fixtures.node(),
                    stated -> stated + 1,
                    new ServiceNames(Map.of("web.shop", "127.0.0.1:18080")));

    @Test
    void aRankFindsItsMasterAtTheJobsPort() {
        var pod =
                with(
                                "MASTER_ADDR", "net-master-0.net",
                                "MASTER_PORT", "23456",
                                "PET_RDZV_ENDPOINT", "$(MASTER_ADDR):$(MASTER_PORT)",
                                "URL", "tcp://net-master-0.net:23456",
                                "OTHER", "net-master-0.net:80 and 23456")
                        .editSpec()
                        .editFirstContainer()
                        .withCommand("run", "--at=$(MASTER_ADDR):$(MASTER_PORT)", "$$(X)")
                        .withArgs("$(URL)", "net-master-0.net:23456")
                        .endContainer()
                        .endSpec()
                        .build();

        var launch = launch(pod, Sources.NONE);

        assertThat(launch.env())
                .containsEntry("MASTER_ADDR", MASTER)
                .containsEntry("MASTER_PORT", "23457")
                .containsEntry("PET_RDZV_ENDPOINT", MASTER + ":23457")
                .containsEntry("URL", "tcp://" + MASTER + ":23457")
                .containsEntry("OTHER", MASTER + ":80 and 23456");
        assertThat(launch.argv())
                .containsExactly(
                        "run",
                        "--at=" + MASTER + ":23457",
                        "$(X)",
                        "tcp://" + MASTER + ":23457",
                        MASTER + ":23457");
    }

    @Test
    void aServiceThatAnswersHereIsFoundByItsName() {
        var pod =
                with("WEB", "http://web.shop", "OTHER", "http://web.mall")
                        .editSpec()
                        .editFirstContainer()
                        .withCommand("run")
                        .withArgs("-c", "get(\"http://web.shop/v1\")", "$(WEB)/v2")
                        .endContainer()
                        .endSpec()
                        .build();

        var launch = launch(pod, Sources.NONE);

        assertThat(launch.env())
                .containsEntry("WEB", "http://127.0.0.1:18080")
                .containsEntry("OTHER", "http://web.mall");
        assertThat(launch.argv())
                .containsExactly(
                        "run",
                        "-c",
                        "get(\"http://127.0.0.1:18080/v1\")",
                        "http://127.0.0.1:18080/v2");
    }

    @Test
    void aRendezvousOfAnotherPortGetsItsOwn() {
        var pod = with("MASTER_PORT", "1000", "PET_RDZV_ENDPOINT", "net-master-0.net:2000");
        assertThat(launch(pod.build(), Sources.NONE).env())
                .containsEntry("MASTER_PORT", "1001")
                .containsEntry("PET_RDZV_ENDPOINT", MASTER + ":2001");
    }

    @Test
    void whatASandboxAddsYieldsToTheSpecAndTheRootYieldsToNobody() {
        var bare = launch(pod().build(), Sources.NONE).env();
        assertThat(bare)
                .isEqualTo(
                        Map.of(
                                "PATH", "/bin",
                                "HOSTNAME", "net-worker-1",
                                "GLOO_SOCKET_IFNAME", "lo",
                                "MUSTER_SANDBOX_ROOT", "/place"));
        var own = with("PATH", "/mine", "GLOO_SOCKET_IFNAME", "eth0", "MUSTER_SANDBOX_ROOT", "x");
        assertThat(launch(own.build(), Sources.NONE).env())
                .containsEntry("PATH", "/mine")
                .containsEntry("GLOO_SOCKET_IFNAME", "eth0")
                .containsEntry("MUSTER_SANDBOX_ROOT", "/place");
    }

    @Test
    void mountPathsAreReplacedEverywhereButNotInWhatIsInherited() {
        var pod =
                with("DATA", "/bin/data")
                        .editSpec()
                        .editFirstContainer()
                        .withCommand("sh", "-c", "ls /bin/x")
                        .withWorkingDir("/bin/work")
                        .addNewVolumeMount()
                        .withName("v")
                        .withMountPath("/bin")
                        .endVolumeMount()
                        .endContainer()
                        .endSpec()
                        .build();

        var launch = launch(pod, Sources.NONE);

        assertThat(launch.argv()).containsExactly("sh", "-c", "ls /place/bin/x");
        assertThat(launch.workingDir()).isEqualTo("/place/bin/work");
        assertThat(launch.env())
                .containsEntry("DATA", "/place/bin/data")
                .containsEntry("PATH", "/bin");
    }

    @Test
    void aVariableIsExpandedByThoseBeforeIt() {
        var pod = with("A", "1", "B", "$(A)$(C)", "A", "2", "C", "$(A)");
        assertThat(launch(pod.build(), Sources.NONE).env())
                .containsEntry("A", "2")
                .containsEntry("B", "1$(C)")
                .containsEntry("C", "2");
    }

    @Test
    void wholeMapsComeFirstAndTheirDollarSignsMeanNothing() {
        var pod =
                with("LATE", "$(x.EARLY)")
                        .editSpec()
                        .editFirstContainer()
                        .addNewEnvFrom()
                        .withPrefix("x.")
                        .withNewSecretRef("s", false)
                        .endEnvFrom()
                        .addNewEnvFrom()
                        .withNewConfigMapRef("absent", true)
                        .endEnvFrom()
                        .endContainer()
                        .endSpec()
                        .build();
        var sources = new Sources(Map.of(), Map.of("s", Map.of("EARLY", bytes("$(A)"))));
        assertThat(launch(pod, sources).env())
                .containsEntry("x.EARLY", "$(A)")
                .containsEntry("LATE", "$(A)");
    }

    @Test
    void allThatIsMissingIsNamedAtOnce() {
        var pod =
                pod().editSpec()
                        .editFirstContainer()
                        .addNewEnvFrom()
                        .withNewConfigMapRef("m", false)
                        .endEnvFrom()
                        .addNewEnv()
                        .withName("A")
                        .withNewValueFrom()
                        .withNewSecretKeyRef("k", "there", false)
                        .endValueFrom()
                        .endEnv()
                        .addNewEnv()
                        .withName("B")
                        .withNewValueFrom()
                        .withNewSecretKeyRef("k", "gone", true)
                        .endValueFrom()
                        .endEnv()
                        .endContainer()
                        .endSpec()
                        .build();
        var sources = new Sources(Map.of(), Map.of("there", Map.of()));
        assertThat(Launch.of(pod, main(pod), sources, PLACE))
                .isEqualTo(
                        new Plan.Missing(
                                "configmap \"m\" not found, couldn't find key k in secret there"));
    }

    @Test
    void argumentsWithoutACommandAreNoCommand() {
        var pod =
                pod().editSpec()
                        .editFirstContainer()
                        .withCommand(List.of())
                        .withArgs("--x")
                        .endContainer()
                        .endSpec()
                        .build();
        assertThat(launch(pod, Sources.NONE).argv()).isEmpty();
    }

    private static Launch launch(Pod pod, Sources sources) {
        return ((Plan.Ready) Launch.of(pod, main(pod), sources, PLACE)).launch();
    }

    private static io.fabric8.kubernetes.api.model.Container main(Pod pod) {
        return pod.getSpec().getContainers().getFirst();
    }

    private static PodBuilder with(String... namesAndValues) {
        var pod = pod();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            pod =
                    pod.editSpec()
                            .editFirstContainer()
                            .addNewEnv()
                            .withName(namesAndValues[i])
                            .withValue(namesAndValues[i + 1])
                            .endEnv()
                            .endContainer()
                            .endSpec();
        }
        return pod;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
