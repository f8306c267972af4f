package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.NO_RESTARTS;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.behind;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What starts together, what follows, and what waits for what. */
class PoolGangsTest {
    private static final Request REQUEST = new Request("ml/a", "r-1");
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    @Test
    void gangStartsWithItsMinimumAndGrowsWhenThereIsRoom() {
        submit(b, workers(6, 1));
        submit(a, spec("default", atLeast(2, role("worker", 4, 1))));
        assertThat(pods(a)).isEqualTo(2);
        play.takeEffects();
        end(b);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(plan(a).pods()).hasSize(4);
        assertThat(pods(a)).isEqualTo(4);
    }

    @Test
    void oldestGrowsFirstAndOneThatDoesNotFitLetsOthersGrow() {
        var c = job("c", 3);
        for (var filler : List.of("x", "y", "z", "q")) {
            submit(job(filler, 7), workers(1, 1));
        }
        submit(a, spec("default", atLeast(1, role("worker", 2, 3))));
        submit(b, spec("default", atLeast(1, role("ps", 2, 1))));
        submit(c, spec("default", atLeast(1, role("ps", 2, 1))));
        end(job("q", 7));
        assertThat(List.of(pods(a), pods(b), pods(c))).containsExactly(1, 1, 1);
        end(job("x", 7));
        assertThat(List.of(pods(a), pods(b), pods(c))).containsExactly(1, 2, 1);
        play.restart();
        end(job("y", 7));
        assertThat(List.of(pods(a), pods(b), pods(c))).containsExactly(1, 2, 2);
    }

    @Test
    void waitingJobGoesBeforeGrowth() {
        submit(b, workers(7, 1));
        submit(a, spec("default", atLeast(1, role("worker", 3, 1))));
        submit(job("c", 3), workers(1, 1));
        see(b, "worker", 0, PodPhase.SUCCEEDED, 0);
        assertThat(play.take(RunPlan.class)).extracting(p -> p.job().name()).contains("c");
        assertThat(pods(a)).isEqualTo(1);
    }

    @Test
    void jobRunsOnceItsMinimumDoes() {
        submit(b, workers(6, 1));
        submit(a, spec("default", atLeast(2, role("worker", 4, 1))));
        play.takeEffects();
        see(a, "worker", 0, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).isEmpty();
        see(a, "worker", 1, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
    }

    @Test
    void roleIsOrderedWhenTheRoleItWaitsForRunsAndReservedFromTheStart() {
        submit(
                a,
                spec(
                        "default",
                        role("master", 1, 1),
                        after("master", Milestone.RUNNING, role("worker", 2, 1))));
        assertThat(play.takeOne(RunPlan.class).pods())
                .extracting(pod -> pod.rank().role())
                .containsExactly("master");
        assertThat(pods(a)).isEqualTo(3);
        see(a, "master", 0, PodPhase.RUNNING, null);
        assertThat(play.takeOne(RunPlan.class).pods()).hasSize(3);
        see(a, "worker", 0, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).isEmpty();
        see(a, "worker", 1, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
    }

    @Test
    void roleThatWaitsForASuccessIsPlacedThen() {
        submit(
                a,
                spec(
                        "default",
                        role("data", 1, 4),
                        after("data", Milestone.SUCCEEDED, role("worker", 2, 4))));
        assertThat(pods(a)).isEqualTo(1);
        play.takeEffects();
        see(a, "data", 0, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
        see(a, "data", 0, PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(plan(a).pods())
                .extracting(pod -> pod.rank().toString())
                .contains("worker-0", "worker-1");
    }

    @Test
    void roleThatWaitsForASuccessGoesBeforeWaitingJobs() {
        submit(
                a,
                spec(
                        "default",
                        role("data", 1, 4),
                        after("data", Milestone.SUCCEEDED, role("worker", 2, 4))));
        see(a, "data", 0, PodPhase.RUNNING, null);
        submit(b, workers(5, 1));
        play.takeEffects();
        see(a, "data", 0, PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).extracting(p -> p.job().name()).containsExactly("a");
    }

    @Test
    void failureNeverSatisfiesRunning() {
        submit(
                a,
                failing(
                        NO_RESTARTS,
                        spec(
                                "default",
                                role("master", 1, 1),
                                after("master", Milestone.RUNNING, role("worker", 2, 1)))));
        play.takeEffects();
        see(a, "master", 0, PodPhase.FAILED, 3);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.FAILED);
        assertThat(effects).noneMatch(RunPlan.class::isInstance);
    }

    @Test
    void timeForTheGangCountsAnewWithEachStage() {
        submit(
                a,
                spec(
                        "default",
                        role("master", 1, 1),
                        after("master", Milestone.RUNNING, role("worker", 2, 1))));
        play.passHeard(Duration.ofMinutes(4), 0);
        see(a, "master", 0, PodPhase.RUNNING, null);
        play.takeEffects();
        play.passHeard(Duration.ofMinutes(4), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
    }

    @Test
    void laterStageThatDoesNotRunInTimeIsTakenBack() {
        submit(a, staged(4));
        laterStageIsOrdered();
        play.passHeard(Duration.ofMinutes(4), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(play.take(Effect.Moved.class))
                .extracting(moved -> moved.to() + " " + moved.message())
                .containsExactly("STOPPING 0 of 2 pods of worker ran within 5m");
    }

    @Test
    void laterStageThatRanIsNotJudgedAgain() {
        submit(a, staged(4));
        laterStageIsOrdered();
        see(a, "worker", 0, PodPhase.RUNNING, null);
        see(a, "worker", 1, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofMinutes(30), 0);
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void laterStageIsNotJudgedWhileNobodyLooks() {
        submit(a, staged(4));
        laterStageIsOrdered();
        play.pass(Duration.ofMinutes(30));
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void laterStageThatHoldsNothingWaitsForRoomAsLongAsItTakes() {
        submit(a, staged(4));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 2)));
        laterStageIsOrdered();
        play.passHeard(Duration.ofHours(1), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        assertThat(pods(a)).isEqualTo(3);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
    }

    @Test
    void laterStageWithoutRoomIsTakenBackWithWhatItsJobHolds() {
        submit(
                a,
                spec(
                        "default",
                        role("ps", 1, 1),
                        role("data", 1, 3),
                        after("data", Milestone.SUCCEEDED, role("worker", 2, 4))));
        see(a, "ps", 0, PodPhase.RUNNING, null);
        laterStageIsOrdered();
        assertThat(pods(a)).isEqualTo(2);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
    }

    private static JobSpec staged(int cores) {
        return spec(
                "default",
                role("data", 1, cores),
                after("data", Milestone.SUCCEEDED, role("worker", 2, cores)));
    }

    private void laterStageIsOrdered() {
        see(a, "data", 0, PodPhase.RUNNING, null);
        see(a, "data", 0, PodPhase.SUCCEEDED, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
    }

    @Test
    void jobWaitsForAnotherOne() {
        submit(a, workers(1, 1));
        submit(b, behind("a", true, workers(1, 1)));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, b)).containsExactly(Phase.QUEUED);
        assertThat(effects)
                .filteredOn(Effect.Waits.class::isInstance)
                .extracting(effect -> ((Effect.Waits) effect).reason().code())
                .containsExactly(Code.WAITING_FOR_DEPENDENCY);
        see(a, "worker", 0, PodPhase.SUCCEEDED, 0);
        assertThat(play.takePhases(b)).containsExactly(Phase.STARTING);
    }

    @Test
    void jobBehindAFailedOneFails() {
        submit(a, failing(NO_RESTARTS, workers(1, 1)));
        submit(b, behind("a", true, workers(1, 1)));
        submit(job("c", 3), behind("a", false, workers(1, 1)));
        play.takeEffects();
        see(a, "worker", 0, PodPhase.FAILED, 1);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, b)).containsExactly(Phase.FAILED);
        assertThat(Play.phases(effects, job("c", 3))).containsExactly(Phase.STARTING);
        assertThat(effects)
                .filteredOn(e -> e instanceof Effect.Moved m && m.job().equals(b))
                .extracting(effect -> ((Effect.Moved) effect).message())
                .containsExactly("ml/a ended FAILED");
    }

    @Test
    void failureGoesDownTheWholeLine() {
        submit(a, workers(1, 1));
        submit(b, behind("a", true, workers(1, 1)));
        submit(job("c", 3), behind("b", true, workers(1, 1)));
        play.takeEffects();
        play.on(Fixtures.cancel(b, "", null));
        assertThat(play.takePhases(job("c", 3))).containsExactly(Phase.FAILED);
    }

    @Test
    void jobBehindAnUnknownOneIsRefused() {
        play.on(new Event.Submitted(b, behind("nobody", true, workers(1, 1)), REQUEST));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message())
                .isEqualTo("it waits for ml/nobody, which the pool does not know");
    }

    @Test
    void waitForAnotherJobOutlivesARestart() {
        submit(a, workers(1, 1));
        submit(b, behind("a", true, workers(1, 1)));
        play.restart();
        play.takeEffects();
        see(a, "worker", 0, PodPhase.SUCCEEDED, 0);
        assertThat(play.takePhases(b)).containsExactly(Phase.STARTING);
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private RunPlan plan(JobId id) {
        return play.take(RunPlan.class).stream()
                .filter(plan -> plan.job().equals(id))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private List<Rank> ranks(JobId id) {
        return play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values().stream()
                .map(Rank.class::cast)
                .filter(rank -> rank.job().equals(id))
                .toList();
    }

    private int pods(JobId id) {
        return ranks(id).size();
    }

    private void see(JobId id, String role, int index, PodPhase phase, Integer exitCode) {
        for (var rank : ranks(id)) {
            if (rank.id().equals(new RankId(role, index))) {
                var mark = Fixtures.mark(role, index, rank.making().incarnation());
                var node = rank.making().node();
                play.on(
                        new Event.PodSeen(
                                WATCHER, id, Fixtures.pod(mark, 9, phase, node, exitCode)));
            }
        }
    }

    private void end(JobId id) {
        for (var rank : ranks(id)) {
            see(id, rank.id().role(), rank.id().index(), PodPhase.SUCCEEDED, 0);
        }
    }
}
