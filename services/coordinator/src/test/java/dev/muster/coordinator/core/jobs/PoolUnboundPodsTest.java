package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.BackedPools.DELEGATED;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that is cancelled while its pods have no node yet: its backend has not bound them. */
class PoolUnboundPodsTest {
    private final Play play = BackedPools.play(DELEGATED);
    private final JobId a = job("a", 1);

    @BeforeEach
    void isCancelledBeforeItsPodsAreBound() {
        var one = new OneJob(play, a);
        play.on(new Event.Submitted(a, workers(2, 1), null));
        one.applied(false);
        one.see(0, PodPhase.PENDING, null);
        one.see(1, PodPhase.PENDING, null);
        play.on(Fixtures.cancel(a, "", null));
        one.applied(false);
        play.takeEffects();
    }

    @Test
    void podsWithoutANodeAreOnNoOtherPoolsNode() {
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
    }

    @Test
    void podsWithoutANodeAreNotForced() {
        var request = new Event.Request("ml/a", "r-1");
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), request));
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).outcome())
                .containsExactly(Outcome.REFUSED);
        assertThat(effects).noneMatch(Effect.StopPlan.class::isInstance);
        assertThat(play.ranks(a)).hasSize(2).noneMatch(rank -> rank.givenUp());
    }
}
