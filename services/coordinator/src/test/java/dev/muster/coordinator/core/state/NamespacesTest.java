package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
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
import dev.muster.coordinator.core.model.Uid;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose matter it is what is used of the quota of a namespace. */
class NamespacesTest {
    private static final Hook HOOK =
            new Hook(List.of("true"), new TreeMap<>(), Duration.ofMinutes(1), 0);

    private static final List<String> ALL = List.of("a", "b", "c");

    private final Tables tables = new Tables(new Journal());

    /** In queue a, jobs of ml wait, in b of both, in c nobody. */
    @BeforeEach
    void jobsWait() {
        tables.restore(node("node-0", 4));
        waits("ml", 1, "a");
        waits("ml", 2, "b");
        waits("cv", 3, "b");
    }

    @Test
    void whatIsUsedOfANamespaceIsNobodysMatterWhereNoneHasAQuota() {
        lookAtAll();
        use("ml", "node-0");
        assertThat(tables.marks.forReasons.take(ALL)).isEmpty();
        assertThat(tables.namespaces.isAny()).isFalse();
    }

    @Test
    void whatIsUsedOfANamespaceWithoutQuotaIsNobodysMatterWhereAnotherHasOne() {
        tables.restore(quota("cv", 4));
        lookAtAll();
        use("ml", "node-0");
        use("ml", null);
        assertThat(tables.marks.forReasons.take(ALL)).isEmpty();
        assertThat(tables.marks.forTurns.take(ALL)).isEmpty();
    }

    @Test
    void whatIsUsedOfANamespaceWithAQuotaIsAMatterOfTheQueuesWhereItsJobsWait() {
        tables.restore(quota("ml", 4));
        tables.restore(quota("cv", 4));
        lookAtAll();
        use("cv", "node-0");
        assertThat(tables.marks.forTurns.take(ALL)).isEmpty();
        assertThat(tables.marks.forReasons.take(ALL)).containsExactly("b");
        use("cv", null);
        assertThat(tables.marks.forTurns.take(ALL)).containsExactly("b");
        use("ml", "node-0");
        assertThat(tables.marks.forHolds.take(ALL)).containsExactly("a", "b");
        assertThat(tables.marks.forLess.take(ALL)).containsExactly("a", "b");
    }

    @Test
    void queueWhereNobodyOfItWaitsAnyMoreIsNotLookedAt() {
        tables.restore(quota("cv", 4));
        tables.remove(job("cv", 3, "b"));
        lookAtAll();
        use("cv", "node-0");
        assertThat(tables.marks.forReasons.take(ALL)).isEmpty();
    }

    /** As with most news of a pod. */
    @Test
    void asMuchAsBeforeIsNobodysMatter() {
        tables.restore(quota("ml", 4));
        use("ml", "node-0");
        lookAtAll();
        use("ml", "node-1");
        assertThat(tables.marks.forTurns.take(ALL)).isEmpty();
        assertThat(tables.marks.forReasons.take(ALL)).isEmpty();
    }

    @Test
    void firstQuotaAndTheLastThatGoesAreAMatterOfAll() {
        tables.restore(quota("ml", 4));
        assertThat(tables.namespace("ml")).isEqualTo(quota("ml", 4));
        assertThat(tables.marks.forTurns.take(ALL)).isEqualTo(ALL);
        tables.remove(quota("ml", 4));
        assertThat(tables.marks.forTurns.take(ALL)).isEqualTo(ALL);
        assertThat(tables.namespaces.isAny()).isFalse();
    }

    @Test
    void anotherQuotaIsAMatterOfTheQueuesWhereJobsOfItsNamespaceWait() {
        tables.restore(quota("ml", 4));
        lookAtAll();
        tables.restore(quota("cv", 4));
        assertThat(tables.marks.forTurns.take(ALL)).containsExactly("b");
        tables.restore(quota("cv", 5));
        assertThat(tables.marks.forReserves.take(ALL)).containsExactly("b");
        tables.restore(quota("ml", 5));
        assertThat(tables.marks.forTurns.take(ALL)).containsExactly("a", "b");
        tables.remove(quota("cv", 5));
        assertThat(tables.marks.forTurns.take(ALL)).containsExactly("b");
    }

    @Test
    void quotaThatIsOnlySeenAgainIsNobodysMatter() {
        tables.restore(quota("ml", 4));
        lookAtAll();
        var again = quota("ml", 4);
        tables.restore(
                new NamespaceQuota("ml", again.hard(), again.barred(), again.othersUse(), 0, 9));
        assertThat(tables.marks.forTurns.take(ALL)).isEmpty();
        assertThat(tables.marks.forReasons.take(ALL)).isEmpty();
    }

    private void lookAtAll() {
        var marks = tables.marks;
        for (var marked :
                List.of(
                        marks.forTurns,
                        marks.forLess,
                        marks.forReasons,
                        marks.forHolds,
                        marks.forWanting,
                        marks.forReserves)) {
            marked.take(ALL);
        }
    }

    private static NamespaceQuota quota(String namespace, long cores) {
        return new NamespaceQuota(namespace, cpu(cores), new TreeSet<>(), Amounts.NONE, 0, 1);
    }

    private void waits(String namespace, long number, String queue) {
        tables.restore(job(namespace, number, queue));
    }

    private static Job job(String namespace, long number, String queue) {
        var id = new JobId(namespace, "job-" + number, new Uid(0, number));
        var job = Job.submitted(id, one(queue), new Clock(NOON, number, null));
        var open = new JobState.Queued(0, new JobState.Gate.Open(), null);
        return job.to(open, job.times());
    }

    /** One pod of a hook is there, on that node; null: it is there no more. */
    private void use(String namespace, @Nullable String node) {
        var job = new JobId(namespace, "hooked", new Uid(0, 9));
        var making =
                node == null
                        ? null
                        : new HookRun.Making(1, 1, node, NOON, Duration.ZERO, null, 0, 0, null);
        tables.hooks.put(new HookRun(job, 1, HOOK, null, List.of(), making));
    }
}
