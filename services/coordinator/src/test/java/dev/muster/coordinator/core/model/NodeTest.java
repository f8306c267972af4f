package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.model.Node.Trust;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What of a node decides which pods it takes. */
class NodeTest {
    private static final Node NODE = Fixtures.node("n", 4);

    @ParameterizedTest
    @MethodSource
    void nodeThatTakesNoPodsLooksOtherwise(Node other) {
        assertThat(NODE.takesPods()).isTrue();
        assertThat(other.takesPods()).isFalse();
        assertThat(other.looksLike(NODE)).isFalse();
        assertThat(other.looksLike(other.seen(7))).isTrue();
    }

    static Stream<Node> nodeThatTakesNoPodsLooksOtherwise() {
        return Stream.of(
                Nodes.cordoned("n", 4),
                unready(),
                NODE.announced(true),
                NODE.trusted(Trust.EXCLUDED));
    }

    private static Node unready() {
        return new Node("n", 1, NODE.labels(), List.of(), false, false, NODE.allocatable(), 0);
    }

    @Test
    void labelsAndTaintsMakeItLookOtherwiseAndSuspicionDoesNot() {
        var taint = new Node.Taint("x", "", Node.Effect.NO_SCHEDULE);
        assertThat(Nodes.looking(NODE, NODE.labels(), List.of(taint)).looksLike(NODE)).isFalse();
        assertThat(Nodes.labelled(NODE, new TreeMap<>()).looksLike(NODE)).isFalse();
        assertThat(NODE.trusted(Trust.SUSPECT).looksLike(NODE)).isTrue();
        assertThat(NODE.trusted(Trust.SUSPECT).takesPods()).isTrue();
    }

    @Test
    void taintIsWrittenAsKubectlDoes() {
        assertThat(new Node.Taint("k", "v", Node.Effect.NO_EXECUTE)).hasToString("k=v:NoExecute");
        assertThat(new Node.Taint("k", "", Node.Effect.PREFER_NO_SCHEDULE))
                .hasToString("k:PreferNoSchedule");
    }
}
