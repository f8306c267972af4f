package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static dev.muster.coordinator.core.fixtures.Planned.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Roles that wait for others, when what failed of both is made again. */
class PoolDependentsTest {
    private static final RankId LAUNCHER = new RankId("launcher", 0);
    private static final RankId MASTER = new RankId("master", 0);
    private static final Duration VERDICT =
            FailurePolicy.PLAIN.settle().plus(FailurePolicy.PLAIN.delay().initial());

    /** Room for the launcher and three workers, and for nobody else. */
    private final Play play = Play.withNodes(1, 1, 1, 1);

    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private void launched() {
        play.on(new Event.Submitted(a, ElasticJobs.launched("default", 2, 3, 3), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        one.see("launcher", PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.RUNNING);
        play.takeEffects();
    }

    private void vanish(RankId... ids) {
        for (var id : ids) {
            var rank = rank(id);
            var making = rank.making();
            var uid = rank.sight().podUid();
            var mark =
                    new Event.PodMark(
                            id, making.attempt(), making.incarnation(), 1, uid == null ? "" : uid);
            play.on(new Event.PodGone(WATCHER, a, mark));
        }
    }

    private void allVanish() {
        vanish(LAUNCHER, worker(0), worker(1), worker(2));
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
    }

    private static RankId worker(int index) {
        return new RankId("worker", index);
    }

    private Rank rank(RankId id) {
        return (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, id));
    }

    private @Nullable WaitReason reason() {
        var reasons = play.explain(a).orElseThrow().reasons();
        return reasons.isEmpty() ? null : reasons.getFirst();
    }

    private RunPlan lastPlan() {
        return play.take(RunPlan.class).getLast();
    }

    @Test
    void launcherThatIsLostWithItsWorkersComesAfterThemAndWithTheirList() {
        launched();
        allVanish();
        assertThat(pods(lastPlan())).containsExactlyInAnyOrder("worker-0", "worker-1", "worker-2");
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.RETURNING);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeUnready(1);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(play.take(RunPlan.class)).noneMatch(plan -> pods(plan).contains("launcher-0"));
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        var plan = lastPlan();
        assertThat(pods(plan)).contains("launcher-0");
        assertThat(hosts(plan)).containsExactly("worker-0", "worker-1");
        one.see("launcher", PodPhase.RUNNING, null);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.RUNNING);
        assertThat(reason()).isNull();
    }

    @Test
    void launcherThatFailedAloneComesAtOnce() {
        launched();
        vanish(LAUNCHER);
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(pods(lastPlan())).contains("launcher-0");
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void launcherThatFailedWithSomeComesAtOnceWhereTheOthersAreEnough() {
        launched();
        vanish(LAUNCHER, worker(2));
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(pods(lastPlan())).contains("launcher-0", "worker-2");
    }

    @Test
    void itsRoomIsKeptMeanwhile() {
        launched();
        var other = job("b", 2);
        play.on(new Event.Submitted(other, Fixtures.workers(1, 1), null));
        allVanish();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(other).state().phase()).isEqualTo(Phase.QUEUED);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.ORDERED);
        assertThat(play.job(other).state().phase()).isEqualTo(Phase.QUEUED);
    }

    /** Its node has left; others wait for room, too. */
    @Test
    void roomThatComesWhereItsOwnIsLostIsItsBeforeOthers() {
        launched();
        var other = job("b", 2);
        play.on(new Event.Submitted(other, Fixtures.workers(1, 1), null));
        var lost = rank(LAUNCHER).making().node();
        vanish(LAUNCHER, worker(0), worker(1), worker(2));
        play.on(new Event.NodeReleased(WATCHER, lost, false));
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-9", 1)));
        assertThat(play.job(other).state().phase()).isEqualTo(Phase.QUEUED);
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.RETURNING);
        play.restart();
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.ORDERED);
        assertThat(rank(LAUNCHER).making().node()).isEqualTo("node-9");
    }

    @Test
    void thatItsRoomIsLostIsSaidWithWhatItWaitsFor() {
        launched();
        var lost = rank(LAUNCHER).making().node();
        vanish(LAUNCHER, worker(0), worker(1), worker(2));
        play.on(new Event.NodeReleased(WATCHER, lost, false));
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeUnready(1);
        one.seeUnready(2);
        play.passHeard(Jobs.PUBLISH_DELAY, 0);
        var start =
                "launcher-0 is to be made again, and waits for worker to be ready: 1 of 2;"
                        + " its room is lost: ";
        assertThat(reason())
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code)
                .satisfies(why -> assertThat(why.message()).startsWith(start))
                .satisfies(why -> assertThat(why.remedy()).endsWith("that 2 of worker are ready"));
        assertThat(play.take(Effect.Status.class).getLast().word().message()).startsWith(start);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-9", 1)));
        assertThat(reason()).returns(Code.WAITING_FOR_DEPENDENCY, WaitReason::code);
    }

    /** The same where there is some when its workers get theirs. */
    @Test
    void roomElsewhereIsTakenWithThatOfItsWorkers() {
        launched();
        var lost = rank(LAUNCHER).making().node();
        vanish(LAUNCHER, worker(0), worker(1), worker(2));
        play.on(new Event.NodeReleased(WATCHER, lost, false));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-9", 1)));
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.RETURNING);
        assertThat(rank(LAUNCHER).making().node()).isNotEqualTo(lost);
        var other = job("b", 2);
        play.on(new Event.Submitted(other, Fixtures.workers(1, 1), null));
        assertThat(play.job(other).state().phase()).isEqualTo(Phase.QUEUED);
    }

    @Test
    void whatItWaitsForIsSaid() {
        launched();
        allVanish();
        assertThat(reason()).returns("worker-0", WaitReason::scope);
        one.seeUnready(0);
        one.seeUnready(1);
        one.seeUnready(2);
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        var message = "launcher-0 is to be made again, and waits for worker to be ready: 1 of 2";
        assertThat(reason())
                .returns(Code.WAITING_FOR_DEPENDENCY, WaitReason::code)
                .returns("launcher-0", WaitReason::scope)
                .returns("that 2 of worker are ready", WaitReason::remedy)
                .returns(message, WaitReason::message);
        assertThat(play.take(Effect.Status.class).getLast().word().message()).isEqualTo(message);
    }

    @Test
    void poolThatIsMadeAnewFromItsRowsMakesItWhenItIsTime() {
        launched();
        allVanish();
        play.restart();
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.restart();
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.restart();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(pods(lastPlan())).contains("launcher-0");
    }

    @Test
    void gangWhoseWorkersDoNotComeGoesBackToItsQueue() {
        launched();
        allVanish();
        play.passHeard(play.job(a).spec().gang().timeout().plusSeconds(5), 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.STOPPING);
    }

    @Test
    void itComesAlsoWhereAnotherOfItsJobFindsNoRoom() {
        launched();
        var small = rank(worker(1)).making().node();
        vanish(LAUNCHER, worker(0), worker(1), worker(2));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(small, 0)));
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(rank(worker(1)).state()).isEqualTo(RankState.RETURNING);
        assertThat(reason()).returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(2, PodPhase.RUNNING, null);
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        assertThat(rank(worker(1)).state()).isEqualTo(RankState.RETURNING);
        assertThat(rank(LAUNCHER).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void roleThatWaitsForAnotherToRunIsMadeAgainWhenThatRuns() {
        mastered();
        one.see("master", PodPhase.FAILED, 137);
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(rank(MASTER).state()).isEqualTo(RankState.ORDERED);
        assertThat(rank(worker(1)).state()).isEqualTo(RankState.RETURNING);
        one.see("master", PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(rank(worker(1)).state()).isEqualTo(RankState.ORDERED);
    }

    private void mastered() {
        mastered(Fixtures.policy(Otherwise.POD));
    }

    private void mastered(FailurePolicy policy) {
        var master = Fixtures.role("master", 1, 1);
        var worker = Fixtures.after("master", Milestone.RUNNING, Fixtures.role("worker", 2, 1));
        var spec = Fixtures.failing(policy, Fixtures.spec("default", master, worker));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        one.see("master", PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.takeEffects();
    }

    @Test
    void whoHasEndedForGoodIsNotWaitedFor() {
        mastered();
        one.see("master", PodPhase.SUCCEEDED, 0);
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(rank(worker(1)).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void whoseFailureIsIgnoredIsNotWaitedFor() {
        var ignored = new Rule(List.of(new ExitCodes(1, 1)), List.of(), null, new Action.Ignore());
        mastered(Fixtures.policy(Otherwise.POD, ignored));
        one.see("master", PodPhase.FAILED, 1);
        play.passHeard(VERDICT, 0);
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(VERDICT.plus(Jobs.PUBLISH_DELAY), 0);
        assertThat(rank(worker(1)).state()).isEqualTo(RankState.ORDERED);
    }

    /** A container that has ended; one that runs is asked for with those that it worked with. */
    @Test
    void containerThatStartsAgainInItsPodWaitsAsWell() {
        var inPlace =
                new Rule(
                        List.of(new ExitCodes(42, 42)),
                        List.of(),
                        null,
                        new Action.RestartInPlace());
        mastered(Fixtures.policy(Otherwise.POD, inPlace));
        one.see("master", PodPhase.RUNNING, 42);
        one.seeNewest(1, PodPhase.RUNNING, 42);
        served(VERDICT.plusSeconds(1));
        assertThat(rank(MASTER).is(InPlace.ASKED)).isTrue();
        assertThat(rank(worker(1)).is(InPlace.WANTED)).isTrue();
        masterStartsAgain();
        served(Duration.ofSeconds(1));
        assertThat(rank(worker(1)).is(InPlace.ASKED)).isTrue();
    }

    /** Nothing is seen any more once all delays are over. */
    @Test
    void whoWaitsForAContainerThatTheKubeletStartedAgainComesAfterItsDelay() {
        var inPlace =
                new Rule(
                        List.of(new ExitCodes(42, 42)),
                        List.of(),
                        null,
                        new Action.RestartInPlace());
        mastered(Fixtures.policy(Otherwise.POD, inPlace));
        one.see("master", PodPhase.RUNNING, 42);
        one.seeNewest(1, PodPhase.RUNNING, 42);
        masterStartsAgain();
        served(VERDICT.plusSeconds(1));
        assertThat(rank(MASTER).state()).isEqualTo(RankState.RUNNING);
        assertThat(rank(worker(1)).is(InPlace.ASKED)).isTrue();
    }

    private void masterStartsAgain() {
        var mark = Fixtures.mark("master", 0, rank(MASTER).making().incarnation());
        var node = rank(MASTER).making().node();
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, node, null);
        var end = new Event.ContainerEnd(42, "Error", "");
        play.on(new Event.PodSeen(WATCHER, a, Fixtures.again(pod, new Event.EarlierRuns(1, end))));
    }

    /** By a cluster in which containers are restarted in their pods for who asks. */
    private void served(Duration time) {
        for (long i = 0; i < time.toSeconds(); i++) {
            play.on(new Event.WatcherAlive(WATCHER));
            play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(), true));
            play.pass(Duration.ofSeconds(1));
        }
    }
}
