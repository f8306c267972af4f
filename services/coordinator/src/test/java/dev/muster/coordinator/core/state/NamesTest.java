package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.JobId;
import org.junit.jupiter.api.Test;

class NamesTest {
    private final Names names = new Names();
    private final JobId first = job("a", 2);
    private final JobId second = job("a", 10);
    private final JobId third = job("a", 11);

    @Test
    void nameMeansTheNewestInWhateverOrderTheyCome() {
        names.put(second);
        names.put(first);

        assertThat(newest()).isEqualTo(second);
        names.put(third);
        names.put(second);
        assertThat(newest()).isEqualTo(third);
    }

    @Test
    void whenTheNewestIsForgottenItMeansTheNewestThatIsLeft() {
        names.put(first);
        names.put(second);
        names.put(third);

        names.remove(third);
        assertThat(newest()).isEqualTo(second);
        names.remove(first);
        assertThat(newest()).isEqualTo(second);
        names.remove(second);
        assertThat(newest()).isNull();
    }

    private JobId newest() {
        return names.newest(first.fullName());
    }
}
