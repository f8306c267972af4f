package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why the job that room is kept for waits still: what is kept is not what it lacks. */
class PoolHolderReasonTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);

    private final Play play = Play.withNodes();
    private final JobId head = job("head", 2);

    @BeforeEach
    void allGpusAreUsedAndHalfOfTheCores() {
        node("node-0", 8, 2);
        play.on(new Event.Submitted(job("runs", 1), one(4, 2), null));
        play.on(new Event.Submitted(head, one(4, 2), null));
    }

    @Test
    void itLacksWhatItLackedBefore() {
        assertThat(reason().scope()).isEqualTo(GPU);
        play.takeEffects();
        play.passHeard(RESERVE_AFTER, 0);
        var effects = play.takeEffects();
        assertThat(effects).anyMatch(Effect.Held.class::isInstance);
        assertThat(effects).noneMatch(Effect.Waits.class::isInstance);
        assertThat(reason())
                .returns(Code.INSUFFICIENT_CAPACITY, WaitReason::code)
                .returns(GPU, WaitReason::scope)
                .returns("needs 2 of nvidia.com/gpu, 0 are free", WaitReason::message);
        assertThat(play.explain(head).orElseThrow().reasons().getFirst().scope()).isEqualTo(GPU);
    }

    /** No other job lacks it then, and none is told anything else. */
    @Test
    void whatItLacksInsteadIsTold() {
        play.passHeard(RESERVE_AFTER, 0);
        play.takeEffects();
        node("node-0", 6, 4);
        play.restart();
        assertThat(reason().scope()).isEqualTo("cpu");
    }

    private WaitReason reason() {
        return ((JobState.Queued) play.job(head).state()).reason();
    }

    private void node(String name, long cores, long gpus) {
        var plain = Fixtures.node(name, cores);
        play.on(
                new Event.NodeSeen(
                        WATCHER,
                        new Node(
                                name,
                                1,
                                plain.labels(),
                                List.of(),
                                false,
                                true,
                                plain.allocatable().with(GPU, gpus),
                                0)));
    }

    private static JobSpec one(long cores, long gpus) {
        var demand = Amounts.of(Map.of("cpu", cores * 1000, "pods", 1L, GPU, gpus));
        return spec("default", role("worker", 1, demand, NodeFilter.ANY));
    }
}
