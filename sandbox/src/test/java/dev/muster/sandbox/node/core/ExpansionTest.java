package dev.muster.sandbox.node.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpansionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$(A)            | one",
                "x$(A)y$(B)z     | xoneytwoz",
                "$(NONE)         | $(NONE)",
                "$$(A)           | $(A)",
                "$$$(A)          | $one",
                "$$              | $",
                "$A ${A}         | $A ${A}",
                "$(A             | $(A",
                "$               | $",
                "$(A)$           | one$",
                "$()             | $()",
                "$(NESTED)       | $(A)",
                "$($(A))         | $($(A))",
            })
    void isKubernetesOwn(String text, String expanded) {
        var values = Map.of("A", "one", "B", "two", "NESTED", "$(A)");
        assertThat(Expansion.expand(text, values)).isEqualTo(expanded);
    }
}
