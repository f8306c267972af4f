package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A rank that was made again, does not come up, and is made once more on another node. */
class PoolMovedAgainTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Until a failed pod is made again: what the verdict waits, and the first delay. */
    private static final Duration AGAIN = Duration.ofSeconds(20);

    private final Play play = Play.withNodes(1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerLives() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    /** What was forced was what its dead node had. */
    @Test
    void whoWasForcedOffADeadNodeIsNotForcedOffTheLivingOneToWhichHeCame() {
        var spec = elastic("default", 2, 2, 4);
        one.runs(failing(Fixtures.losing(MINUTE, true, spec.work().failure()), spec));
        var dead = one.rank(1).making().node();
        play.on(Zones.silent(dead, "a", 1));
        play.passHeard(MINUTE.plus(AGAIN), 0);
        assertThat(one.rank(1).making().forces()).isTrue();
        one.seeNewest(1, PodPhase.PENDING, null);
        var living = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(dead, 1)));
        play.takeEffects();
        play.restart();
        play.passHeard(play.job(a).spec().gang().timeout().plusSeconds(5), 0);
        assertThat(one.rank(1).making().node()).isEqualTo(dead);
        assertThat(one.rank(1).making().forces()).isFalse();
        assertThat(one.rank(1).making().former()).isEqualTo(living);
        assertThat(play.take(Effect.RunPlan.class).getLast().pods())
                .noneMatch(Effect.PlannedPod::forces);
    }

    /** On its new node it has just begun. */
    @Test
    void whoCouldNotPullBeforeHasHisWholeTimeToPullThere() {
        var timeout = MINUTE.multipliedBy(4);
        one.runs(Fixtures.patient(timeout, elastic("default", 2, 2, 4)));
        one.fail(1, 137);
        play.passHeard(AGAIN, 0);
        cannotPull();
        var first = one.rank(1).making().node();
        play.passHeard(timeout, 0);
        assertThat(one.rank(1).making().node()).isNotEqualTo(first);
        cannotPull();
        play.restart();
        play.passHeard(MINUTE.multipliedBy(2), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    private void cannotPull() {
        var node = one.rank(1).making().node();
        var pod = Fixtures.pod(one.newest(1), one.nextVersion(), PodPhase.PENDING, node);
        play.on(new Event.PodSeen(WATCHER, a, OneJob.hindered(pod)));
    }
}
