package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import org.junit.jupiter.api.Test;

/** Of jobs that are alike only the oldest is tried. */
class MixableJobsTest {
    private final MixableJobs jobs = new MixableJobs();
    private final Job first = of(1, 1);
    private final Job alike = of(2, 1);
    private final Job other = of(3, 2);

    private static Job of(long ticket, int size) {
        return Job.submitted(
                job("j" + ticket, ticket), workers(size, 1), new Clock(NOON, ticket, null));
    }

    @Test
    void oldestOfEachKindIsShownInOrder() {
        jobs.add(other);
        jobs.add(alike);
        jobs.add(first);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id(), other.id());
        assertThat(jobs.heads(0, 1)).containsExactly(first.id());
        assertThat(jobs.heads(1, 9)).containsExactly(other.id());
        assertThat(jobs.heads(3, 9)).isEmpty();
    }

    @Test
    void nextOfItsKindIsShownWhenTheOldestIsGone() {
        jobs.add(first);
        jobs.add(alike);
        jobs.remove(first);
        assertThat(jobs.heads(0, 9)).containsExactly(alike.id());
        jobs.remove(alike);
        assertThat(jobs.heads(0, 9)).isEmpty();
    }

    @Test
    void whoIsNotThereCannotBeTakenAway() {
        jobs.remove(first);
        jobs.add(first);
        jobs.remove(alike);
        jobs.remove(other);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id());
    }

    @Test
    void youngerOneOfItsKindMayGoFirst() {
        jobs.add(first);
        jobs.add(alike);
        jobs.remove(alike);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id());
    }
}
