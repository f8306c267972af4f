package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody is ended for a holder whom that would not help: what he has is where nobody may go. */
class PoolDeadVictimsTest {
    private final Play play = Play.withNodes(4, 4, 4);
    private final JobId older = job("older", 1);
    private final JobId younger = job("younger", 2);
    private final JobId strong = job("strong", 3);
    private final JobId head = job("head", 4);

    @BeforeEach
    void lowerPrioritiesMakeRoomSoon() {
        var rules = new PoolSpec.Preemption(Mode.LOWER_PRIORITY, Duration.ZERO, 3);
        play.on(
                new Event.PoolPut(
                        "default",
                        Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules),
                        null));
        play.on(new Event.QueuePut("default", hurried(QueueSpecs.QUEUE), null));
    }

    /** Whoever waits may hold long before the nodes' pods are given up. */
    private static QueueSpec hurried(QueueSpec spec) {
        var soon = Duration.ofSeconds(5);
        return QueueSpecs.with(spec, new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, true, soon));
    }

    /** Each on a node of its own. */
    private void run(JobId id, int priority) {
        new OneJob(play, id).runs(at(priority, workers(1, 4)));
        play.pass(Duration.ofSeconds(1));
    }

    private String node(JobId id) {
        return new OneJob(play, id).rank(0).making().node();
    }

    /** It is not ready any more, or cordoned. */
    private void closed(String node, boolean isDead) {
        play.on(
                new Event.NodeSeen(
                        WATCHER, isDead ? Chance.unready(node, 4) : Nodes.cordoned(node, 4)));
    }

    private List<String> endedForTheHead() {
        play.takeEffects();
        play.on(new Event.Submitted(head, at(5, workers(1, 4)), null));
        return ended();
    }

    private List<String> ended() {
        play.passHeard(Duration.ofSeconds(30), 0);
        return play.take(Effect.Preempted.class).stream().map(gone -> gone.job().name()).toList();
    }

    /** The head's queue is guaranteed two nodes, which another borrows, and one node is free. */
    private void othersBorrow() {
        play.on(new Event.QueuePut("default", hurried(QueueSpecs.guaranteed(8)), null));
        play.on(new Event.QueuePut("other", QueueSpecs.QUEUE, null));
    }

    private void borrows(JobId id) {
        new OneJob(play, id).runs(Fixtures.spec("other", Fixtures.role("worker", 1, 4)));
        play.pass(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void roomOnANodeThatTakesNoPodsIsNone(boolean isDead) {
        run(strong, 9);
        run(older, 0);
        run(younger, 0);
        closed(node(younger), isDead);
        assertThat(endedForTheHead()).containsExactly("older");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyIsEndedForRoomThatNobodyMayUse(boolean isDead) {
        run(strong, 9);
        run(older, 9);
        run(younger, 0);
        closed(node(younger), isDead);
        assertThat(endedForTheHead()).isEmpty();
    }

    @Test
    void quotaOfPodsOnADeadNodeComesNobodyKnowsWhen() {
        othersBorrow();
        borrows(older);
        borrows(younger);
        closed(node(younger), true);
        assertThat(endedForTheHead()).containsExactly("older");
    }

    @Test
    void quotaOfPodsOnACordonedNodeComesWithTheirEnd() {
        othersBorrow();
        borrows(older);
        borrows(younger);
        closed(node(younger), false);
        assertThat(endedForTheHead()).containsExactly("younger");
    }

    @Test
    void anotherIsEndedWhereTheNodeOfTheFirstDiesBeforeItsQuotaComes() {
        othersBorrow();
        borrows(older);
        borrows(younger);
        var node = node(younger);
        closed(node, false);
        assertThat(endedForTheHead()).containsExactly("younger");
        closed(node, true);
        play.restart();
        assertThat(ended()).containsExactly("older");
    }

    @Test
    void orWhereLessMayBeBorrowedByThen() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 4)));
        othersBorrow();
        var third = job("third", 5);
        List.of(older, younger, third).forEach(this::borrows);
        var node = node(younger);
        closed(node(third), false);
        assertThat(endedForTheHead()).containsExactly("third");
        closed(node, false);
        play.on(new Event.PodGone(WATCHER, third, OneJob.mark(0)));
        assertThat(ended()).containsExactly("younger");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void placeAmongThoseThatRunIsLeftWhenNoDeadNodeHoldsAPod(boolean isDead) {
        play.on(
                new Event.QueuePut(
                        "default", hurried(QueueSpecs.running(1, QueueSpecs.QUEUE)), null));
        new OneJob(play, older).runs(workers(2, 3));
        play.pass(Duration.ofSeconds(1));
        closed(node(older), isDead);
        assertThat(endedForTheHead()).isEqualTo(isDead ? List.of() : List.of("older"));
    }
}
