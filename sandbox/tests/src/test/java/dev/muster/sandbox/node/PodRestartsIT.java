package dev.muster.sandbox.node;

import static dev.muster.sandbox.node.Cluster.end;
import static dev.muster.sandbox.node.Cluster.main;
import static dev.muster.sandbox.node.Cluster.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PodRestartsIT {
    private final Cluster cluster = Cluster.shared();

    @Test
    void aFailingContainerIsStartedAgainUntilItSucceeds() {
        var script = "echo x >> /keep/tries; [ $(wc -l < /keep/tries) = 3 ] || exit 5";
        cluster.create(withPolicy(cluster.pod("third-time", script), "OnFailure"));

        var pod = cluster.awaitPhase("third-time", "Succeeded");

        assertThat(main(pod).getRestartCount()).isEqualTo(2);
        assertThat(end(pod).getExitCode()).isZero();
        assertThat(main(pod).getLastState().getTerminated().getExitCode()).isEqualTo(5);
    }

    @Test
    void betweenRestartsAContainerWaitsAndItsPodIsRunning() {
        cluster.create(withPolicy(cluster.pod("crashing", "echo try; exit 6"), "Always"));

        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> {
                    var pod = cluster.get("crashing");
                    var status = main(pod);
                    assertThat(status.getRestartCount()).isGreaterThanOrEqualTo(2);
                    assertThat(waiting(pod).getReason()).isEqualTo("CrashLoopBackOff");
                    assertThat(status.getLastState().getTerminated().getExitCode()).isEqualTo(6);
                });
        assertThat(cluster.get("crashing").getStatus().getPhase()).isEqualTo("Running");
        assertThat(cluster.log("crashing")).isEqualTo("try\n");
        assertThat(cluster.pods("crashing").terminated().getLog()).isEqualTo("try\n");
    }

    @Test
    void aRuleOfItsContainerRestartsWhatThePodWouldNot() {
        var script = "echo x >> /keep/tries; [ $(wc -l < /keep/tries) = 3 ] && exit 1; exit 42";
        cluster.create(
                withPolicy(cluster.pod("on-42", script), "Never")
                        .editSpec()
                        .editFirstContainer()
                        .withRestartPolicy("Never")
                        .addNewRestartPolicyRule()
                        .withAction("Restart")
                        .withNewExitCodes()
                        .withOperator("In")
                        .withValues(42)
                        .endExitCodes()
                        .endRestartPolicyRule()
                        .endContainer()
                        .endSpec());

        var pod = cluster.awaitPhase("on-42", "Failed");

        assertThat(main(pod).getRestartCount()).isEqualTo(2);
        assertThat(end(pod).getExitCode()).isEqualTo(1);
        assertThat(main(pod).getLastState().getTerminated().getExitCode()).isEqualTo(42);
    }

    private static PodBuilder withPolicy(PodBuilder pod, String policy) {
        return pod.editSpec()
                .withRestartPolicy(policy)
                .addNewVolume()
                .withName("keep")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .editFirstContainer()
                .addNewVolumeMount()
                .withName("keep")
                .withMountPath("/keep")
                .endVolumeMount()
                .endContainer()
                .endSpec();
    }
}
