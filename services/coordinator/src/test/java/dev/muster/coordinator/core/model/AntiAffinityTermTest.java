package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.AntiAffinityTerm.Anchor;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Operator;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Requirement;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods a term means, and by what they are found. */
class AntiAffinityTermTest {
    private static AntiAffinityTerm term(List<String> namespaces, Requirement... requirements) {
        return new AntiAffinityTerm(new TreeSet<>(namespaces), List.of(requirements));
    }

    private static Requirement in(String key, String... values) {
        return new Requirement(key, Operator.IN, List.of(values));
    }

    @ParameterizedTest
    @CsvSource({
        "IN, true, false, false",
        "NOT_IN, false, true, true",
        "EXISTS, true, true, false",
        "DOES_NOT_EXIST, false, false, true",
    })
    void requirementIsReadAsKubernetesReadsIt(
            Operator operator, boolean ofOne, boolean ofAnother, boolean ofNone) {
        var term = term(List.of(), new Requirement("team", operator, List.of("a")));
        assertThat(term.selects("ml", Map.of("team", "a"))).isEqualTo(ofOne);
        assertThat(term.selects("ml", Map.of("team", "b"))).isEqualTo(ofAnother);
        assertThat(term.selects("ml", Map.of())).isEqualTo(ofNone);
    }

    @Test
    void podsOfOtherNamespacesAreNotMeantWhereSomeAreNamed() {
        assertThat(term(List.of("ml")).selects("ml", Map.of())).isTrue();
        assertThat(term(List.of("ml")).selects("etl", Map.of())).isFalse();
        assertThat(term(List.of()).selects("etl", Map.of())).isTrue();
    }

    @Test
    void allRequirementsHoldTogether() {
        var term = term(List.of(), in("team", "a"), in("tier", "gold"));
        assertThat(term.selects("ml", Map.of("team", "a", "tier", "gold"))).isTrue();
        assertThat(term.selects("ml", Map.of("team", "a"))).isFalse();
    }

    @Test
    void termIsFoundByTheValuesThatItNamesElseByItsNamespaces() {
        var byRole = in(AntiAffinityTerm.ROLE, "worker");
        var byTeam = in("team", "a", "b", "a");
        assertThat(term(List.of("ml"), byRole, byTeam).anchors())
                .containsExactly(new Anchor("team", "a"), new Anchor("team", "b"));
        assertThat(term(List.of("etl", "ml"), byRole).anchors())
                .containsExactly(new Anchor("", "etl"), new Anchor("", "ml"));
        var exists = new Requirement("team", Operator.EXISTS, List.of());
        assertThat(term(List.of(), exists).anchors()).containsExactly(new Anchor("", ""));
    }
}
