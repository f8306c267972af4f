package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ranks that fail before their gang has run. */
class PoolStartFailuresTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofMinutes(6);
    private static final Duration MOMENT = Duration.ofSeconds(5);

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void gangIsNotTakenBackBeforeTheVerdictThatItWaitsFor() {
        begins(failing(slow(Otherwise.GANG, LONG, Duration.ofSeconds(10)), workers(2, 1)));
        one.fail(0, 1);
        play.restart();
        play.passHeard(TIMEOUT.plus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(LONG.minus(TIMEOUT).minus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void itHasItsTimeToRunOnceMoreWhenADelayIsOver() {
        begins(failing(slow(Otherwise.POD, Duration.ofSeconds(10), LONG), workers(2, 1)));
        one.fail(0, 137);
        play.passHeard(LONG.plusSeconds(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        play.restart();
        play.passHeard(TIMEOUT.minus(MOMENT), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(MOMENT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void itHasItsTimeToRunOnceMoreWhenWhatFoundNoRoomIsMadeAgain() {
        begins(failing(slow(Otherwise.POD, MOMENT, MOMENT), workers(2, 2)));
        one.fail(0, 137);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 2)));
        play.passHeard(MOMENT.multipliedBy(2), 0);
        play.passHeard(TIMEOUT.minusSeconds(10), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 2)));
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        play.restart();
        play.passHeard(TIMEOUT.minusSeconds(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    /** They fail again and again, at no charge, and it would hold its room without end. */
    @Test
    void whoFallsSinceRankZeroIsNotThereHoldsNothingUp() {
        begins(ElasticJobs.elastic("default", 3, 3, 4));
        for (int i = 0; i < 20; i++) {
            for (int index = 1; index < 3; index++) {
                if (play.isUp(a) && one.rank(index).state() == RankState.ORDERED) {
                    one.seeNewest(index, PodPhase.FAILED, 1);
                }
            }
            play.passHeard(Duration.ofSeconds(15), 0);
        }
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(play.job(a).past().budgets().all()).isZero();
    }

    /** All are ordered, and nothing was seen of them. */
    private void begins(JobSpec spec) {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
    }

    private static FailurePolicy slow(Otherwise otherwise, Duration settle, Duration delay) {
        var plain = policy(otherwise);
        return new FailurePolicy(
                plain.otherwise(),
                plain.limits(),
                new FailurePolicy.Delay(delay, delay),
                settle,
                plain.nodeLost(),
                plain.rules());
    }
}
