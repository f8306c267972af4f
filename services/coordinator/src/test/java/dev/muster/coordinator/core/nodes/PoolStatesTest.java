package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Suspicion;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of a pool's nodes. */
class PoolStatesTest {
    private final Play play = Play.withNodes(4, 4, 4);

    private void loses(String name) {
        var node = Fixtures.node(name, 4);
        play.on(
                new Event.NodeSeen(
                        WATCHER,
                        new Node(
                                name,
                                1,
                                node.labels(),
                                List.of(),
                                false,
                                false,
                                node.allocatable(),
                                0)));
    }

    @Test
    void nodesAreNamedByHowMuchIsHeldAgainstThemTheMostFirst() {
        loses("node-0");
        play.passHeard(Duration.ofMinutes(5), 0);
        loses("node-2");
        loses("node-1");
        play.takeEffects();
        play.passHeard(SuspectNodes.GATHER_WITHIN, 0);
        assertThat(play.takeOne(Effect.PoolState.class).suspects())
                .extracting(Suspicion::node)
                .containsExactly("node-1", "node-2", "node-0");
    }

    /** The rules of before did not say so. */
    @Test
    void newRulesTellAnewThatPodsAreMadeAgain() {
        play.on(new Event.CoreVersion("1"));
        play.passHeard(SuspectNodes.GATHER_WITHIN, 0);
        assertThat(play.take(Effect.PoolState.class)).isEmpty();
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(), true));
        play.pass(SuspectNodes.GATHER_WITHIN);
        play.takeEffects();
        play.on(new Event.CoreVersion("2"));
        play.pass(SuspectNodes.GATHER_WITHIN);
        assertThat(play.takeOne(Effect.PoolState.class).recreates()).isTrue();
    }
}
