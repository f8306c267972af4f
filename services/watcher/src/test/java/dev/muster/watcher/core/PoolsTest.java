package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolsTest {
    private static final Pool DEFAULT = new Pool("default", 0, Map.of(), false, false);
    private static final Pool H100 = new Pool("h100", 1, Map.of("gpu", "h100"), false, false);
    private static final Pool ZONE = new Pool("zone", 2, Map.of("zone", "a"), false, false);
    private static final Pool SPARE = new Pool("spare", 3, Map.of(), false, false);
    private static final Pools ALL = new Pools(List.of(SPARE, ZONE, DEFAULT, H100));
    private static final NodeReport BOTH = Nodes.read(node("both", "gpu=h100", "zone=a"));
    private static final NodeReport NEITHER = Nodes.read(node("neither"));

    @Test
    void poolsThatNameLabelsComeFirstAndThenTheLowerNumber() {
        assertThat(ALL.inOrder()).containsExactly(H100, ZONE, DEFAULT, SPARE);
    }

    @Test
    void whoNamesNoLabelsHasWhatNobodyNames() {
        assertThat(ALL.takerOf(BOTH)).contains(H100);
        assertThat(ALL.takerOf(NEITHER)).contains(DEFAULT);
    }

    @Test
    void poolsMeetWhereBothNameTheNodesLabelsOrNeitherNamesAny() {
        assertThat(ALL.overlapping(BOTH)).containsExactly(ZONE);
        assertThat(ALL.overlapping(NEITHER)).containsExactly(SPARE);
        assertThat(new Pools(List.of(DEFAULT, H100)).overlapping(BOTH)).isEmpty();
    }
}
