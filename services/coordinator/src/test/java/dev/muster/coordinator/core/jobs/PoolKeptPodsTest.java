package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.QueueState;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which pods a job that has ended keeps: those that it had then, and none that was made late. */
class PoolKeptPodsTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whatWasSeenOrListedWhenItEndedIsKept() {
        play.on(new Event.Submitted(a, workers(2, 1), null));
        var known = new PodMark(OneJob.mark(1).rank(), 1, 2, 1, "listed");
        listed(known);
        one.succeed(0);
        one.succeed(1);
        var plan = play.takeOne(StopPlan.class);
        assertThat(plan.stop().keep()).isEqualTo(Keep.FINISHED);
        assertThat(plan.kept()).containsExactlyInAnyOrder(uid(0), uid(1), "listed");
    }

    @Test
    void whatIsGoneWhenItEndsIsNot() {
        one.runs(workers(2, 1));
        one.succeed(0);
        one.gone(0);
        one.succeed(1);
        assertThat(play.takeOne(StopPlan.class).kept()).containsExactly(uid(1));
    }

    @Test
    void jobThatKeepsNothingNamesNothing() {
        one.runs(workers(2, 1));
        play.on(Fixtures.cancel(a, "", null));
        assertThat(play.takeOne(StopPlan.class).kept()).isEmpty();
    }

    @Test
    void whatIsSeenLaterIsNotKept() {
        ends();
        listed(OneJob.mark(0), OneJob.mark(1));
        see(new PodMark(new RankId("worker", 7), 1, 9, 1, "late"));
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        var plan = play.takeOne(StopPlan.class);
        assertThat(plan.stop().grace()).isEqualTo(Duration.ofSeconds(2));
        assertThat(plan.kept()).containsExactlyInAnyOrder(uid(0), uid(1));
    }

    /** It was ordered, and a sleeper makes it when all is over. */
    @Test
    void norIsThePodOfARankOfItsThatHadNone() {
        var spec = ElasticJobs.elastic("default", 1, 2, 3);
        var any = AnotherWork.of(spec, work -> work.success = new JobSpec.Success.Any());
        play.on(new Event.Submitted(a, any, null));
        one.see(0, PodPhase.RUNNING, null);
        listed(OneJob.mark(0));
        one.succeed(0);
        assertThat(play.takeOne(StopPlan.class).kept()).containsExactly(uid(0));
        listed(OneJob.mark(0));
        see(OneJob.mark(1));
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(StopPlan.class).kept()).containsExactly(uid(0));
    }

    /** Nothing was listed since it ended, so what was seen counts as before. */
    @Test
    void planThatWasNotCarriedOutKeepsWhatItKept() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 4)));
        int lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        one.fail(1 - lost, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takeOne(StopPlan.class).kept()).containsExactly(uid(0), uid(1));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
        var request = new Event.Request("ml/a", "r");
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), request));
        var plan = play.takeOne(StopPlan.class);
        assertThat(plan.stop().forced()).containsExactly(ForcedPods.of(new RankId("worker", lost)));
        assertThat(plan.kept()).containsExactly(uid(0), uid(1));
    }

    /** They use what they had until they are gone, and that is told when nothing else happens. */
    @Test
    void queueUsesNothingOnceThePodsOfItsLastJobAreGone() {
        var any = AnotherWork.of(workers(2, 1), work -> work.success = new JobSpec.Success.Any());
        one.runs(any);
        one.succeed(0);
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(used()).isEqualTo(Fixtures.cpu(1).get("cpu"));
        one.gone(1);
        play.passHeard(Duration.ofSeconds(2), 0);
        assertThat(used()).isZero();
    }

    /** Of cpu, as published last. */
    private long used() {
        return play.take(QueueState.class).getLast().used().get("cpu");
    }

    private void ends() {
        one.runs(workers(2, 1));
        one.succeed(0);
        one.succeed(1);
        play.takeEffects();
    }

    private static String uid(int index) {
        return OneJob.mark(index).podUid();
    }

    private void listed(PodMark... marks) {
        var pods = Stream.of(marks).map(mark -> new Event.ListedPod(a.uid(), mark, false)).toList();
        play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), false, pods));
    }

    private void see(PodMark mark) {
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, "node-0", null);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }
}
