package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Until when ranks that were asked to start again in their pods have time. */
class PoolInPlaceTimesTest {
    private static final Rule ON_42 =
            new Rule(List.of(new ExitCodes(42, 42)), List.of(), null, new Action.RestartInPlace());
    private static final Duration PATIENCE =
            InPlaceRestarts.RESTART_TIMEOUT.plus(workers(1, 1).grace());

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whoWasAskedFirstHasNoLongerForWhoIsAskedLater() {
        passUntil(play.now().plusSeconds(1));
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(3, 1)));
        var first = asked(1);
        passUntil(first.plus(PATIENCE.dividedBy(2)));
        var second = asked(2);
        play.restart();
        passUntil(first.plus(PATIENCE));
        assertThat(givenUp()).containsExactly("worker-1");
        assertThat(one.rank(2).is(InPlace.ASKED)).isTrue();
        passUntil(second.plus(PATIENCE));
        assertThat(givenUp()).containsExactly("worker-2");
    }

    private List<String> givenUp() {
        return play.take(Effect.RankEnded.class).stream()
                .filter(end -> end.reason().equals("RestartInPlaceFailed"))
                .map(end -> end.rank().toString())
                .toList();
    }

    /** Its container has ended and it is asked for another: when? */
    private Instant asked(int index) {
        one.see(index, PodPhase.RUNNING, 42);
        while (!one.rank(index).is(InPlace.ASKED)) {
            passUntil(play.now().plusSeconds(1));
        }
        return play.now();
    }

    /** All witnesses are heard of, and requests are served. */
    private void passUntil(Instant until) {
        while (play.now().isBefore(until)) {
            play.on(new Event.WatcherAlive(WATCHER));
            play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(), true));
            play.pass(Duration.ofSeconds(1));
        }
    }
}
