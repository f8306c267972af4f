package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.BackedPools.DELEGATED;
import static dev.muster.coordinator.core.fixtures.BackedPools.master;
import static dev.muster.coordinator.core.fixtures.BackedPools.masterRuns;
import static dev.muster.coordinator.core.fixtures.BackedPools.play;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What another scheduler says of a gang that it does not bind. */
class PoolBackendWordTest {
    private final JobId a = job("a", 1);

    @Test
    void whatTheBackendSaysIsTheReasonOfAJobThatStarts() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.takeEffects();
        play.on(refused(1));
        var waits = play.takeOne(Effect.Waits.class).reason();
        assertThat(waits.code()).isEqualTo(Code.NOT_SCHEDULED);
        assertThat(waits.scope()).isEqualTo("a-a1");
        assertThat(waits.message()).isEqualTo("NotEnoughResources: 0/2 nodes are available");
        assertThat(StateReason.of(play.job(a).state()).waits()).isEqualTo(waits);
        play.takeEffects();
        play.on(refused(1));
        assertThat(play.takeEffects()).isEmpty();
    }

    @Test
    void whatTheBackendTakesBackIsNoReasonAnyMore() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.on(refused(1));
        play.takeEffects();
        play.on(grouped("another-a1", false));
        assertThat(StateReason.of(play.job(a).state()).reason()).isEqualTo("NotScheduled");
        play.on(grouped("a-a1", false));
        assertThat(StateReason.of(play.job(a).state()).reason()).isEmpty();
        assertThat(play.take(Effect.Status.class)).hasSize(1);
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
        play.on(refused(1));
        assertThat(play.take(Effect.Waits.class)).hasSize(1);
    }

    @Test
    void aPodMadeAgainThatTheBackendDoesNotBindSaysSo() {
        var play = play(DELEGATED);
        var one = new OneJob(play, a);
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        play.on(refused(1));
        assertThat(StateReason.of(play.job(a).state()).reason()).isEmpty();
        one.fail(1, 137);
        play.passHeard(Duration.ofSeconds(21), 0);
        play.takeEffects();
        play.on(refused(1));
        assertThat(play.takeOne(Effect.Waits.class).reason().code()).isEqualTo(Code.NOT_SCHEDULED);
        play.restart();
        assertThat(StateReason.of(play.job(a).state()).reason()).isEqualTo("NotScheduled");
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly("NotEnoughResources: 0/2 nodes are available");
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(StateReason.of(play.job(a).state()).reason()).isEmpty();
    }

    @Test
    void whatItSaysOfAnotherAttemptIsNoNews() {
        var play = play(DELEGATED);
        play.on(new Event.Submitted(a, workers(3, 1), null));
        play.takeEffects();
        play.on(refused(2));
        assertThat(play.takeEffects()).isEmpty();
    }

    @Test
    void whatItSaysOfALaterStageIsToldWhileTheJobRuns() {
        var play = masterRuns(a, "node-0", Milestone.SUCCEEDED);
        master(play, a, PodPhase.SUCCEEDED, "node-0", 0);
        play.takeEffects();
        assertThat(refusedOf(play, "a-worker-a1").code()).isEqualTo(Code.NOT_SCHEDULED);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(StateReason.of(play.job(a).state()).reason()).isEqualTo("NotScheduled");
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly("NotEnoughResources: 0/2 nodes are available");
    }

    @Test
    void aStageThatWaitsForRoomSaysSoAgainOnceTheBackendTakesItsWordBack() {
        var play = Play.withNodes(1);
        var worker = after("master", Milestone.SUCCEEDED, role("worker", 1, 4));
        play.on(new Event.Submitted(a, spec("default", role("master", 1, 1), worker), null));
        master(play, a, PodPhase.RUNNING, "node-0", null);
        master(play, a, PodPhase.SUCCEEDED, "node-0", 0);
        var waits = StateReason.of(play.job(a).state());
        assertThat(waits.reason()).isEqualTo("InsufficientCapacity");
        play.takeEffects();
        assertThat(refusedOf(play, "a-a1").code()).isEqualTo(Code.NOT_SCHEDULED);
        play.on(grouped("a-a1", false));
        assertThat(StateReason.of(play.job(a).state()).message()).isEqualTo(waits.message());
    }

    private WaitReason refusedOf(Play play, String group) {
        play.on(
                new Event.GroupSeen(
                        WATCHER,
                        a,
                        1,
                        group,
                        true,
                        "NotEnoughResources",
                        "0/2 nodes are available"));
        return play.takeOne(Effect.Waits.class).reason();
    }

    private Event.GroupSeen refused(int attempt) {
        return new Event.GroupSeen(
                WATCHER, a, attempt, "a-a1", true, "NotEnoughResources", "0/2 nodes are available");
    }

    private Event.GroupSeen grouped(String group, boolean unschedulable) {
        return new Event.GroupSeen(WATCHER, a, 1, group, unschedulable, "", "");
    }
}
