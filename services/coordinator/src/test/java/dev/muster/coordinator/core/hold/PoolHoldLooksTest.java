package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A holder for whom somebody is looked for again and again, and who is woken beside that. */
class PoolHoldLooksTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private static final Duration MINIMUM_RUN = Duration.ofMinutes(10);

    private final Play play = Play.withNodes(10);
    private final JobId running = job("r", 1);
    private final JobId borrower = job("h", 2);
    private final JobId below = job("g", 3);

    @BeforeEach
    void poolIsFull() {
        var rules = new PoolSpec.Preemption(Mode.LOWER_PRIORITY, MINIMUM_RUN, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        play.on(new Event.QueuePut("a", guaranteed(8), null));
        play.on(new Event.QueuePut("b", QueueSpecs.QUEUE, null));
        new OneJob(play, running).runs(spec("b", role("worker", 1, 10)));
        play.on(new Event.Submitted(borrower, at(1, spec("b", role("worker", 1, 6))), null));
    }

    private List<JobId> held() {
        return play.take(Effect.Held.class).stream().map(Effect.Held::job).toList();
    }

    @Test
    void whoIsBelowHisGuaranteeHoldsWhenHeHasWaitedLongEnough() {
        play.passHeard(Duration.ofSeconds(61), 0);
        play.on(new Event.Submitted(below, spec("a", role("worker", 1, 6)), null));
        play.passHeard(RESERVE_AFTER.minusSeconds(61), 0);
        assertThat(held()).containsExactly(borrower);
        play.passHeard(Duration.ofSeconds(60), 0);
        assertThat(held()).isEmpty();
        play.pass(Duration.ofSeconds(1));
        assertThat(held()).containsExactly(below);
    }

    @Test
    void whoIsWokenForSomebodyWhoIsGoneIsLookedForOn() {
        play.passHeard(Duration.ofSeconds(61), 0);
        play.on(new Event.Submitted(below, spec("a", role("worker", 1, 6)), null));
        for (int i = 0; i < RESERVE_AFTER.toSeconds() - 1; i++) {
            play.pass(Duration.ofSeconds(1));
        }
        play.on(Fixtures.cancel(below, "", null));
        play.pass(Duration.ofMinutes(1));
        assertThat(held()).containsExactly(borrower);
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
        play.pass(MINIMUM_RUN);
        assertThat(play.take(Effect.Preempted.class))
                .extracting(Effect.Preempted::job)
                .containsExactly(running);
    }
}
