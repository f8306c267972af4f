package dev.muster.sandbox.node;

import static dev.muster.sandbox.node.Cluster.end;
import static dev.muster.sandbox.node.Cluster.main;
import static dev.muster.sandbox.node.Cluster.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.node.core.PodAddress;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LocalNodeIT {
    private final Cluster cluster = Cluster.shared();

    @Test
    void aPodRunsToItsEndAndItsLogIsReadThroughTheApiServer() {
        cluster.create(cluster.pod("hello", "echo hello; echo world >&2"));

        var pod = cluster.awaitPhase("hello", "Succeeded");

        assertThat(end(pod).getExitCode()).isZero();
        assertThat(end(pod).getReason()).isEqualTo("Completed");
        assertThat(main(pod).getImageID()).isEqualTo("sandbox");
        assertThat(pod.getStatus().getPodIP()).isEqualTo(PodAddress.of(cluster.namespace, "hello"));
        assertThat(pod.getStatus().getConditions())
                .filteredOn(condition -> condition.getType().equals("Ready"))
                .extracting(PodCondition::getStatus, PodCondition::getReason)
                .containsExactly(tuple("False", "PodCompleted"));
        assertThat(cluster.log("hello")).isEqualTo("hello\nworld\n");
        assertThat(cluster.pods("hello").tailingLines(1).getLog()).isEqualTo("world\n");
    }

    @Test
    void anExitCodeIsReported() {
        cluster.create(cluster.pod("three", "exit 3"));

        var pod = cluster.awaitPhase("three", "Failed");

        assertThat(end(pod).getExitCode()).isEqualTo(3);
        assertThat(end(pod).getReason()).isEqualTo("Error");
    }

    @Test
    void aSignalIsReportedAsItsNumberAnd128() {
        // Kubernetes makes $$ one dollar sign.
        cluster.create(cluster.pod("killed", "kill -9 $$$$"));

        assertThat(end(cluster.awaitPhase("killed", "Failed")).getExitCode()).isEqualTo(137);
    }

    @Test
    void aCommandThatIsNotThereFailsThePodWithItsName() {
        var pod = cluster.pod("nothing", "");
        cluster.create(
                pod.editSpec()
                        .editFirstContainer()
                        .withCommand("no-such-program")
                        .endContainer()
                        .endSpec());

        var end = end(cluster.awaitPhase("nothing", "Failed"));

        assertThat(end.getExitCode()).isEqualTo(128);
        assertThat(end.getReason()).isEqualTo("StartError");
        assertThat(end.getMessage()).contains("\"no-such-program\"", "not found");
    }

    @Test
    void ofTwoContainersEachHasItsOwnEndAndLog() {
        var pod = cluster.pod("two", "echo from main");
        cluster.create(
                pod.editSpec()
                        .addNewContainer()
                        .withName("other")
                        .withImage("none")
                        .withCommand("sh", "-c", "echo from other; exit 4")
                        .endContainer()
                        .endSpec());

        var status = cluster.awaitPhase("two", "Failed").getStatus();

        assertThat(status.getContainerStatuses())
                .extracting(
                        ContainerStatus::getName,
                        container -> container.getState().getTerminated().getExitCode())
                .containsExactly(tuple("main", 0), tuple("other", 4));
        assertThat(cluster.pods("two").inContainer("other").getLog()).isEqualTo("from other\n");
        assertThat(cluster.pods("two").inContainer("main").getLog()).isEqualTo("from main\n");
    }

    @Test
    void initContainersRunInOrderAndSidecarsAroundTheMainOne() {
        var pod = cluster.pod("ordered", "cat /shared/log; echo main");
        cluster.create(
                pod.editSpec()
                        .addNewVolume()
                        .withName("shared")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .endVolume()
                        .addNewInitContainer()
                        .withName("first")
                        .withImage("none")
                        .withCommand("sh", "-c", "echo first >> /shared/log")
                        .addNewVolumeMount()
                        .withName("shared")
                        .withMountPath("/shared")
                        .endVolumeMount()
                        .endInitContainer()
                        .addNewInitContainer()
                        .withName("side")
                        .withImage("none")
                        .withRestartPolicy("Always")
                        .withCommand("sh", "-c", "trap 'exit 0' TERM; sleep 1000 & wait")
                        .endInitContainer()
                        .addNewInitContainer()
                        .withName("second")
                        .withImage("none")
                        .withCommand("sh", "-c", "echo second >> $MUSTER_SANDBOX_ROOT/shared/log")
                        .addNewVolumeMount()
                        .withName("shared")
                        .withMountPath("/shared")
                        .endVolumeMount()
                        .endInitContainer()
                        .editFirstContainer()
                        .addNewVolumeMount()
                        .withName("shared")
                        .withMountPath("/shared")
                        .endVolumeMount()
                        .endContainer()
                        .endSpec());

        var status = cluster.awaitPhase("ordered", "Succeeded").getStatus();

        assertThat(cluster.pods("ordered").inContainer("main").getLog())
                .isEqualTo("first\nsecond\nmain\n");
        assertThat(status.getInitContainerStatuses())
                .extracting(container -> container.getState().getTerminated().getExitCode())
                .containsExactly(0, 0, 0);
    }

    @Test
    void configMapsSecretsAndThePodItselfReachEnvironmentAndFiles() {
        cluster.configMap("settings", "rate", "0.1");
        cluster.secret("key", "token", "s3cret$(RATE)");
        var pod =
                cluster.pod(
                        "inputs",
                        "echo $RATE $TOKEN $NAME $NODE $RATE_TWICE $OPTIONAL; cat /etc/in/rate; pwd");
        cluster.create(
                pod.editSpec()
                        .addNewVolume()
                        .withName("in")
                        .withNewConfigMap()
                        .withName("settings")
                        .endConfigMap()
                        .endVolume()
                        .editFirstContainer()
                        .withWorkingDir("/etc/in")
                        .addNewVolumeMount()
                        .withName("in")
                        .withMountPath("/etc/in")
                        .endVolumeMount()
                        .addNewEnv()
                        .withName("RATE")
                        .withNewValueFrom()
                        .withNewConfigMapKeyRef("rate", "settings", false)
                        .endValueFrom()
                        .endEnv()
                        .addNewEnv()
                        .withName("TOKEN")
                        .withNewValueFrom()
                        .withNewSecretKeyRef("token", "key", false)
                        .endValueFrom()
                        .endEnv()
                        .addNewEnv()
                        .withName("NAME")
                        .withNewValueFrom()
                        .withNewFieldRef("v1", "metadata.name")
                        .endValueFrom()
                        .endEnv()
                        .addNewEnv()
                        .withName("NODE")
                        .withNewValueFrom()
                        .withNewFieldRef("v1", "spec.nodeName")
                        .endValueFrom()
                        .endEnv()
                        .addNewEnv()
                        .withName("RATE_TWICE")
                        .withValue("$(RATE)-$(RATE)")
                        .endEnv()
                        .addNewEnv()
                        .withName("OPTIONAL")
                        .withNewValueFrom()
                        .withNewConfigMapKeyRef("none", "settings", true)
                        .endValueFrom()
                        .endEnv()
                        .endContainer()
                        .endSpec());

        cluster.awaitPhase("inputs", "Succeeded");

        assertThat(cluster.log("inputs").lines().limit(1))
                .containsExactly("0.1 s3cret$(RATE) inputs " + cluster.node + " 0.1-0.1");
        assertThat(cluster.log("inputs").lines().skip(1).findFirst().orElseThrow())
                .startsWith("0.1")
                .endsWith("/volumes/in");
    }

    @Test
    void aContainerWaitsForItsConfigMapAndSaysWhichOne() {
        var pod = cluster.pod("early", "echo $LATE");
        cluster.create(
                pod.editSpec()
                        .editFirstContainer()
                        .addNewEnvFrom()
                        .withNewConfigMapRef("later", false)
                        .endEnvFrom()
                        .endContainer()
                        .endSpec());
        await().untilAsserted(() -> {
            var waiting = waiting(cluster.get("early"));
            assertThat(waiting.getReason()).isEqualTo("CreateContainerConfigError");
            assertThat(waiting.getMessage()).isEqualTo("configmap \"later\" not found");
        });

        cluster.configMap("later", "LATE", "there now");

        cluster.awaitPhase("early", "Succeeded");
        assertThat(cluster.log("early")).isEqualTo("there now\n");
    }

    @Test
    void aPodIsReadyWhenItsProbeSaysSo() {
        var pod =
                cluster.pod(
                        "probed", "while ! [ -e go ]; do sleep 0.1; done; touch ready; sleep 1000");
        cluster.create(
                pod.editSpec()
                        .editFirstContainer()
                        .withNewReadinessProbe()
                        .withNewExec()
                        .withCommand("test", "-e", "ready")
                        .endExec()
                        .withPeriodSeconds(1)
                        .endReadinessProbe()
                        .endContainer()
                        .endSpec());
        cluster.awaitRunning("probed");
        assertThat(main(cluster.get("probed")).getReady()).isFalse();

        cluster.touch("probed", "go");

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(main(cluster.get("probed")).getReady()).isTrue());
    }

    @Test
    void aPodThatPassesItsDeadlineFails() {
        var pod = cluster.pod("slow", "sleep 1000");
        cluster.create(pod.editSpec().withActiveDeadlineSeconds(1L).endSpec());

        var status = cluster.awaitPhase("slow", "Failed").getStatus();

        assertThat(status.getReason()).isEqualTo("DeadlineExceeded");
        assertThat(
                        status.getContainerStatuses()
                                .getFirst()
                                .getState()
                                .getTerminated()
                                .getExitCode())
                .isEqualTo(143);
    }

    @Test
    void aLogIsFollowedUntilTheContainerEnds() {
        var pod =
                cluster.pod("talking", "echo one; while ! [ -e go ]; do sleep 0.1; done; echo two");
        cluster.create(pod);
        cluster.awaitRunning("talking");
        var heard = new ByteArrayOutputStream();

        try (var watch = cluster.pods("talking").watchLog(heard)) {
            await().untilAsserted(() -> assertThat(heard).asString().isEqualTo("one\n"));
            cluster.touch("talking", "go");
            await().untilAsserted(() -> assertThat(heard).asString().isEqualTo("one\ntwo\n"));
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void whatAContainerLeavesBehindEndsWithIt() {
        cluster.create(cluster.pod("untidy", "setsid sleep 98765 & sleep 98765 & exit 0"));

        cluster.awaitPhase("untidy", "Succeeded");

        Cluster.awaitNothingRuns("sleep 98765");
    }
}
