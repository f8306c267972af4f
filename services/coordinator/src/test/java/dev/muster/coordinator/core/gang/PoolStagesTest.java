package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Lack;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why a running job's later stage has no pods yet. */
class PoolStagesTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    @Test
    void runningJobWhoseStageHasNoRoomSaysWhy() {
        stageWaits();
        var status = last(a);
        assertThat(status.job().state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(StateReason.of(status.job().state()).waits())
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code)
                .returns("cpu", WaitReason::scope)
                .returns(new Shortage(8000, 6000), WaitReason::shortage)
                .returns("2 more of cpu free", WaitReason::remedy)
                .returns("worker waits: needs 8 of cpu, 6 are free", WaitReason::message)
                .returns(
                        List.of(
                                new Lack("node-1", "lacks 2 of cpu"),
                                new Lack("node-0", "lacks 4 of cpu for one more pod")),
                        WaitReason::nearest);
    }

    @Test
    void reasonOfAStageIsToldOnceAndItsNumbersAreOfTheMomentOfAsking() {
        stageWaits();
        var told = play.now();
        play.takeEffects();
        play.pass(Duration.ofMinutes(3));
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(1)));
        assertThat(play.take(Effect.Waits.class)).isEmpty();
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .returns(new Shortage(8000, 5000), WaitReason::shortage)
                .returns(told, WaitReason::since);
    }

    @Test
    void reasonOfAStageGoesWhenItIsPlaced() {
        stageWaits();
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        assertThat(StateReason.of(last(a).job().state()).waits()).isNull();
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
    }

    @Test
    void reasonOfAStageStaysWhenAnotherRoleIsMadeAgain() {
        var policy = Fixtures.policy(FailurePolicy.Otherwise.POD);
        var worker = after("data", Milestone.SUCCEEDED, role("worker", 2, 4));
        submit(
                a,
                failing(policy, spec("default", role("data", 1, 4), role("keeper", 1, 1), worker)));
        see(a, PodPhase.RUNNING, null);
        submit(b, workers(1, 2));
        see(a, "data", PodPhase.SUCCEEDED, 0);
        see(a, "keeper", PodPhase.FAILED, 137);
        var known = StateReason.of(play.job(a).state()).waits();
        assertThat(known).returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code);
        play.passHeard(policy.settle().plusSeconds(1), 0);
        assertThat(play.ranks(a)).extracting(Rank::state).contains(RankState.RETURNING);
        play.passHeard(policy.delay().initial(), 0);
        assertThat(play.ranks(a)).extracting(Rank::state).as("keeper").contains(RankState.ORDERED);
        assertThat(StateReason.of(play.job(a).state()).waits())
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code);
    }

    @Test
    void stageThatItsQueueMayNotHaveSaysSo() {
        play.on(new Event.QueuePut("default", QueueSpecs.limited(6), null));
        stageWaits();
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .returns(Code.EXCEEDS_MAX_QUOTA, WaitReason::code)
                .returns("cpu", WaitReason::scope)
                .returns("a higher quota, or a smaller gang", WaitReason::remedy);
    }

    @Test
    void restoredPoolTellsNoReasonTwice() {
        stageWaits();
        play.takeEffects();
        play.restart();
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(1)));
        assertThat(play.take(Effect.Waits.class)).isEmpty();
    }

    @Test
    void stagesThatWantTheSameAreToldAndPlacedOneAfterTheOther() {
        var c = job("c", 3);
        submit(a, staged());
        submit(c, staged());
        see(a, PodPhase.RUNNING, null);
        see(c, PodPhase.RUNNING, null);
        submit(b, workers(1, 2));
        see(a, PodPhase.SUCCEEDED, 0);
        see(c, PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        for (var id : List.of(a, c)) {
            assertThat(StateReason.of(play.job(id).state()).waits())
                    .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code);
        }
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        assertThat(workersOf(a)).hasSize(2);
        assertThat(workersOf(c)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 4)));
        assertThat(workersOf(c)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-4", 4)));
        assertThat(workersOf(c)).hasSize(2);
    }

    private List<Rank> workersOf(JobId id) {
        return play.ranks(id).stream().filter(rank -> rank.id().role().equals("worker")).toList();
    }

    private static JobSpec staged() {
        return spec(
                "default",
                role("data", 1, 4),
                after("data", Milestone.SUCCEEDED, role("worker", 2, 4)));
    }

    /** Of {@code a}, since {@code b} has the room. */
    private void stageWaits() {
        submit(a, staged());
        see(a, PodPhase.RUNNING, null);
        submit(b, workers(1, 2));
        see(a, PodPhase.SUCCEEDED, 0);
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private void see(JobId id, PodPhase phase, Integer exitCode) {
        see(id, "", phase, exitCode);
    }

    /** Those of one role. */
    private void see(JobId id, String role, PodPhase phase, Integer exitCode) {
        for (var row : List.copyOf(play.rows.get(Row.Table.RANK).values())) {
            var rank = (Rank) row;
            if (rank.job().equals(id) && rank.id().role().startsWith(role)) {
                var mark = Fixtures.mark(rank.id().role(), 0, rank.making().incarnation());
                var node = rank.making().node();
                play.on(
                        new Event.PodSeen(
                                WATCHER, id, Fixtures.pod(mark, 9, phase, node, exitCode)));
            }
        }
    }

    private Effect.Status last(JobId id) {
        return play.take(Effect.Status.class).stream()
                .filter(status -> status.job().id().equals(id))
                .reduce((_, last) -> last)
                .orElseThrow();
    }
}
