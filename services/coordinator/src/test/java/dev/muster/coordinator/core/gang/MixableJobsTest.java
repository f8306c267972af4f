package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Gangs;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Repulsion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Of jobs that are alike only the oldest is tried. */
class MixableJobsTest {
    private final MixableJobs jobs = new MixableJobs();
    private final Job first = of(1, 1);
    private final Job alike = of(2, 1);
    private final Job other = of(3, 2);

    private static Job of(long ticket, int size) {
        return of(ticket, workers(size, 1));
    }

    private static Job of(long ticket, JobSpec spec) {
        return Job.submitted(job("j" + ticket, ticket), spec, new Clock(NOON, ticket, null));
    }

    private void add(Job job) {
        jobs.add(job, Gangs.requirements(job.spec().work()));
    }

    private void remove(Job job) {
        jobs.remove(job, Gangs.requirements(job.spec().work()));
    }

    @Test
    void oldestOfEachKindIsShownInOrder() {
        add(other);
        add(alike);
        add(first);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id(), other.id());
        assertThat(jobs.heads(0, 1)).containsExactly(first.id());
        assertThat(jobs.heads(1, 9)).containsExactly(other.id());
        assertThat(jobs.heads(3, 9)).isEmpty();
    }

    @Test
    void nextOfItsKindIsShownWhenTheOldestIsGone() {
        add(first);
        add(alike);
        remove(first);
        assertThat(jobs.heads(0, 9)).containsExactly(alike.id());
        remove(alike);
        assertThat(jobs.heads(0, 9)).isEmpty();
    }

    @Test
    void whoIsNotThereCannotBeTakenAway() {
        remove(first);
        add(first);
        remove(alike);
        remove(other);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id());
    }

    @Test
    void youngerOneOfItsKindMayGoFirst() {
        add(first);
        add(alike);
        remove(alike);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id());
    }

    @Test
    void whoHasAnotherPriorityIsOfAnotherKind() {
        var urgent = of(2, at(1, workers(1, 1)));
        add(first);
        add(urgent);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id(), urgent.id());
        remove(alike);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id(), urgent.id());
        remove(urgent);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id());
    }

    @Test
    void whomOthersKeepOffIsOfAnotherKind() {
        var term = new AntiAffinityTerm(new TreeSet<>(), List.of());
        var kept = new Repulsion(Set.of(), Set.of(term));
        var makeup =
                GangRequirements.of(
                        alike.spec().work(),
                        PoolSpec.Spot.NONE,
                        new TreeMap<>(Map.of("worker", kept)));
        add(first);
        jobs.add(alike, makeup);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id(), alike.id());
        jobs.remove(alike, makeup);
        assertThat(jobs.heads(0, 9)).containsExactly(first.id());
    }
}
