package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the holder gets of other queues: resource by resource, and never of what is theirs. */
class PoolReclaimTest {
    private static final Duration WAIT = Duration.ofMinutes(6);
    private static final String GPU = "nvidia.com/gpu";

    private final JobId head = job("head", 9);

    private Play play = Play.withNodes();

    private void nodes(long count, long cores, long gpus) {
        play.on(new Event.SnapshotBegin(WATCHER, "nodes"));
        for (int i = 0; i < count; i++) {
            var plain = Fixtures.node("gpu-" + i, cores);
            play.on(new Event.NodeSeen(WATCHER, with(plain, gpus)));
        }
        play.on(new Event.SnapshotEnd(WATCHER, "nodes"));
    }

    private static Node with(Node node, long gpus) {
        return new Node(
                node.name(),
                1,
                node.labels(),
                List.of(),
                false,
                true,
                node.allocatable().with(GPU, gpus),
                0);
    }

    private void preemption(Mode mode) {
        var rules = new PoolSpec.Preemption(mode, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
    }

    private void queue(String name, Map<String, Long> guaranteed) {
        put(name, QueueSpecs.guaranteed(QueueSpecs.QUEUE, guaranteed));
    }

    private void put(String name, QueueSpec spec) {
        play.on(new Event.QueuePut(name, spec, null));
    }

    /** One pod. */
    private static JobSpec one(String queue, long cores, long gpus) {
        var demand = Amounts.of(Map.of("cpu", cores * 1000, "pods", 1L, GPU, gpus));
        return spec(queue, role("worker", 1, demand, NodeFilter.ANY));
    }

    private void run(String name, long offset, JobSpec spec) {
        new OneJob(play, job(name, offset)).runs(spec);
        play.pass(Duration.ofSeconds(1));
    }

    private List<String> taken(JobSpec waiting) {
        play.on(new Event.Submitted(head, waiting, null));
        play.passHeard(WAIT, 0);
        return play.take(Effect.Preempted.class).stream()
                .map(effect -> effect.job().name() + ": " + effect.message())
                .toList();
    }

    @Test
    void gangThatBorrowsNothingOfWhatIsShortIsNotEnded() {
        nodes(2, 64, 8);
        preemption(Mode.BORROWERS);
        queue("a", Map.of("cpu", 8_000L, GPU, 8L));
        queue("b", Map.of("cpu", 4_000L, GPU, 8L));
        queue("c", Map.of());
        run("b0", 1, one("b", 6, 8));
        run("c0", 2, at(5, one("c", 1, 8)));
        assertThat(taken(one("a", 1, 8))).containsExactly("c0: it makes room for ml/head");
    }

    /** What is held for the holder is not in its own way: it is the head of its queue. */
    @Test
    void whoStandsBehindTheHolderInItsQueueDoesNotTakeItsHold() {
        nodes(1, 8, 8);
        play.on(new Event.NodeSeen(WATCHER, with(Fixtures.node("gpu-1", 8), 0)));
        var own = QueueSpecs.guaranteed(QueueSpecs.QUEUE, Map.of(GPU, 8L)).quota();
        var limit = new TreeMap<>(Map.of("cpu", 10_000L));
        var none = new TreeMap<String, Long>();
        put(
                "a",
                QueueSpecs.with(
                        QueueSpecs.QUEUE,
                        new Quota(own.guaranteed(), limit, true, none, none, null)));
        queue("b", Map.of("cpu", 4_000L));
        queue("c", Map.of());
        run("c0", 1, one("c", 1, 8));
        run("c1", 2, one("c", 8, 0));
        play.on(new Event.Submitted(head, one("a", 8, 0), null));
        play.passHeard(WAIT, 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(head);
        play.on(new Event.Submitted(job("behind", 10), one("a", 1, 8), null));
        play.passHeard(WAIT, 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
    }

    @Test
    void whatIsShortOnAnotherNodeEndsNobodyHere() {
        nodes(1, 4, 8);
        queue("a", Map.of("cpu", 8_000L, GPU, 8L));
        queue("b", Map.of("cpu", 1_000L, GPU, 8L));
        preemption(Mode.BORROWERS);
        run("b0", 1, one("b", 2, 8));
        play.on(new Event.NodeSeen(WATCHER, with(Fixtures.node("gpu-1", 4), 8)));
        queue("c", Map.of());
        run("c0", 2, at(5, one("c", 4, 8)));
        assertThat(taken(one("a", 2, 8))).containsExactly("c0: it makes room for ml/head");
    }

    @Test
    void queueIsBelowItsGuaranteeThoughOthersAreGuaranteedWhatElseItNeeds() {
        nodes(1, 64, 8);
        preemption(Mode.BORROWERS);
        queue("research", Map.of(GPU, 8L));
        queue("etl", Map.of("cpu", 32_000L, "pods", 100L));
        queue("c", Map.of());
        run("c0", 1, at(5, one("c", 1, 8)));
        assertThat(taken(one("research", 4, 8))).containsExactly("c0: it makes room for ml/head");
    }

    @Test
    void queueBelowItsGuaranteeGoesBeforeBorrowersWhateverElseItNeeds() {
        nodes(1, 8, 8);
        queue("research", Map.of(GPU, 8L));
        queue("etl", Map.of("cpu", 4_000L, "pods", 100L));
        queue("c", Map.of());
        run("etl0", 1, one("etl", 8, 0));
        play.on(new Event.Submitted(job("c0", 2), one("c", 8, 0), null));
        play.on(new Event.Submitted(job("r0", 3), one("research", 8, 8), null));
        play.takeEffects();
        new OneJob(play, job("etl0", 1)).succeed(0);
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(job("r0", 3));
    }

    @Test
    void whatOthersBorrowIsNotReclaimedByWhoWasNotGuaranteedIt() {
        nodes(1, 8, 8);
        preemption(Mode.BORROWERS);
        queue("research", Map.of(GPU, 8L));
        queue("etl", Map.of("cpu", 4_000L));
        run("etl0", 1, one("etl", 8, 0));
        assertThat(taken(one("research", 2, 8))).isEmpty();
    }

    @Test
    void jobThatNeedsNothingItsQueueWasGuaranteedBorrows() {
        nodes(1, 8, 8);
        preemption(Mode.BORROWERS);
        queue("research", Map.of(GPU, 8L));
        queue("etl", Map.of("cpu", 4_000L));
        run("r0", 1, one("research", 8, 0));
        assertThat(taken(one("etl", 2, 0))).containsExactly("r0: it makes room for ml/head");
    }

    @Test
    void borrowerTakesNothingOfAQueueThatKeepsToItsGuarantee() {
        play = Play.withNodes(10);
        guaranteedUseTen(8);
        assertThat(taken(spec("b", role("worker", 1, 2)))).isEmpty();
        assertThat(play.job(head).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void borrowerTakesWhatAQueueHasBeyondItsGuaranteeAndNoMore() {
        play = Play.withNodes(10);
        guaranteedUseTen(6);
        assertThat(taken(spec("b", role("worker", 2, 1))))
                .containsExactly("e: it gives back worker-7, worker-6 for ml/head");
    }

    @Test
    void borrowerGetsNothingWhereWhatIsBeyondGuaranteesIsNotEnough() {
        play = Play.withNodes(10);
        guaranteedUseTen(6);
        assertThat(taken(spec("b", role("worker", 3, 1)))).isEmpty();
    }

    @Test
    void queueBelowItsGuaranteeIsGivenWhatElasticJobsHaveBeyondTheirMinima() {
        play = Play.withNodes(10);
        guaranteedUseTen(8);
        put("b", guaranteed(2));
        assertThat(taken(spec("b", role("worker", 2, 1))))
                .containsExactly("e: it gives back worker-7, worker-6 for ml/head");
    }

    /** Eight by an elastic job, which could do with two; two by another queue. */
    private void guaranteedUseTen(long cores) {
        put("a", guaranteed(cores));
        put("b", QueueSpecs.QUEUE);
        put("c", QueueSpecs.QUEUE);
        run("e", 1, ElasticJobs.elastic("a", 2, 8, 8));
        run("c0", 2, spec("c", role("worker", 2, 1)));
    }

    /** They leave whole pods: of what borders on the guarantee nothing can be given. */
    @Test
    void podThatIsPartlyOfItsQueuesGuaranteeStays() {
        play = Play.withNodes(10);
        put("a", guaranteed(7));
        put("b", QueueSpecs.QUEUE);
        var workers = Fixtures.atLeast(2, role("worker", 4, 2));
        run("e", 1, ElasticJobs.elastic(2, 4, spec("a", workers)));
        run("c0", 2, spec("b", role("worker", 1, 2)));
        assertThat(taken(spec("b", role("worker", 1, 1)))).isEmpty();
    }

    @Test
    void whatItNeedsForAllItsPodsOnANodeIsShortThereThoughThereIsRoomForOne() {
        play = Play.withNodes(10);
        put("a", guaranteed(8));
        put("b", QueueSpecs.QUEUE);
        run("e", 1, ElasticJobs.elastic("a", 2, 8, 8));
        run("c0", 2, spec("b", role("worker", 1, 1)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("elsewhere", 10)));
        var here = new TreeMap<>(Map.of("kubernetes.io/hostname", "node-0"));
        var filter = NodeFilter.of(here, List.of(), List.of());
        assertThat(taken(spec("b", role("worker", 2, Fixtures.cpu(1), filter)))).isEmpty();
    }

    /** The guarantee of something else is no reason to keep cores. */
    @Test
    void whatTheHolderDoesNotNeedIsNoMatterThoughOthersUseTooMuchOfItThere() {
        play = Play.withNodes(10);
        var ofMemory = Amounts.of(Map.of("memory", Fixtures.gibi(8)));
        queue("a", ofMemory.byName());
        put("b", QueueSpecs.QUEUE);
        var worker = Fixtures.remembering(1, role("worker", 8, 1));
        run("e", 1, ElasticJobs.elastic(2, 8, spec("a", Fixtures.atLeast(2, worker))));
        run("c0", 2, spec("b", role("worker", 2, 1)));
        var others = Amounts.of(Map.of("memory", Fixtures.gibi(4)));
        play.on(new Event.OthersUse(WATCHER, "node-0", others));
        assertThat(taken(spec("b", role("worker", 2, 1))))
                .containsExactly("e: it gives back worker-7, worker-6 for ml/head");
    }
}
