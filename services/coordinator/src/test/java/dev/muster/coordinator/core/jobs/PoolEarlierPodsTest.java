package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A submission waits for pods of the one before it, and its status follows what becomes of them.
 */
class PoolEarlierPodsTest {
    private static final String LEFT = "of the submission before, 0-1, is still there on node-1";

    private final Play play = Play.withNodes(4, 4);
    private final JobId before = job("a", 1);
    private final JobId a = job("a", 2);
    private final OneJob one = new OneJob(play, before);

    /** Index of the rank on node-1. */
    private int left;

    @BeforeEach
    void waits() {
        one.runs(Fixtures.failing(Fixtures.policy(Otherwise.POD), workers(2, 4)));
        left = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        one.fail(1 - left, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        play.on(new Event.Submitted(a, workers(1, 1), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
    }

    @Test
    void theirNodeDiesAndIsHeardOfAgainAndIsDeleted() {
        one.gone(1 - left);
        says(LEFT);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
        says(LEFT + ", which is not heard of");
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        says(LEFT);
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        says(LEFT + ", which is not heard of");
        one.gone(left);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
        assertThat(word().word().reason()).isEmpty();
    }

    @Test
    void oneIsGoneAndAnotherStays() {
        one.gone(0);
        says("worker-1 of the submission before, 0-1, is still there on");
    }

    private void says(String words) {
        play.pass(Jobs.PUBLISH_DELAY);
        var explained = play.explain(a).orElseThrow().reasons().getFirst();
        assertThat(explained.code()).isEqualTo(Code.EARLIER_PODS);
        assertThat(explained.message()).contains(words);
        assertThat(word().word().message()).isEqualTo(explained.message());
    }

    private Effect.Status word() {
        return play.take(Effect.Status.class).stream()
                .filter(status -> status.job().id().equals(a))
                .reduce((_, last) -> last)
                .orElseThrow();
    }
}
