package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A holder whose pool is unavailable for a while: nobody could make its pods. */
class PoolUnservedHoldTest {
    private final Play play = BackedPools.play(BackedPools.OBSERVED);
    private final JobId first = job("r0", 1);
    private final JobId second = job("r1", 2);
    private final JobId holder = job("h", 3);

    @BeforeEach
    void bothNodesAreFullAndSomebodyHoldsOne() {
        serve(Set.of(Backend.VOLCANO));
        runs(first, "node-0");
        runs(second, "node-1");
        play.on(new Event.Submitted(holder, at(5, workers(1, 4)), null));
        play.passHeard(Duration.ofMinutes(5), 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(holder);
    }

    private void runs(JobId id, String node) {
        play.on(new Event.Submitted(id, workers(1, 4), null));
        play.on(new Event.PlanApplied(id, 1, false, List.of()));
        see(id, PodPhase.RUNNING, node, null);
    }

    private void see(JobId id, PodPhase phase, String node, @Nullable Integer exitCode) {
        var making = play.ranks(id).getFirst().making();
        var mark = Fixtures.mark("worker", 0, making.incarnation());
        long version = exitCode == null ? 7 : 8;
        play.on(new Event.PodSeen(WATCHER, id, Fixtures.pod(mark, version, phase, node, exitCode)));
    }

    private void ends(JobId id, String node) {
        see(id, PodPhase.SUCCEEDED, node, 0);
    }

    /** From now on, whenever it is heard of. */
    private void serve(Set<Backend> backends) {
        play.backends = backends;
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0), backends, false));
    }

    @Test
    void holderStartsOnceItsPoolIsServedAndNotBefore() {
        serve(Set.of());
        for (var held : List.of("node-0", "node-1")) {
            ends(held.equals("node-0") ? first : second, held);
        }
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Queued.class);
        serve(Set.of(Backend.VOLCANO));
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Starting.class);
    }

    /** It does not begin to wait anew behind whoever came meanwhile. */
    @Test
    void roomIsKeptForTheHolderMeanwhile() {
        serve(Set.of());
        assertThat(play.rows(Row.Table.HOLD)).hasSize(1);
        var small = job("small", 4);
        play.on(new Event.Submitted(small, at(9, workers(1, 1)), null));
        play.restart();
        ends(first, "node-0");
        ends(second, "node-1");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        serve(Set.of(Backend.VOLCANO));
        assertThat(play.takeStarted()).containsExactly("h", "small");
    }

    @Test
    void nobodyIsEndedForAHolderThatCouldNotStart() {
        serve(Set.of());
        var plain = BackedPools.with(BackedPools.OBSERVED);
        var ends = new PoolSpec.Preemption(Mode.LOWER_PRIORITY, Duration.ofMinutes(1), 3);
        var pool =
                new PoolSpec(
                        plain.nodeSelector(),
                        plain.policy(),
                        ends,
                        plain.priorities(),
                        plain.spot(),
                        plain.backing());
        play.on(new Event.PoolPut("default", pool, null));
        play.passHeard(Duration.ofMinutes(20), 0);
        assertThat(play.take(Effect.Preempted.class)).isEmpty();
        serve(Set.of(Backend.VOLCANO));
        assertThat(play.take(Effect.Preempted.class)).hasSize(1);
    }
}
