package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import org.junit.jupiter.api.Test;

class JobIndexTest {
    private final Tables tables = new Tables(new Journal());

    @Test
    void jobsOfAQueueFollowEachOtherAsTheyCame() {
        var first = submitted("x", 3, "a");
        var other = submitted("y", 4, "b");
        var second = submitted("z", 5, "a");
        assertThat(tables.after("a", 0)).isEqualTo(first);
        assertThat(tables.after("a", 3)).isEqualTo(second);
        assertThat(tables.after("a", 5)).isNull();
        assertThat(tables.after(null, 3)).isEqualTo(other);
    }

    @Test
    void jobThatIsForgottenIsNoneOfItsQueue() {
        var first = submitted("x", 3, "a");
        var second = submitted("z", 5, "a");
        tables.remove(first);
        assertThat(tables.after("a", 0)).isEqualTo(second);
        tables.remove(second);
        assertThat(tables.after("a", 0)).isNull();
    }

    @Test
    void jobThatMovesIsFoundInItsNewQueueAlone() {
        var before = submitted("x", 3, "a");
        var moved = before.with(one("b"));
        tables.restore(moved);
        assertThat(tables.after("a", 0)).isNull();
        assertThat(tables.after("b", 0)).isEqualTo(moved);
    }

    private Job submitted(String name, long tick, String queue) {
        var job = Job.submitted(job(name, tick), one(queue), new Clock(NOON, tick, null));
        tables.restore(job);
        return job;
    }
}
