package dev.muster.sandbox.node;

import static dev.muster.sandbox.node.Cluster.end;
import static dev.muster.sandbox.node.Cluster.main;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.Sandbox;
import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.Progress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("only-in-profile-long")
class NodeRestartIT {
    private static final Manners OUTLIVE = new Manners(NodeSettings.delay(1), false);

    private Cluster cluster;

    @BeforeEach
    void open() {
        cluster = Cluster.ofApiServer();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void theNextNodeGoesOnWithWhatAKilledOneLeft() {
        var node = cluster.startNode(OUTLIVE);
        var script = "echo up; while ! [ -e go ]; do sleep 0.1; done; exit 8";
        cluster.create(cluster.pod("living", script));
        cluster.create(cluster.pod("ending", script));
        cluster.create(cluster.pod("deleted", "echo up; sleep 54321"));
        cluster.awaitLog("living", "up");
        cluster.awaitLog("ending", "up");
        cluster.awaitLog("deleted", "up");
        var started = main(cluster.get("living")).getState().getRunning().getStartedAt();

        node.process().kill();
        cluster.touch("ending", "go");
        cluster.pods("deleted").withGracePeriod(0).delete();
        assertThat(Cluster.runs("sleep 54321")).isTrue();
        cluster.startNode(OUTLIVE);

        assertThat(end(cluster.awaitPhase("ending", "Failed")).getExitCode()).isEqualTo(8);
        Cluster.awaitNothingRuns("sleep 54321");
        var running = main(cluster.get("living"));
        assertThat(running.getState().getRunning().getStartedAt()).isEqualTo(started);
        assertThat(running.getRestartCount()).isZero();
        assertThat(cluster.log("living")).isEqualTo("up\n");
        cluster.touch("living", "go");
        assertThat(end(cluster.awaitPhase("living", "Failed")).getExitCode()).isEqualTo(8);
    }

    @Test
    void downEndsWhatAKilledNodeLeft() {
        var node = cluster.startNode(OUTLIVE);
        cluster.create(cluster.pod("left", "echo up; sleep 10987"));
        cluster.awaitLog("left", "up");
        node.process().kill();
        assertThat(Cluster.runs("sleep 10987")).isTrue();

        var ended = Sandbox.down(node.root().getParent().getParent(), Progress.silent());

        assertThat(ended).isEmpty();
        Cluster.awaitNothingRuns("sleep 10987");
    }

    @Test
    void aNodeThatIsStoppedStopsItsContainersAndSaysSo() {
        var node = cluster.startNode(OUTLIVE);
        cluster.create(cluster.pod("stopped", "echo up; sleep 43210"));
        cluster.create(cluster.pod("deaf", "trap '' TERM; echo up; sleep 43210"));
        cluster.awaitLog("stopped", "up");
        cluster.awaitLog("deaf", "up");

        node.stop();

        assertThat(Cluster.runs("sleep 43210")).isFalse();
        assertThat(end(cluster.awaitPhase("stopped", "Failed")).getExitCode()).isEqualTo(143);
        assertThat(end(cluster.awaitPhase("deaf", "Failed")).getExitCode()).isEqualTo(137);
        assertThat(cluster.get("deaf").getStatus().getReason()).isEqualTo("Terminated");
        assertThat(cluster.client.nodes().withName(cluster.node).get().getStatus().getConditions())
                .anySatisfy(condition -> {
                    assertThat(condition.getType()).isEqualTo("Ready");
                    assertThat(condition.getStatus()).isEqualTo("False");
                });
    }

    @Test
    void containersEndWithAKilledNodeWhereThatIsWanted() {
        var node = cluster.startNode();
        cluster.create(cluster.pod("bound", "echo up; sleep 32109"));
        cluster.awaitLog("bound", "up");

        node.process().kill();

        Cluster.awaitNothingRuns("sleep 32109");
        cluster.startNode();
        var pod = cluster.awaitPhase("bound", "Failed");
        assertThat(end(pod).getExitCode()).isEqualTo(137);
    }

    @Test
    void aNodeWithoutItsFolderKnowsThatNothingRunsAnyMore() throws Exception {
        var node = cluster.startNode();
        cluster.create(cluster.pod("forgotten", "echo up; sleep 21098"));
        cluster.create(cluster.pod("done", "true"));
        cluster.awaitLog("forgotten", "up");
        cluster.awaitPhase("done", "Succeeded");

        node.process().kill();
        Cluster.awaitNothingRuns("sleep 21098");
        MadeOnce.remove(node.root().resolve("pods"));
        cluster.startNode();

        var end = end(cluster.awaitPhase("forgotten", "Failed"));
        assertThat(end.getReason()).isEqualTo("ContainerStatusUnknown");
        assertThat(cluster.get("done").getStatus().getPhase()).isEqualTo("Succeeded");
        cluster.pods("done").delete();
        cluster.awaitGone("done");
    }

    @Test
    void twoNodesDoNotShareAFolder() throws Exception {
        var settings = Cluster.shared().settings(OUTLIVE);
        var second = NodePart.command(System.getProperty("java.class.path"), settings);

        assertThat(Cluster.output(second))
                .contains("another node has the folder " + settings.root());
    }
}
