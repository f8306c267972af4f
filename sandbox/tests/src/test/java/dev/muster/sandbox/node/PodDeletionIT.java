package dev.muster.sandbox.node;

import static dev.muster.sandbox.node.Cluster.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.Test;

class PodDeletionIT {
    private final Cluster cluster = Cluster.shared();

    @Test
    void aDeletedPodMayCleanUpAndItsLastStatusTellsHowItEnded() {
        cluster.create(
                cluster.pod("polite", "trap 'echo bye; exit 7' TERM; echo up; sleep 1000 & wait"));
        cluster.awaitLog("polite", "up");
        var seen = new ConcurrentLinkedDeque<Pod>();

        try (var watch = cluster.pods("polite").watch(collecting(seen))) {
            cluster.pods("polite").delete();
            cluster.awaitGone("polite");
            await().untilAsserted(() -> {
                var last = seen.getLast();
                assertThat(last.getStatus().getPhase()).isEqualTo("Failed");
                assertThat(end(last).getExitCode()).isEqualTo(7);
            });
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void aPodThatDoesNotListenIsKilledAfterItsGrace() {
        cluster.create(
                cluster.pod("deaf", "trap '' TERM; echo up; while true; do sleep 87654; done"));
        cluster.awaitLog("deaf", "up");
        var seen = new ConcurrentLinkedDeque<Pod>();

        try (var watch = cluster.pods("deaf").watch(collecting(seen))) {
            cluster.pods("deaf").withGracePeriod(1).delete();
            cluster.awaitGone("deaf");
            await().untilAsserted(
                            () -> assertThat(end(seen.getLast()).getExitCode()).isEqualTo(137));
            assertThat(watch).isNotNull();
        }
        Cluster.awaitNothingRuns("sleep 87654");
    }

    @Test
    void aPodThatIsDeletedByForceLeavesNothingRunning() {
        cluster.create(cluster.pod("forced", "trap '' TERM; echo up; sleep 76543"));
        cluster.awaitLog("forced", "up");

        cluster.pods("forced").withGracePeriod(0).delete();

        cluster.awaitGone("forced");
        Cluster.awaitNothingRuns("sleep 76543");
    }

    @Test
    void aPodOfTheSameNameStartsOnlyWhenTheOldOneIsGone() {
        var script =
                "exec 9> /alone/lock; flock -n 9 || exit 9; trap '' TERM; echo up; sleep 65432";
        var alone =
                cluster.pod("again", script)
                        .editSpec()
                        .addNewVolume()
                        .withName("alone")
                        .withNewHostPath(cluster.scratch("alone").toString(), "Directory")
                        .endVolume()
                        .editFirstContainer()
                        .addNewVolumeMount()
                        .withName("alone")
                        .withMountPath("/alone")
                        .endVolumeMount()
                        .endContainer()
                        .endSpec();
        cluster.create(alone);
        cluster.awaitLog("again", "up");
        var first = cluster.get("again").getMetadata().getUid();

        cluster.pods("again").withGracePeriod(0).delete();
        cluster.create(alone);

        cluster.awaitLog("again", "up");
        assertThat(cluster.get("again").getMetadata().getUid()).isNotEqualTo(first);
        cluster.pods("again").withGracePeriod(0).delete();
        Cluster.awaitNothingRuns("sleep 65432");
    }

    private static Watcher<Pod> collecting(ConcurrentLinkedDeque<Pod> seen) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Pod pod) {
                seen.add(pod);
            }

            @Override
            public void onClose(WatcherException why) {}
        };
    }
}
