package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.mark;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.Answer;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Amounts whose sums no long holds: refused where they come in, counted where they are. */
class PoolHugeAmountsTest {
    private static final Request REQUEST = new Request("ml/a", "r-1");
    private static final long PETA = 1_000_000_000_000_000L;
    private static final long EXA = 1_000 * PETA;

    private final Play play = Play.withNodes(1, 1);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final JobId c = job("c", 3);

    private static Amounts memory(long bytes) {
        return Amounts.of(Map.of("memory", bytes));
    }

    /** Each pod of which may use so much. */
    private static JobSpec limited(long bytes, JobSpec spec) {
        return Respec.roles(spec, role -> Respec.limited(role, memory(bytes), null));
    }

    private static JobSpec one() {
        return spec("default", role("worker", 1, 1));
    }

    private Answer submitted(JobId id, JobSpec spec) {
        play.takeEffects();
        play.on(new Event.Submitted(id, spec, REQUEST));
        return play.takeOne(Answer.class);
    }

    private int asked;

    /** Another one each time: a repeat gets the first answer. */
    private Request request() {
        asked++;
        return new Request("ml/a", "r-" + asked);
    }

    @ParameterizedTest
    @MethodSource
    void jobOfMoreThanAnybodyHasIsRefusedByItsPath(JobSpec spec, String path) {
        var answer = submitted(a, spec);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.phase()).isEqualTo(Phase.REFUSED);
        assertThat(answer.message()).startsWith(path);
        assertThat(submitted(job("a", 9), one()).outcome()).isEqualTo(Outcome.ACCEPTED);
    }

    static Stream<Arguments> jobOfMoreThanAnybodyHasIsRefusedByItsPath() {
        var ofPod = "spec.roles[0].template.spec: one pod's limits.memory must be 0 to 1000000000";
        var ofAll = "spec.roles: all pods' limits.memory must be 0 to 1000000000000";
        var asking = Amounts.of(Map.of("nvidia.com/gpu", PETA + 1));
        var none = Amounts.of(Map.of("cpu", -1L));
        return Stream.of(
                argumentSet("pod", limited(4 * EXA, spec("default", role("w", 3, 1))), ofPod),
                argumentSet("pods", limited(PETA, spec("default", role("w", 10_000, 1))), ofAll),
                argumentSet(
                        "roles",
                        limited(PETA, spec("default", role("a", 600, 1), role("b", 600, 1))),
                        ofAll),
                argumentSet(
                        "when it has grown",
                        limited(PETA, ElasticJobs.elastic("default", 1, 1, 2000)),
                        ofAll),
                argumentSet(
                        "requests",
                        Respec.roles(one(), r -> role("w", 1, asking, r.filter())),
                        "spec.roles[0].template.spec: one pod's requests['nvidia.com/gpu'] must"),
                argumentSet(
                        "below zero",
                        Respec.roles(one(), r -> role("w", 1, none, r.filter())),
                        "spec.roles[0].template.spec: one pod's requests.cpu must"));
    }

    @Test
    void largestJobOfRealMachinesIsTaken() {
        var pod = Amounts.of(Map.of("cpu", 512_000L, "memory", gibi(2048), "pods", 1L));
        var spec = Respec.roles(one(), r -> role("w", 10_000, pod, r.filter()));
        assertThat(submitted(a, limited(gibi(4096), spec)).outcome()).isEqualTo(Outcome.ACCEPTED);
    }

    /** As rows of before hold them. */
    private Pool restored(UnaryOperator<Row> of) {
        return Pool.restore(play.allRows().map(of).toList());
    }

    private static UnaryOperator<Row> hugeJobs(JobId... ids) {
        return row ->
                row instanceof Job job && List.of(ids).contains(job.id())
                        ? job.with(limited(5 * EXA, job.spec()))
                        : row;
    }

    private Event ends(JobId id, String node) {
        var pod = Fixtures.pod(mark("worker", 0, 1), 1, PodPhase.SUCCEEDED, node, 0);
        return new Event.PodSeen(WATCHER, id, pod);
    }

    private List<String> startedBy(Pool pool, Event event) {
        return pool.on(event, play.now()).effects().stream()
                .filter(Effect.RunPlan.class::isInstance)
                .map(plan -> ((Effect.RunPlan) plan).job().name())
                .toList();
    }

    private void firstTwoStart() {
        for (var id : List.of(a, c, b)) {
            play.on(new Event.Submitted(id, one(), null));
        }
        assertThat(play.takeStarted()).containsExactly("a", "c");
    }

    @Test
    void jobsOfOneNamespaceRunTogetherWhateverTheyMayUse() {
        firstTwoStart();
        var pool = restored(hugeJobs(a, b));
        assertThat(startedBy(pool, ends(c, "node-1"))).containsExactly("b");
        pool.on(ends(a, "node-0"), play.now());
        pool.on(ends(b, "node-1"), play.now());
        // Nothing of it has stayed.
        var quota = Amounts.of(Map.of("limits.memory", 1L));
        pool.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", quota, Amounts.NONE), play.now());
        var small = new Event.Submitted(job("d", 4), limited(1, one()), null);
        assertThat(startedBy(pool, small)).containsExactly("d");
    }

    @Test
    void quotaOfANamespaceIsFullByWhatNoLongHolds() {
        firstTwoStart();
        var pool = restored(hugeJobs(a, b, c));
        var quota = Amounts.of(Map.of("limits.memory", 6 * EXA));
        var others = Amounts.of(Map.of("limits.memory", Long.MAX_VALUE));
        pool.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", quota, others), play.now());
        assertThat(startedBy(pool, ends(c, "node-1"))).isEmpty();
    }

    @Test
    void limitOfAQueueIsNotPassedByWhatNoLongHolds() {
        firstTwoStart();
        var limit = queue(none(), of("memory", 6 * EXA), none(), none());
        var demand = memory(5 * EXA).plus(Fixtures.cpu(1));
        var jobs = Respec.roles(one(), r -> role("worker", 1, demand, r.filter()));
        var pool =
                restored(row ->
                        switch (row) {
                            case Job job when !job.id().equals(c) -> job.with(jobs);
                            case Node node -> with(node, Long.MAX_VALUE);
                            case Queue queue -> queue.with(limit);
                            default -> row;
                        });
        assertThat(startedBy(pool, ends(c, "node-1"))).isEmpty();
        assertThat(startedBy(pool, ends(a, "node-0"))).containsExactly("b");
    }

    private static Node with(Node node, long bytes) {
        return new Node(
                node.name(),
                node.resourceVersion(),
                node.labels(),
                node.taints(),
                node.unschedulable(),
                node.ready(),
                node.allocatable().with("memory", bytes),
                node.seenAt());
    }

    private static QueueSpec queue(
            SortedMap<String, Long> guaranteed,
            SortedMap<String, Long> limit,
            SortedMap<String, Long> borrow,
            SortedMap<String, Long> lend) {
        var quota = new Quota(Amounts.of(guaranteed), limit, true, borrow, lend, null);
        return QueueSpecs.with(QueueSpecs.QUEUE, quota);
    }

    private static SortedMap<String, Long> of(String resource, long amount) {
        return new TreeMap<>(Map.of(resource, amount));
    }

    private static SortedMap<String, Long> none() {
        return new TreeMap<>();
    }

    private static QueueSpec guaranteed(long bytes) {
        return queue(of("memory", bytes), none(), none(), none());
    }

    private Answer put(String name, QueueSpec spec) {
        play.takeEffects();
        play.on(new Event.QueuePut(name, spec, request()));
        return play.takeOne(Answer.class);
    }

    @ParameterizedTest
    @MethodSource
    void queueOfMoreThanAnybodyHasIsRefusedByItsPath(QueueSpec spec, String path) {
        var answer = put("x", spec);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).startsWith(path + " must be 0 to 1000000000000000000, was ");
    }

    static Stream<Arguments> queueOfMoreThanAnybodyHasIsRefusedByItsPath() {
        var gpu = "nvidia.com/gpu";
        return Stream.of(
                argumentSet("guarantee", guaranteed(5 * EXA), "spec.guaranteed.memory"),
                argumentSet(
                        "limit",
                        queue(none(), of(gpu, EXA + 1), none(), none()),
                        "spec.limit['nvidia.com/gpu']"),
                argumentSet(
                        "borrow",
                        queue(none(), none(), of("cpu", Long.MAX_VALUE), none()),
                        "spec.borrowLimit.cpu"),
                argumentSet(
                        "lend",
                        queue(none(), none(), none(), of("cpu", -1)),
                        "spec.lendLimit.cpu"));
    }

    @Test
    void queuesAreNotGuaranteedMoreTogetherThanAnybodyHas() {
        assertThat(put("x", guaranteed(600 * PETA)).outcome()).isEqualTo(Outcome.ACCEPTED);
        var answer = put("y", guaranteed(600 * PETA));
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).startsWith("spec.guaranteed.memory of all queues");
        assertThat(put("y", guaranteed(400 * PETA)).outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(put("x", guaranteed(600 * PETA)).outcome()).isEqualTo(Outcome.ACCEPTED);
    }

    private static UnaryOperator<Row> hugeQueues(QueueSpec spec) {
        return row -> row instanceof Queue queue ? queue.with(spec) : row;
    }

    @Test
    void queuesOfBeforeKeepWhatTheyHaveAndMayBeGivenLess() {
        put("x", guaranteed(1));
        put("y", guaranteed(1));
        var pool = restored(hugeQueues(guaranteed(5 * EXA)));
        var paused = new TreeSet<>(List.of("weight", "guaranteed.memory"));
        var less = guaranteed(PETA);
        for (var event :
                List.of(
                        new Event.QueueChange("x", guaranteed(5 * EXA), paused, false, request()),
                        new Event.QueuePut("y", less, request()),
                        new Event.QueueDelete("x", true, request()),
                        new Event.QueuePut("default", less, request()))) {
            assertThat(pool.on(event, play.now()).effects())
                    .filteredOn(Answer.class::isInstance)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Answer.class,
                            answer -> assertThat(answer.outcome()).isEqualTo(Outcome.ACCEPTED));
        }
        assertThat(startedBy(pool, new Event.Submitted(a, one(), null))).containsExactly("a");
    }

    @Test
    void whatMayBeBorrowedWithoutEndIsNotLessThanNothing() {
        play.on(new Event.Submitted(a, Fixtures.suspended(one()), null));
        for (var spec :
                List.of(
                        queue(of("cpu", 1000), none(), of("cpu", Long.MAX_VALUE), none()),
                        queue(of("cpu", 2 * EXA), none(), of("cpu", 8 * EXA), none()))) {
            var pool = restored(hugeQueues(spec));
            assertThat(startedBy(pool, new Event.Submitted(b, one(), null))).containsExactly("b");
        }
    }
}
