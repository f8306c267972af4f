package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Then;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a gang was taken back since it last ran for long. */
class PoolTakenBackTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LONG = FailurePolicy.PLAIN.delay().max();

    private final JobId a = job("a", 1);

    @ParameterizedTest
    @CsvSource({"0, 1", "-10, 2"})
    void backOffBeginsAnewOnceItRanForAsLongAsRestartsAskFor(int seconds, int times) {
        var play = Play.withNodes(2);
        var one = new OneJob(play, a);
        play.on(new Event.Submitted(a, failing(policy(Otherwise.POD), workers(2, 1)), null));
        one.applied(false);
        play.passHeard(TIMEOUT.plusSeconds(10), 0);
        assertThat(((Stopping) play.job(a).state()).then())
                .isInstanceOfSatisfying(
                        Then.Requeue.class, then -> assertThat(then.takenBack()).isEqualTo(1));
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofMinutes(1), 0);
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isEqualTo(new Running(1));
        play.passHeard(LONG.plusSeconds(seconds), 0);
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(TIMEOUT.plusSeconds(20), 0);
        assertThat(((Stopping) play.job(a).state()).then())
                .isInstanceOfSatisfying(
                        Then.Requeue.class, then -> assertThat(then.takenBack()).isEqualTo(times));
    }
}
