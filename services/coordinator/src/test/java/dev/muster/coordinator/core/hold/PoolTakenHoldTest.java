package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder for whom others are ended, and who comes before it takes of the room. */
class PoolTakenHoldTest {
    private final Play play = Play.withNodes(4, 4, 4, 4);
    private final OneJob first = new OneJob(play, job("v1", 1));
    private final OneJob second = new OneJob(play, job("v2", 2));
    private final OneJob third = new OneJob(play, job("v3", 3));
    private final OneJob running = new OneJob(play, job("r", 4));
    private final JobId holder = job("h", 5);

    @BeforeEach
    void twoGangsAreEndedForTheHolder() {
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ofMinutes(1), 3);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
        first.runs(at(1, workers(1, 4)));
        second.runs(at(1, workers(1, 4)));
        third.runs(at(2, workers(1, 4)));
        running.runs(at(5, workers(1, 4)));
        play.on(new Event.Submitted(holder, at(5, workers(2, 4)), null));
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(preempted()).containsExactlyInAnyOrder("v1", "v2");
    }

    private List<String> preempted() {
        return play.take(Effect.Preempted.class).stream().map(e -> e.job().name()).toList();
    }

    private void gone(OneJob one) {
        one.gone(0);
        one.applied(false);
        one.applied(true);
    }

    /** It is made anew in the room of the first one that was ended. */
    private void runningGangComesBackInHeldRoom() {
        play.on(new Event.NodeReleased(WATCHER, running.rank(0).making().node(), false));
        gone(running);
        gone(first);
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(play.job(job("r", 4)).state().isUp()).isTrue();
    }

    @Test
    void anotherIsEndedWhereAGangThatComesBackTookOfTheRoom() {
        runningGangComesBackInHeldRoom();
        assertThat(preempted()).containsExactly("v3");
        gone(second);
        gone(third);
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void whoIsMadeOfItsRowsEndsThatOneToo() {
        play.restart();
        runningGangComesBackInHeldRoom();
        assertThat(preempted()).containsExactly("v3");
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 1})
    void holderOfAnotherPriorityKeepsTheRoomThatOthersLeave(int priority) {
        play.on(new Event.Submitted(job("small", 6), at(4, workers(1, 4)), null));
        gone(first);
        play.on(new Event.ChangeAsked(holder, new Change.Prioritise(priority), null));
        assertThat(play.job(job("small", 6)).state()).isInstanceOf(JobState.Queued.class);
        gone(second);
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(holder).spec().place().priority()).isEqualTo(priority);
        assertThat(preempted()).isEmpty();
    }

    @Test
    void priorityThatItHasChangesNothing() {
        play.takeEffects();
        play.on(new Event.ChangeAsked(holder, new Change.Prioritise(5), null));
        assertThat(play.takeEffects()).isEmpty();
    }

    @Test
    void holderThatMovesGivesTheHoldUp() {
        play.on(new Event.QueuePut("other", QueueSpecs.QUEUE, null));
        play.takeEffects();
        play.on(new Event.ChangeAsked(holder, new Change.Move("other"), null));
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(holder);
    }

    @Test
    void nobodyElseIsEndedWhileTheRoomStillComes() {
        play.passHeard(Duration.ofMinutes(10), 0);
        gone(first);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(preempted()).isEmpty();
        gone(second);
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Starting.class);
    }
}
