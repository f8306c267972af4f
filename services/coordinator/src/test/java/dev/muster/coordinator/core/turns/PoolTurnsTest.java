package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose turn it is, in one step and over many, and what is told of those whose turn is not. */
class PoolTurnsTest {
    private final Play play = Play.withNodes(4);
    private int submitted;

    /** What a queue has not had is remembered, whoever goes on with the pool. */
    @Test
    void queuesHaveTurnsByTheirWeightsOverManySteps() {
        weighted();
        var turns = new ArrayList<String>();
        for (int i = 0; i < 8; i++) {
            turns.addAll(roomForOneMore());
            play.restart();
        }
        assertThat(turns).containsExactly("x", "x", "y", "x", "x", "x", "y", "x");
    }

    @Test
    void queuesHaveTurnsByTheirWeightsInOneStep() {
        weighted();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("large", 40)));
        assertThat(play.takeStarted().stream().map(name -> name.substring(0, 1)))
                .containsExactly("x", "x", "y", "x", "x", "x", "y", "x");
        assertThat(credits()).containsOnly(entry("default", 0L), entry("x", 0L), entry("y", 0L));
    }

    @Test
    void queueThatIsPausedHasNoTurnAndGoesOnWhereItWas() {
        weighted();
        assertThat(roomForOneMore()).containsExactly("x");
        play.on(new Event.QueuePut("x", queue(3, true, true, 50), null));
        assertThat(roomForOneMore()).containsExactly("y");
        assertThat(roomForOneMore()).containsExactly("y");
        play.on(new Event.QueuePut("x", queue(3, false, true, 50), null));
        assertThat(roomForOneMore()).containsExactly("x");
    }

    @Test
    void otherPolicyDecidesFromTheNextTurnOn() {
        weighted();
        assertThat(roomForOneMore()).containsExactly("x");
        var fifo = Fixtures.pool(QueuePolicy.FIFO, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", fifo, null));
        var turns = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            turns.addAll(roomForOneMore());
        }
        // They were submitted by turns, the one of x first.
        assertThat(turns).containsExactly("y", "x", "y", "x");
    }

    /** Nobody else contended when it did, and yet it was served later than the other. */
    @Test
    void jobThatStartsAsItIsSubmittedHasItsQueuesTurn() {
        roundRobin();
        submit("x", 1);
        submit("x", 5);
        submit("y", 5);
        play.restart();
        assertThat(play.takeStarted()).hasSize(1);
        assertThat(roomForOneMore()).containsExactly("y");
        assertThat(roomForOneMore()).containsExactly("x");
    }

    /** However often that was, and with whoever it contended. */
    @Test
    void roundRobinServesWhoWasServedLongestAgoAmongAllOfThePool() {
        roundRobin();
        for (int i = 0; i < 3; i++) {
            submit("x", 1);
        }
        submit("y", 1);
        assertThat(play.takeStarted()).hasSize(4);
        play.restart();
        submit("y", 5);
        submit("x", 5);
        assertThat(roomForOneMore()).containsExactly("x");
        assertThat(roomForOneMore()).containsExactly("y");
    }

    @Test
    void roundRobinCountsAStartOutOfRoomThatWasHeld() {
        roundRobin();
        for (int i = 0; i < 3; i++) {
            submit("x", 1);
        }
        submit("y", 4);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.rows(Row.Table.HOLD)).hasSize(1);
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("large", 4)));
        assertThat(play.takeStarted()).hasSize(1);
        submit("y", 5);
        submit("x", 5);
        assertThat(roomForOneMore()).containsExactly("x");
    }

    /**
     * What docs/guide/queues.md says of queues of equal weights, of which one has jobs of 64 GPUs
     * and the other of one (cores here), when there is room for 256.
     */
    @ParameterizedTest
    @CsvSource({
        "SMOOTH_WEIGHTED_ROUND_ROBIN, 3, 64",
        "ROUND_ROBIN, 3, 64",
        "FIFO, 4, 0",
        "DOMINANT_SHARE, 2, 128"
    })
    void whatQueuesGetOfRoomIsByThePolicy(QueuePolicy policy, int ofLarge, int ofSmall) {
        var pool = Fixtures.pool(policy, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", pool, null));
        play.on(new Event.QueuePut("large", queue(1, false, true, 50), null));
        play.on(new Event.QueuePut("small", queue(1, false, true, 300), null));
        submit("default", 4);
        for (int i = 0; i < 5; i++) {
            submit("large", 64);
        }
        for (int i = 0; i < 256; i++) {
            submit("small", 1);
        }
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, nodeOfManyPods(256)));
        var started = play.takeStarted();
        assertThat(started).filteredOn(name -> name.startsWith("large")).hasSize(ofLarge);
        assertThat(started).filteredOn(name -> name.startsWith("small")).hasSize(ofSmall);
    }

    /** By weight only of what a queue uses now, whatever it used before. */
    @Test
    void dominantShareKnowsNoPast() {
        var pool = Fixtures.pool(QueuePolicy.DOMINANT_SHARE, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", pool, null));
        var jobs = new NamedJobs(play);
        jobs.queue("x", queue(1, false, true, 50));
        jobs.queue("y", queue(1, false, true, 50));
        for (int i = 0; i < 3; i++) {
            jobs.submit("x" + i, i, NamedJobs.one("x"));
            jobs.end("x" + i, i);
        }
        submit("default", 4);
        submit("y", 4);
        submit("x", 4);
        play.takeEffects();
        assertThat(roomForOneMore()).containsExactly("x");
    }

    private static Node nodeOfManyPods(long cores) {
        var plain = Fixtures.node("large", cores);
        return new Node(
                plain.name(),
                1,
                plain.labels(),
                List.of(),
                false,
                true,
                Amounts.of(Map.of("cpu", cores * 1000, "pods", 1000L)),
                0);
    }

    private void roundRobin() {
        var policy = Fixtures.pool(QueuePolicy.ROUND_ROBIN, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", policy, null));
        play.on(new Event.QueuePut("x", queue(1, false, true, 50), null));
        play.on(new Event.QueuePut("y", queue(1, false, true, 50), null));
    }

    @ParameterizedTest
    @EnumSource
    void startIsToldWithTheCreditsOfThoseWhoContended(QueuePolicy policy) {
        var plain = Fixtures.pool(policy, PoolSpec.Preemption.OFF);
        play.on(new Event.PoolPut("default", plain, null));
        weighted();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("more", 5)));
        var started = play.takeOne(Effect.Started.class);
        assertThat(started.queue()).isEqualTo("x");
        assertThat(started.credits()).containsOnlyKeys("x", "y");
    }

    /** It does not have a turn of its own beside it. */
    @Test
    void queueOfTheHolderPaysForItsStart() {
        play.on(new Event.QueuePut("x", queue(1, false, true, 50), null));
        play.on(new Event.QueuePut("y", queue(1, false, true, 50), null));
        submit("x", 3);
        submit("y", 2);
        var holder = play.jobs().getLast();
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.rows(Row.Table.HOLD)).hasSize(1);
        submit("x", 4);
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("large", 4)));
        assertThat(play.job(holder).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.take(Effect.Started.class).getFirst().credits()).containsKey("y");
        assertThat(play.rows(Row.Table.HOLD)).isEmpty();
        assertThat(credits().get("y")).isNegative();
        assertThat(credits().get("x")).isPositive();
    }

    @Test
    void whoWaitsInAPausedQueueIsToldThatItIsDeletedThen() {
        weighted();
        play.on(new Event.QueuePut("x", queue(3, true, true, 50), null));
        play.on(new Event.QueueDelete("x", true, null));
        assertThat(play.explain(named("x0")).orElseThrow().reasons().getFirst().message())
                .isEqualTo("the queue is paused, and is deleted once its jobs have ended");
    }

    @Test
    void whoWaitsIsToldThatThePoolHasNoNodes() {
        play.on(new Event.NodeReleased(WATCHER, "node-0"));
        submit("default", 1);
        var reason = play.explain(play.jobs().getFirst()).orElseThrow().reasons().getFirst();
        assertThat(reason.code()).isEqualTo(Code.POOL_UNAVAILABLE);
        assertThat(reason.message()).isEqualTo("no node of the pool is known");
        assertThat(reason.remedy())
                .isEqualTo(
                        "a node that no pool with a nodeSelector has, nor one without and with a"
                                + " lower number; and a watcher that reports it");
        var labels = new TreeMap<>(Map.of("gpu", "h100", "zone", "a"));
        var plain = PoolSpec.PLAIN;
        var spec =
                new PoolSpec(
                        labels,
                        plain.policy(),
                        plain.preemption(),
                        plain.priorities(),
                        plain.spot(),
                        plain.backing());
        play.on(new Event.PoolPut("default", spec, null));
        assertThat(play.explain(play.jobs().getFirst()).orElseThrow().reasons().getFirst().remedy())
                .isEqualTo(
                        "a node with the labels gpu=h100, zone=a that no pool with a nodeSelector"
                                + " and a lower number has; and a watcher that reports it");
    }

    /** Of many queues as of many kinds of jobs in one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reasonsOfManyAreToldInSteps(boolean isOneQueue) {
        var small = Play.inSteps(12);
        for (int i = 0; i < 40; i++) {
            var name = isOneQueue ? "default" : "q%02d".formatted(i);
            small.on(new Event.QueuePut(name, QueueSpecs.QUEUE, null));
            small.on(new Event.Submitted(job("j" + i, 10 + i), of(name, 60 + i), null));
        }
        var step = small.onStep(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 50)));
        int most = step.effects().size();
        while (step.more()) {
            step = small.onStep();
            most = Math.max(most, step.effects().size());
        }
        assertThat(most).isBetween(12, 14);
        for (var id : small.jobs()) {
            var state = (JobState.Queued) small.job(id).state();
            assertThat(state.reason().code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        }
    }

    /** Jobs of both wait that need a whole node, the first of x first. */
    private void weighted() {
        play.on(new Event.QueuePut("x", queue(3, false, true, 50), null));
        play.on(new Event.QueuePut("y", queue(1, false, true, 50), null));
        for (int i = 0; i < 6; i++) {
            submit("x", 5);
            submit("y", 5);
        }
        play.takeEffects();
    }

    /** Of which queues jobs start. */
    private List<String> roomForOneMore() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("more-" + submitted++, 5)));
        return play.takeStarted().stream().map(name -> name.substring(0, 1)).toList();
    }

    private Map<String, Long> credits() {
        return play.rows(Row.Table.QUEUE).values().stream()
                .map(Queue.class::cast)
                .collect(Collectors.toMap(Queue::name, Queue::credit, Long::sum, TreeMap::new));
    }

    private JobId named(String name) {
        return play.jobs().stream().filter(id -> id.name().equals(name)).findFirst().orElseThrow();
    }

    private void submit(String queue, long cores) {
        var id = job(queue + submitted, ++submitted);
        play.on(new Event.Submitted(id, of(queue, cores), null));
    }

    private static JobSpec of(String queue, long cores) {
        return Fixtures.spec(queue, Fixtures.role("worker", 1, cores));
    }
}
