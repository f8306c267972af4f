package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NamespaceQuota;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pod of a hook has a slot of its node, and nothing else. */
class HookRunsTest {
    private static final Hook HOOK =
            new Hook(List.of("true"), new TreeMap<>(), Duration.ofMinutes(1), 0);

    private static final List<String> ALL = List.of("a", "b");

    private final Tables tables = new Tables(new Journal());

    @BeforeEach
    void nodeIsThere() {
        tables.restore(node("node-0", 4));
    }

    @Test
    void slotIsFreeAgainOnceTheRunIsForgotten() {
        long before = slots();
        tables.hooks.put(run(job("a", 1), "node-0"));
        assertThat(slots()).isEqualTo(before - 1);
        tables.hooks.remove(run(job("a", 1), "node-0"));
        assertThat(slots()).isEqualTo(before);
        assertThat(tables.hooks.of(job("a", 1))).isNull();
    }

    @Test
    void anotherTryTakesThePlaceOfTheOneBefore() {
        long before = slots();
        tables.hooks.put(run(job("a", 1), "node-0"));
        tables.hooks.put(run(job("a", 1), "node-0"));
        assertThat(slots()).isEqualTo(before - 1);
        tables.hooks.put(run(job("a", 1), null));
        assertThat(slots()).isEqualTo(before);
    }

    /** In a namespace with a quota its pod is one of those that count. */
    @Test
    void queuesAreLookedAtAgainWhereTheSlotCountsInANamespace() {
        var waiting = Job.submitted(job("w", 2), one("a"), new Clock(NOON, 2, null));
        var open = new JobState.Queued(0, new JobState.Gate.Open(), null);
        tables.restore(waiting.to(open, waiting.times()));
        var quota = new NamespaceQuota("ml", cpu(4), new TreeSet<>(), Amounts.NONE, 0, 1);
        tables.restore(quota);
        tables.marks.forReasons.take(ALL);
        tables.hooks.put(run(job("a", 1), "node-0"));
        assertThat(tables.marks.forReasons.take(ALL)).containsExactly("a");
        tables.hooks.remove(run(job("a", 1), "node-0"));
        assertThat(tables.marks.forReasons.take(ALL)).containsExactly("a");
    }

    @Test
    void runsAreListedInTheOrderOfTheirJobs() {
        tables.hooks.put(run(job("b", 2), null));
        tables.hooks.put(run(job("a", 1), null));
        assertThat(tables.hooks.all())
                .containsExactly(run(job("a", 1), null), run(job("b", 2), null));
    }

    private long slots() {
        return tables.capacity.free(tables.capacity.nodes().getFirst()).get("pods");
    }

    private static HookRun run(JobId job, @Nullable String node) {
        var making =
                node == null
                        ? null
                        : new HookRun.Making(1, 1, node, NOON, Duration.ZERO, null, 0, 0, null);
        return new HookRun(job, 1, HOOK, null, List.of(), making);
    }
}
