package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An elastic holder whose wished size changes while others are ended for it. */
class PoolScaledHoldTest {
    private final Play play = Play.withNodes(4, 4, 4, 4);
    private final OneJob first = new OneJob(play, job("v1", 1));
    private final OneJob second = new OneJob(play, job("v2", 2));
    private final JobId holder = job("h", 5);
    private final JobId small = job("small", 6);

    private void twoGangsAreEndedFor(JobSpec spec) {
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ofMinutes(1), 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        first.runs(at(1, workers(1, 4)));
        second.runs(at(1, workers(1, 4)));
        new OneJob(play, job("r", 3)).runs(at(5, workers(2, 4)));
        play.on(new Event.Submitted(holder, at(5, spec), null));
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(preempted()).containsExactlyInAnyOrder("v1", "v2");
        play.on(new Event.Submitted(small, at(4, workers(1, 1)), null));
        gone(first);
        play.takeEffects();
    }

    private List<String> preempted() {
        return play.take(Effect.Preempted.class).stream().map(e -> e.job().name()).toList();
    }

    private void gone(OneJob one) {
        one.gone(0);
        one.applied(false);
        one.applied(true);
    }

    private void scale(int to, Duration timeout) {
        var terms = new Change.Terms(timeout, true, Duration.ZERO, false);
        play.on(new Event.ChangeAsked(holder, new Change.SetReplicas("worker", to, terms), null));
    }

    private void holderKeepsTheRoomThatOthersLeave() {
        assertThat(play.job(small).state()).isInstanceOf(JobState.Queued.class);
        assertThat(preempted()).isEmpty();
        gone(second);
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void holderOfAnotherWishKeepsTheRoomThatOthersLeave() {
        twoGangsAreEndedFor(ElasticJobs.elastic("default", 8, 10, 16));
        scale(12, Duration.ZERO);
        assertThat(play.job(holder).spec().role("worker").replicas()).isEqualTo(12);
        holderKeepsTheRoomThatOthersLeave();
    }

    @Test
    void commandThatIsTakenBackLeavesItTheHold() {
        twoGangsAreEndedFor(ElasticJobs.elastic("default", 8, 10, 16));
        scale(12, Duration.ZERO);
        play.on(new Event.ChangeAsked(holder, Change.Withdraw.ANY, null));
        holderKeepsTheRoomThatOthersLeave();
    }

    @Test
    void commandThatIsLateLeavesItTheHold() {
        twoGangsAreEndedFor(ElasticJobs.elastic("default", 8, 10, 16));
        scale(12, Duration.ofSeconds(20));
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(play.job(holder).spec().role("worker").replicas()).isEqualTo(10);
        holderKeepsTheRoomThatOthersLeave();
    }

    @Test
    void whoStartsWithOtherPodsThenIsFoundAnotherRoom() {
        var worker = Fixtures.atLeast(2, Fixtures.role("worker", 4, 1));
        var other = Fixtures.atLeast(1, Fixtures.role("other", 6, 1));
        var spec = ElasticJobs.elastic(2, 8, Fixtures.spec("default", worker, other));
        var work = spec.work();
        var gang = new JobSpec.Gang(8, work.gang().timeout(), work.gang().topology());
        twoGangsAreEndedFor(
                Fixtures.with(
                        spec,
                        gang,
                        work.failure(),
                        work.deadlines(),
                        work.limits(),
                        work.elastic()));
        scale(6, Duration.ZERO);
        assertThat(play.take(Effect.Held.class))
                .extracting(Effect.Held::job)
                .containsExactly(holder);
    }
}
