package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeShapeTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);

    private final NodeShape shape = new NodeShape("n", Map.of(), List.of(), Map.of(), "v1");

    @Test
    void conditionsOfOthersStayAndOwnOnesAreRenewed() {
        var other =
                new NodeConditionBuilder()
                        .withType("TerminateScheduled")
                        .withStatus("True")
                        .build();
        var before = shape.status(0, true, List.of(other), NOON).getConditions();
        var now = shape.status(0, false, before, LATER).getConditions();
        assertThat(now)
                .extracting(NodeCondition::getType)
                .containsExactly(
                        "TerminateScheduled",
                        "MemoryPressure",
                        "DiskPressure",
                        "PIDPressure",
                        "Ready");
        assertThat(now.getFirst()).isEqualTo(other);
        assertThat(now.getLast().getStatus()).isEqualTo("False");
        assertThat(now.getLast().getLastTransitionTime()).isEqualTo(Times.kubernetes(LATER));
        assertThat(now.get(1).getLastTransitionTime()).isEqualTo(Times.kubernetes(NOON));
    }
}
