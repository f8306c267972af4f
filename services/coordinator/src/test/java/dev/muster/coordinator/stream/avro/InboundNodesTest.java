package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.v1.NodeRequirement;
import dev.muster.v1.NodeTerm;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.SelectorOperator;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Toleration;
import dev.muster.v1.TolerationOperator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which nodes pods may have, as admission says it. */
class InboundNodesTest {
    @Test
    void nodeFilterIsWhatThePodSays() {
        var needs =
                PodNeeds.newBuilder()
                        .setRole("worker")
                        .setDemand(Map.of())
                        .setMainContainer("main")
                        .setNodeSelector(Map.of("gpu", "a100"))
                        .setNodeAffinity(List.of(term(SelectorOperator.GT, "3")))
                        .setTolerations(
                                List.of(
                                        toleration(TolerationOperator.EXISTS, null),
                                        toleration(
                                                TolerationOperator.EQUAL, TaintEffect.NO_EXECUTE)))
                        .build();

        assertThat(InboundNodes.filter(needs))
                .isEqualTo(
                        NodeFilter.of(
                                new TreeMap<>(Map.of("gpu", "a100")),
                                List.of(
                                        new NodeFilter.Term(
                                                List.of(
                                                        new NodeFilter.Requirement(
                                                                "k",
                                                                NodeFilter.Operator.GT,
                                                                List.of("3"),
                                                                false)))),
                                List.of(
                                        new NodeFilter.Toleration("k", true, "v", null),
                                        new NodeFilter.Toleration(
                                                "k", false, "v", Node.Effect.NO_EXECUTE))));
    }

    private static NodeTerm term(SelectorOperator operator, String value) {
        return new NodeTerm(List.of(new NodeRequirement("k", operator, List.of(value), false)));
    }

    private static Toleration toleration(
            TolerationOperator operator, @Nullable TaintEffect effect) {
        return new Toleration("k", operator, "v", effect);
    }
}
