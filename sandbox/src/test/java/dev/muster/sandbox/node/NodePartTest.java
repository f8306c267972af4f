package dev.muster.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.node.NodeSettings.Manners;
import dev.muster.sandbox.node.NodeSettings.Shows;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NodePartTest {
    @Test
    void classPathIsFoundFromTheNodesOwnFolderToo() {
        var settings =
                new NodeSettings(
                        Path.of("/k"), "n", Path.of("/r"), Shows.of(1, "1Gi"), 0, Manners.KUBELET);
        var here = Path.of("").toAbsolutePath();

        assertThat(NodePart.command("target/a.jar:/b.jar:", settings))
                .containsSequence("-cp", here + "/target/a.jar:/b.jar:" + here);
    }
}
