package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is taken, and may yet fail. */
class ValidationWarningsTest {
    @Test
    void aServiceWhoseNameBeginsWithADigitIsNotTakenByEveryKubernetes() {
        assertThat(
                        warnings(j -> {
                            j.name = "3d-net";
                            j.roles = List.of(role("worker", 2));
                        }))
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("metadata.name", "3d-net"));
    }

    @Test
    void aSinglePodHasNoServiceWhateverItsName() {
        assertThat(warnings(j -> j.name = "3d-net")).isEmpty();
    }

    @Test
    void aLetterIsTakenByAll() {
        assertThat(warnings(j -> j.roles = List.of(role("worker", 2)))).isEmpty();
    }

    @Test
    void priorityBesideAClassIsNotLookedAt() {
        assertThat(
                        warnings(j -> {
                            j.priority = 7;
                            j.priorityClass = "high";
                        }))
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("spec.priority", "7"));
        assertThat(warnings(j -> j.priority = 7)).isEmpty();
        assertThat(warnings(j -> j.priorityClass = "high")).isEmpty();
    }

    private static List<Problem> warnings(Consumer<Jobs> change) {
        var examined = Validation.examine(Jobs.with(change), 100);
        assertThat(examined.problems()).isEmpty();
        return examined.warnings();
    }
}
