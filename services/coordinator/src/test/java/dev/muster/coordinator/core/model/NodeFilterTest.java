package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.model.Node.Effect;
import dev.muster.coordinator.core.model.Node.Taint;
import dev.muster.coordinator.core.model.NodeFilter.Operator;
import dev.muster.coordinator.core.model.NodeFilter.Requirement;
import dev.muster.coordinator.core.model.NodeFilter.Term;
import dev.muster.coordinator.core.model.NodeFilter.Toleration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes a pod accepts, as kube-scheduler reads its template. */
class NodeFilterTest {
    private static final Taint DEDICATED = new Taint("dedicated", "ml", Effect.NO_SCHEDULE);
    private static final Taint PRESSED =
            new Taint("node.kubernetes.io/disk-pressure", "", Effect.NO_SCHEDULE);

    private static Node node(Map<String, String> labels, Taint... taints) {
        return Nodes.looking(Fixtures.node("node-0", 4), new TreeMap<>(labels), List.of(taints));
    }

    private static NodeFilter affinity(Requirement... together) {
        return NodeFilter.of(new TreeMap<>(), List.of(new Term(List.of(together))), List.of());
    }

    private static NodeFilter tolerating(Toleration... tolerations) {
        return NodeFilter.of(new TreeMap<>(), List.of(), List.of(tolerations));
    }

    @ParameterizedTest
    @CsvSource({
        "IN, 8, true",
        "IN, 7, false",
        "NOT_IN, 8, false",
        "NOT_IN, 7, true",
        "EXISTS, , true",
        "DOES_NOT_EXIST, , false",
        "GT, 7, true",
        "GT, 8, false",
        "GT, 9, false",
        "GT, many, false",
        "LT, 7, false",
        "LT, 8, false",
        "LT, 9, true",
        "LT, many, false",
    })
    void requirementOnALabelThatIsThere(Operator operator, String value, boolean accepted) {
        var values = value == null ? List.<String>of() : List.of(value);
        var filter = affinity(new Requirement("cards", operator, values, false));
        assertThat(filter.accepts(node(Map.of("cards", "8")))).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource({
        "IN, false",
        "NOT_IN, true",
        "EXISTS, false",
        "DOES_NOT_EXIST, true",
        "GT, false",
        "LT, false",
    })
    void requirementOnALabelThatIsNotThere(Operator operator, boolean accepted) {
        var filter = affinity(new Requirement("cards", operator, List.of("8"), false));
        assertThat(filter.accepts(node(Map.of()))).isEqualTo(accepted);
    }

    @Test
    void requirementOnTheFieldIsOnTheNodesNameAlone() {
        var byName = new Requirement("metadata.name", Operator.IN, List.of("node-0"), true);
        assertThat(affinity(byName).accepts(node(Map.of()))).isTrue();
        var byLabel = new Requirement("metadata.name", Operator.IN, List.of("node-0"), false);
        assertThat(affinity(byLabel).accepts(node(Map.of()))).isFalse();
    }

    @Test
    void allRequirementsOfATermHoldTogetherAndOneTermIsEnough() {
        var fast = new Requirement("net", Operator.IN, List.of("fast"), false);
        var large = new Requirement("disk", Operator.IN, List.of("large"), false);
        assertThat(affinity(fast, large).accepts(node(Map.of("net", "fast")))).isFalse();
        var either =
                NodeFilter.of(
                        new TreeMap<>(),
                        List.of(new Term(List.of(large)), new Term(List.of(fast))),
                        List.of());
        assertThat(either.accepts(node(Map.of("net", "fast")))).isTrue();
        assertThat(affinity().accepts(node(Map.of("net", "fast")))).isFalse();
    }

    @Test
    void firstLabelOfTheSelectorThatANodeLacksIsTold() {
        var filter = NodeFilter.of(new TreeMap<>(Map.of("a", "1", "b", "2")), List.of(), List.of());
        assertThat(filter.missingLabel(node(Map.of("a", "1", "b", "3")))).isEqualTo("b=2");
        assertThat(filter.missingLabel(node(Map.of("a", "1", "b", "2")))).isNull();
        assertThat(filter.isOfKind(node(Map.of("a", "1", "b", "3")))).isFalse();
    }

    @Test
    void avoidedNodeIsOfItsKindAndNotAccepted() {
        var filter = NodeFilter.ANY.avoiding(new TreeSet<>(List.of("node-0")));
        assertThat(filter.isOfKind(node(Map.of()))).isTrue();
        assertThat(filter.matchesLabels(node(Map.of()))).isFalse();
        assertThat(filter.accepts(node(Map.of()))).isFalse();
    }

    @Test
    void taintKeepsOffWhoDoesNotTolerateItsKeyItsValueAndItsEffect() {
        var tainted = node(Map.of(), DEDICATED);
        assertThat(NodeFilter.ANY.untolerated(tainted)).isEqualTo(DEDICATED);
        assertThat(NodeFilter.ANY.accepts(tainted)).isFalse();
        for (var toleration :
                List.of(
                        new Toleration("dedicated", false, "ml", Effect.NO_SCHEDULE),
                        new Toleration("dedicated", false, "ml", null),
                        new Toleration("dedicated", true, "", null),
                        new Toleration("", true, "", null))) {
            assertThat(tolerating(toleration).accepts(tainted)).isTrue();
        }
        for (var toleration :
                List.of(
                        new Toleration("dedicated", false, "etl", null),
                        new Toleration("dedicated", false, "ml", Effect.NO_EXECUTE),
                        new Toleration("other", true, "", null),
                        new Toleration("", false, "ml", null))) {
            assertThat(tolerating(toleration).accepts(tainted)).isFalse();
        }
    }

    @Test
    void taintThatOnlyAdvisesKeepsNobodyOff() {
        var advised = node(Map.of(), new Taint("dedicated", "ml", Effect.PREFER_NO_SCHEDULE));
        assertThat(NodeFilter.ANY.tolerates(advised)).isTrue();
        assertThat(NodeFilter.ANY.isKeptOffByStateAlone(advised)).isTrue();
    }

    @Test
    void whatKubernetesTaintsItselfPassesAndWhatOthersTaintDoesNot() {
        assertThat(NodeFilter.ANY.isKeptOffByStateAlone(node(Map.of(), PRESSED))).isTrue();
        var both = node(Map.of(), PRESSED, DEDICATED);
        assertThat(NodeFilter.ANY.isKeptOffByStateAlone(both)).isFalse();
        var tolerant = tolerating(new Toleration("dedicated", true, "", null));
        assertThat(tolerant.isKeptOffByStateAlone(both)).isTrue();
    }
}
