package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Role;
import org.junit.jupiter.api.Test;

/** How many pods of a job are kept from eviction by choice: what the roles need that train now. */
class PoolEvictionsTest {
    private static final Role DATA = role("data", 1, 1);
    private static final Role WORKERS = atLeast(2, role("worker", 4, 1));

    private final Play play = Play.withNodes(8);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void roleThatHasSucceededKeepsNobodyAndOneThatComesLaterNotYet() {
        submit(DATA, after("data", Milestone.SUCCEEDED, WORKERS));
        assertThat(least()).isEqualTo(1);
        one.see("data", PodPhase.RUNNING, null);
        one.see("data", PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(least()).isEqualTo(2);
    }

    @Test
    void endOfARoleIsToldWhereNoOtherBegins() {
        submit(DATA, WORKERS);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(least()).isEqualTo(3);
        one.see("data", PodPhase.RUNNING, null);
        one.see("data", PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(least()).isEqualTo(2);
    }

    @Test
    void minimumOfTheGangCountsWhereItIsMore() {
        play.on(new Event.Submitted(a, keeping(least(5, spec("default", DATA, WORKERS))), null));
        assertThat(least()).isEqualTo(5);
    }

    @Test
    void jobThatKeepsNobodyIsToldNothingMore() {
        play.on(new Event.Submitted(a, spec("default", DATA, WORKERS), null));
        one.see("data", PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
        one.see("data", PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    private void submit(Role... roles) {
        play.on(new Event.Submitted(a, keeping(spec("default", roles)), null));
    }

    private int least() {
        return play.take(RunPlan.class).getLast().least();
    }

    private static JobSpec least(int pods, JobSpec spec) {
        var work = spec.work();
        var gang = new JobSpec.Gang(pods, work.gang().timeout(), work.gang().topology());
        return Fixtures.with(
                spec, gang, work.failure(), work.deadlines(), work.limits(), work.elastic());
    }

    private static JobSpec keeping(JobSpec spec) {
        return AnotherWork.of(spec, work -> work.keepsLeast = true);
    }
}
