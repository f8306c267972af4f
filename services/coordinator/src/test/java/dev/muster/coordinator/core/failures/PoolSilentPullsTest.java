package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.patient;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An image could not be pulled on a node that is not heard of since: nobody knows if it is now. */
class PoolSilentPullsTest {
    private static final Duration LIMIT = Hindrances.LIMIT;
    private static final Duration MOMENT = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(5);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerIsHeardOf() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    @Test
    void itsNodeIsLostAndNotItsImage() {
        isSilentAfter(LIMIT.minus(MOMENT), patient(Duration.ofHours(1), workers()));
        play.restart();
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after().minus(STEP), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(one.rank(1).sight().failure()).isNull();
        play.passHeard(MOMENT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().own()).isZero();
    }

    @Test
    void itHasAllItsTimeFromWhenItsNodeIsHeardOfAgain() {
        isSilentAfter(LIMIT.minus(MOMENT), patient(Duration.ofHours(1), workers()));
        play.passHeard(MOMENT.multipliedBy(2), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 4)));
        play.restart();
        play.passHeard(LIMIT.minus(STEP), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(STEP, 0);
        var moved = play.take(Effect.Moved.class).getLast();
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("ErrImagePull");
    }

    /**
     * It was lost with its node, and what is heard of that afterwards makes it no other failure.
     */
    @Test
    void whatWasLostIsNotItsImageWhereItsNodeIsHeardOfBeforeTheVerdict() {
        isSilentAfter(LIMIT.minus(MOMENT), patient(Duration.ofHours(1), workers()));
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after(), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 4)));
        play.restart();
        play.passHeard(MOMENT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().own()).isZero();
    }

    /** Another attempt may come where the image is. */
    @Test
    void itsGangsTimeoutSaysNothingOfItsImage() {
        isSilentAfter(LIMIT.minus(MOMENT), workers());
        play.passHeard(MOMENT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(play.job(a).times().hinderedFor()).isZero();
    }

    private static JobSpec workers() {
        return failing(policy(Otherwise.POD), Fixtures.workers(2, 4));
    }

    private void isSilentAfter(Duration kept, JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        one.see(0, PodPhase.RUNNING, null);
        var pod = Fixtures.pod(one.newest(1), one.nextVersion(), PodPhase.PENDING, node());
        play.on(new Event.PodSeen(WATCHER, a, OneJob.hindered(pod)));
        play.passHeard(kept, 0);
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node(), 4)));
    }

    private String node() {
        return one.rank(1).making().node();
    }
}
