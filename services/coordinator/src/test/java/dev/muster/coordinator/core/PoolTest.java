package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.NO_RESTARTS;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.Answer;
import dev.muster.coordinator.core.effects.Effect.GonePlan;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ListedPod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolTest {
    private static final Request REQUEST = new Request("ml/a", "r-1");
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    @Test
    void jobGoesFromTheQueueToItsEnd() {
        submit(a, workers(2, 1));
        var plan = play.takeOne(RunPlan.class);
        assertThat(plan.pods())
                .isEqualTo(
                        List.of(
                                new PlannedPod(
                                        new RankId("worker", 0), 1, "node-0", null, 0, false, 0),
                                new PlannedPod(
                                        new RankId("worker", 1), 2, "node-0", null, 0, false, 0)));
        see(a, PodPhase.PENDING, null).see(a, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).containsExactly(Phase.RUNNING);
        see(a, PodPhase.SUCCEEDED, 0);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.SUCCEEDED);
        assertThat(stop(effects).stop().keep()).isEqualTo(Keep.FINISHED);
    }

    @Test
    void everyEventOfAJobHasTheNextNumber() {
        submit(a, workers(2, 1));
        see(a, PodPhase.RUNNING, null).see(a, PodPhase.SUCCEEDED, 0);
        var numbers =
                play.takeEffects().stream()
                        .<Long>mapMulti((effect, out) -> {
                            switch (effect) {
                                case Effect.Moved moved -> out.accept(moved.seq());
                                case Effect.RankEnded ended -> out.accept(ended.seq());
                                case Effect.RankPlaced placed -> out.accept(placed.seq());
                                default -> {}
                            }
                        })
                        .toList();
        assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void gangThatDoesNotFitWaitsWithItsReasonWhileASmallerOnePasses() {
        submit(a, workers(9, 1));
        var waits = play.takeOne(Effect.Waits.class);
        assertThat(waits.reason().code()).isEqualTo(WaitReason.Code.INSUFFICIENT_CAPACITY);
        assertThat(waits.reason().shortage()).isEqualTo(new WaitReason.Shortage(9000, 8000));
        submit(b, workers(1, 1));
        assertThat(play.takeOne(RunPlan.class).job()).isEqualTo(b);
        see(b, PodPhase.RUNNING, null).see(b, PodPhase.SUCCEEDED, 0);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    @Test
    void withoutBackfillNothingPassesAHeadThatCouldStartLater() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, false, false, 10), null));
        submit(a, workers(5, 1));
        submit(b, workers(5, 1));
        submit(job("c", 3), workers(1, 1));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(a);
        see(a, PodPhase.RUNNING, null).see(a, PodPhase.SUCCEEDED, 0);
        assertThat(play.take(RunPlan.class))
                .extracting(RunPlan::job)
                .containsExactly(b, job("c", 3));
    }

    @Test
    void cancelOfAWaitingJobLeavesNothing() {
        submit(a, workers(9, 1));
        play.takeEffects();
        play.on(Fixtures.cancel(a, "enough", REQUEST));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.CANCELLED);
        assertThat(effects).noneMatch(Effect.Plan.class::isInstance);
        assertThat(effects)
                .contains(new Answer(REQUEST, Outcome.ACCEPTED, a, Phase.CANCELLED, "", null));
    }

    @Test
    void cancelOfARunningJobEndsItOnceTwoWitnessesSawNothingLeft() {
        submit(a, workers(2, 1));
        see(a, PodPhase.RUNNING, null);
        play.takeEffects();
        play.on(Fixtures.cancel(a, "enough", REQUEST));
        assertThat(stop(play.takeEffects()).stop().keep()).isEqualTo(Keep.NONE);
        applied(a, false);
        gone(a);
        assertThat(stop(play.takeEffects()).stop().confirm()).isTrue();
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.STOPPING);
        applied(a, true);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.CANCELLED);
        assertThat(effects).anyMatch(GonePlan.class::isInstance);
    }

    @Test
    void repeatedCancelGetsTheFirstAnswer() {
        submit(a, workers(2, 1));
        see(a, PodPhase.RUNNING, null);
        play.takeEffects();
        play.on(Fixtures.cancel(a, "", REQUEST));
        play.on(Fixtures.cancel(a, "", REQUEST));
        assertThat(play.take(Answer.class))
                .extracting(Answer::outcome)
                .containsExactly(Outcome.ACCEPTED, Outcome.ACCEPTED);
    }

    @Test
    void confirmThatStillSeesPodsIsAskedAgain() {
        submit(a, workers(1, 1));
        see(a, PodPhase.RUNNING, null);
        play.on(Fixtures.cancel(a, "", null));
        applied(a, false);
        gone(a);
        play.takeEffects();
        var left = List.of(new ListedPod(a.uid(), Fixtures.mark("worker", 0, 1), true));
        play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), true, left));
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofSeconds(6), 0);
        assertThat(stop(play.takeEffects()).stop().confirm()).isTrue();
        applied(a, true);
        assertThat(play.takePhases(a)).containsExactly(Phase.CANCELLED);
    }

    @Test
    void failedRankEndsTheJobWithItsWords() {
        submit(a, failing(NO_RESTARTS, workers(2, 1)));
        see(a, PodPhase.RUNNING, null);
        play.takeEffects();
        var mark = Fixtures.mark("worker", 1, 2);
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.pod(mark, 99, PodPhase.FAILED, "node-0", 3)));
        var status = play.take(Effect.Status.class).getLast();
        assertThat(status.job().state())
                .isEqualTo(
                        new JobState.Ended(
                                new End(Phase.FAILED, "Error", "worker-1 exited with 3"),
                                Remains.KEPT));
    }

    @Test
    void refusedTemplateFailsTheJobWithTheServersMessage() {
        submit(a, workers(1, 1));
        play.takeEffects();
        play.on(new Event.PlanRefused(a, 1, "Invalid", "spec.containers[0].image: Required value"));
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.message()).isEqualTo("spec.containers[0].image: Required value");
    }

    @Test
    void gangThatDoesNotRunInTimeIsTakenBackAndTriedAgainLater() {
        submit(a, workers(2, 1));
        play.takeEffects();
        play.passHeard(Duration.ofMinutes(5).plusSeconds(5), 0);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.STOPPING);
        applied(a, false);
        applied(a, true);
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED);
        play.passHeard(Duration.ofSeconds(65), 0);
        var plan = play.takeOne(RunPlan.class);
        assertThat(plan.attempt()).isEqualTo(2);
        assertThat(plan.pods()).extracting(PlannedPod::incarnation).containsExactly(3, 4);
    }

    @Test
    void gangTimeoutStandsStillWhileTheWatcherIsSilent() {
        submit(a, workers(2, 1));
        play.passHeard(Duration.ofMinutes(4), 0);
        for (int i = 0; i < 60; i++) {
            play.pass(Duration.ofSeconds(10));
            play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        }
        assertThat(play.takePhases(a)).doesNotContain(Phase.STOPPING);
        play.passHeard(Duration.ofSeconds(50), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
    }

    @Test
    void podThatStaysUnschedulableIsPlacedAgainAlone() {
        submit(a, workers(1, 1));
        play.takeEffects();
        var mark = Fixtures.mark("worker", 0, 1);
        play.on(new Event.PodSeen(WATCHER, a, Fixtures.pod(mark, 5, PodPhase.PENDING, null)));
        play.passHeard(Duration.ofSeconds(11), 0);
        var plan = play.takeOne(RunPlan.class);
        assertThat(plan.version()).isEqualTo(2);
        assertThat(plan.pods())
                .containsExactly(
                        new PlannedPod(new RankId("worker", 0), 2, "node-1", null, 0, false, 0));
        play.on(new Event.PodGone(WATCHER, a, mark));
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void podMadeByALateWakerIsRepairedAway() {
        submit(a, workers(1, 1));
        see(a, PodPhase.RUNNING, null).see(a, PodPhase.SUCCEEDED, 0);
        applied(a, false);
        play.takeEffects();
        var late = new Event.PodMark(new RankId("worker", 0), 1, 1, 1, "another");
        play.on(new Event.PodSeen(WATCHER, a, Fixtures.pod(late, 50, PodPhase.RUNNING, "node-0")));
        play.passHeard(Duration.ofSeconds(6), 0);
        assertThat(stop(play.takeEffects()).stop().keep()).isEqualTo(Keep.FINISHED);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void vanishedPodFailsItsRank() {
        submit(a, workers(2, 1));
        see(a, PodPhase.RUNNING, null);
        play.takeEffects();
        play.on(new Event.PodGone(WATCHER, a, Fixtures.mark("worker", 0, 1)));
        assertThat(play.takeOne(Effect.Moved.class).reason()).isEqualTo("PodLost");
    }

    @Test
    void whatASnapshotDoesNotListIsGone() {
        submit(a, workers(2, 1));
        see(a, PodPhase.RUNNING, null);
        play.takeEffects();
        play.on(new Event.SnapshotBegin(WATCHER, "second"));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        seeOne(a, 0, PodPhase.RUNNING, null);
        play.on(new Event.SnapshotEnd(WATCHER, "second"));
        assertThat(play.takeOne(Effect.Moved.class).message())
                .isEqualTo("worker-1 vanished before its end; restart 1");
        assertThat(play.rows.get(Row.Table.NODE)).containsOnlyKeys("node-0");
    }

    @Test
    void wordsOfAnOlderLeaseHolderAreNotBelieved() {
        submit(a, workers(1, 1));
        play.on(new Event.WatcherAlive(new Event.Witness(0, 1, 200)));
        play.takeEffects();
        see(a, PodPhase.RUNNING, null);
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void keptPodsAreDeletedAfterTheTtlAndAllIsForgottenAfterThirtyDays() {
        submit(a, workers(1, 1));
        see(a, PodPhase.RUNNING, null).see(a, PodPhase.SUCCEEDED, 0);
        applied(a, false);
        play.takeEffects();
        play.pass(Duration.ofHours(24).plusSeconds(1));
        assertThat(stop(play.takeEffects()).stop().keep()).isEqualTo(Keep.NONE);
        applied(a, false);
        gone(a);
        applied(a, true);
        assertThat(play.takeEffects()).anyMatch(GonePlan.class::isInstance);
        play.pass(Duration.ofDays(30));
        assertThat(play.takeOne(Effect.Forget.class).job()).isEqualTo(a);
        assertThat(play.rows.get(Row.Table.JOB)).isEmpty();
        assertThat(play.rows.get(Row.Table.RANK)).isEmpty();
        assertThat(play.rows.get(Row.Table.ALARM)).isEmpty();
    }

    @Test
    void newerSubmissionOfANameMakesTheOlderOnesObjectsUnwanted() {
        submit(a, workers(1, 1));
        see(a, PodPhase.RUNNING, null).see(a, PodPhase.SUCCEEDED, 0);
        play.takeEffects();
        var again = job("a", 7);
        submit(again, workers(1, 1));
        var effects = play.takeEffects();
        assertThat(stop(effects).job()).isEqualTo(a);
        assertThat(effects).anyMatch(e -> e instanceof RunPlan plan && plan.job().equals(again));
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    /** All pods of the job, as the newest plan made them, on their nodes. */
    private PoolTest see(JobId id, PodPhase phase, Integer exitCode) {
        IntStream.range(0, ranks(id).size()).forEach(i -> seeOne(id, i, phase, exitCode));
        return this;
    }

    private void seeOne(JobId id, int index, PodPhase phase, Integer exitCode) {
        var rank = ranks(id).get(index);
        var mark = mark(rank);
        long version = 10L + phase.ordinal();
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        id,
                        Fixtures.pod(mark, version, phase, rank.making().node(), exitCode)));
    }

    private void gone(JobId id) {
        ranks(id).forEach(rank -> play.on(new Event.PodGone(WATCHER, id, mark(rank))));
    }

    /** Pod-manager carried out the newest plan and listed nothing. */
    private void applied(JobId id, boolean confirm) {
        play.on(
                new Event.PlanApplied(
                        id, play.job(id).fences().plan(), confirm, List.<ListedPod>of()));
    }

    private List<Rank> ranks(JobId id) {
        return play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values().stream()
                .map(Rank.class::cast)
                .filter(rank -> rank.job().equals(id))
                .toList();
    }

    private static Event.PodMark mark(Rank rank) {
        return new Event.PodMark(
                rank.id(),
                rank.making().attempt(),
                rank.making().incarnation(),
                1,
                "pod-%s%d%d"
                        .formatted(
                                rank.id().role(), rank.id().index(), rank.making().incarnation()));
    }

    private static StopPlan stop(List<Effect> effects) {
        var stops =
                effects.stream()
                        .filter(StopPlan.class::isInstance)
                        .map(StopPlan.class::cast)
                        .toList();
        assertThat(stops).hasSize(1);
        return stops.getFirst();
    }
}
