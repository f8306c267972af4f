package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.together;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.QUEUE;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.quota;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Operator;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Requirement;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of its mixes a gang that waits has, and who is given another one first. */
class PoolMixChoiceTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);

    private final Play play = Play.withNodes(4, 4);
    private final NamedJobs jobs = new NamedJobs(play);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    /** Three large ones and a small one need 7 cores, two of each 6, one large one 5. */
    private static JobSpec gang(String queue) {
        var large = atLeast(1, role("large", 4, 2));
        return together(4, spec(queue, large, atLeast(1, role("small", 4, 1))));
    }

    private void fill() {
        jobs.submit("full", 0, workers(2, 4));
    }

    private List<String> pods(JobId job) {
        return play.ranks(job).stream().map(rank -> rank.id().toString()).sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit", "borrowing", "namespace"})
    void mixThatItsQuotaNeverAllowsIsNotKept(String kind) {
        fill();
        restrict(kind);
        play.on(new Event.Submitted(a, gang("q"), null));
        waitsForTwoOfEach();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit", "borrowing", "namespace"})
    void mixThatItsQuotaAllowsNoMoreIsNotKept(String kind) {
        jobs.queue("q", QUEUE);
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        restrict(kind);
        waitsForTwoOfEach();
    }

    private void restrict(String kind) {
        switch (kind) {
            case "limit" -> jobs.queue("q", limited(6));
            case "borrowing" -> jobs.queue("q", quota(6, false, null, null));
            default -> {
                jobs.queue("q", QUEUE);
                jobs.namespace("requests.cpu", 6000);
            }
        }
    }

    private void waitsForTwoOfEach() {
        play.restart();
        assertThat(reason(a)).isNotEqualTo(Code.EXCEEDS_MAX_QUOTA);
        jobs.end("full", 0);
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
    }

    private Code reason(JobId job) {
        return play.explain(job).orElseThrow().reasons().getFirst().code();
    }

    @Test
    void roomIsHeldForTheMixThatItsQuotaAllows() {
        restrict("limit");
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        assertThat(reason(a)).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job()).isEqualTo(a);
        jobs.submit("late", 2, "default");
        jobs.end("full", 0);
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
    }

    @Test
    void firstMixIsKeptWhereNoneCouldEverStart() {
        jobs.queue("q", limited(4));
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        assertThat(play.job(a).spec().work().gang().mix()).isEmpty();
        assertThat(reason(a)).isEqualTo(Code.EXCEEDS_MAX_QUOTA);
    }

    /** What is kept for the one who goes first is not kept from him. */
    @ParameterizedTest
    @CsvSource({"place, false", "place, true", "limit, false", "namespace, false"})
    void whoseQuotaIsKeptIsAskedThoughSomebodyLikeHimIsOlder(String kept, boolean byCommand) {
        keepQuotas(kept);
        play.on(new Event.Submitted(a, gang("q"), null));
        play.on(new Event.Submitted(b, at(byCommand ? 0 : 100, gang("q")), null));
        if (byCommand) {
            play.on(new Event.ChangeAsked(b, new Change.Prioritise(100), null));
        }
        play.passHeard(RESERVE_AFTER.multipliedBy(2), 0);
        play.restart();
        roomForTwoOfEach();
        assertThat(pods(b)).startsWith("large-0", "large-1", "small-0", "small-1");
        assertThat(pods(a)).isEmpty();
    }

    private void keepQuotas(String kept) {
        fill();
        switch (kept) {
            case "place" -> jobs.queue("q", running(1, QUEUE));
            case "limit" -> jobs.queue("q", limited(7));
            default -> {
                jobs.queue("q", QUEUE);
                jobs.namespace("requests.cpu", 15_000);
            }
        }
    }

    private void roomForTwoOfEach() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 6)));
    }

    /** Where waiting counts, who was let in later comes later. */
    @Test
    void whoWasLetInLaterIsNotAskedForAllLikeHim() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 9), null));
        keepQuotas("place");
        play.on(new Event.Submitted(a, Fixtures.suspended(gang("q")), null));
        play.on(new Event.Submitted(b, gang("q"), null));
        play.passHeard(RESERVE_AFTER, 0);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        play.passHeard(RESERVE_AFTER, 0);
        play.restart();
        roomForTwoOfEach();
        assertThat(pods(b)).startsWith("large-0", "large-1", "small-0", "small-1");
        assertThat(pods(a)).isEmpty();
    }

    @Test
    void whomNobodyKeepsOffIsAskedThoughSomebodyLikeHimIsOlder() {
        jobs.queue("q", QUEUE);
        fill();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 7)));
        jobs.submit("shuns", 10, shunning("app", "noisy"));
        jobs.submit("rest", 11, workers(1, 6));
        play.on(new Event.Submitted(a, Respec.labelled("app", "noisy", gang("q")), null));
        play.on(new Event.Submitted(b, gang("q"), null));
        play.restart();
        jobs.end("rest", 11);
        assertThat(pods(b)).startsWith("large-0", "large-1", "small-0", "small-1");
        assertThat(pods(a)).isEmpty();
    }

    /** One pod of one core that shares no node with such pods. */
    private static JobSpec shunning(String key, String value) {
        var such = new Requirement(key, Operator.IN, List.of(value));
        var term = new AntiAffinityTerm(new TreeSet<>(Set.of("ml")), List.of(such));
        var shuns = new TreeMap<>(Map.of("worker", List.of(term)));
        return Respec.neighbours(workers(1, 1), new Neighbours(new TreeMap<>(), shuns));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 40, 300})
    void whoGoesBeforeAnotherHasTheNextMixBeforeHim(int others) {
        jobs.queue("q", QUEUE);
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        for (int i = 0; i < others; i++) {
            jobs.submit("s" + i, 100 + i, stuck(i));
        }
        play.on(new Event.Submitted(b, at(100, gang("q")), null));
        play.restart();
        roomForTwoOfEach();
        assertThat(pods(b)).startsWith("large-0", "large-1", "small-0", "small-1");
        assertThat(pods(a)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 6)));
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
    }

    /** Too large for the nodes that there are. */
    private static JobSpec stuck(int kind) {
        var large = atLeast(1, role("large", 4, 5000 + kind));
        return together(4, spec("q", large, atLeast(1, role("small", 4, 5000))));
    }

    /** Three large ones and a small one need three of the nodes, one large one only these two. */
    private static JobSpec wide(String queue) {
        var large = atLeast(1, role("large", 4, 3));
        return together(4, spec(queue, large, atLeast(1, role("small", 4, 1))));
    }

    @Test
    void whoseQueueIsPausedGetsNoMixForTheRoomOfToday() {
        jobs.queue("q", QueueSpecs.queue(1, true, true, 1000));
        play.on(new Event.Submitted(a, wide("q"), null));
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        hasItsFirstMix();
        jobs.queue("q", QUEUE);
        assertThat(pods(a)).startsWith("large-0", "large-1", "large-2", "small-0");
    }

    private void hasItsFirstMix() {
        assertThat(play.job(a).spec().work().gang().mix()).isEmpty();
    }

    /** Two nodes and a core of a third are free, and the head needs three. */
    @Test
    void whoIsBehindTheFirstOfItsQueueGetsNoMixForTheRoomOfToday() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        jobs.queue("q", QueueSpecs.queue(1, false, false, 1000));
        jobs.submit("used", 0, workers(1, 3));
        jobs.submit("first", 3, spec("q", role("worker", 3, 4)));
        play.on(new Event.Submitted(a, wide("q"), null));
        hasItsFirstMix();
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 1)));
        hasItsFirstMix();
        play.on(Fixtures.cancel(job("first", 3), "", null));
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
    }

    /** Its reason and the room held for it are to be those of one that can. */
    @Test
    void whoIsBehindTheFirstOfItsQueueKeepsNoMixThatCouldNeverStart() {
        jobs.queue("q", QueueSpecs.queue(1, false, false, 1000));
        fill();
        jobs.submit("first", 3, spec("q", role("worker", 2, 4)));
        play.on(new Event.Submitted(a, wide("q"), null));
        assertThat(play.job(a).spec().work().gang().mix()).containsExactly(1, 1);
    }

    @Test
    void firstOfItsQueueHasAnotherMixThoughNobodyPassesIt() {
        jobs.queue("q", QueueSpecs.queue(1, false, false, 1000));
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        play.on(new Event.Submitted(b, spec("q", role("worker", 1, 6)), null));
        play.restart();
        roomForTwoOfEach();
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
        assertThat(pods(b)).isEmpty();
    }

    @Test
    void whoIsOlderHasItWherePrioritiesDoNotCount() {
        var order = new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, RESERVE_AFTER);
        jobs.queue("q", QueueSpecs.with(QUEUE, order));
        isForTheOlder(Duration.ZERO);
    }

    @Test
    void whoHasWaitedForLongerHasItWhereThatIsWorthMore() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofSeconds(1), 200), null));
        jobs.queue("q", QUEUE);
        isForTheOlder(Duration.ofSeconds(150));
    }

    private void isForTheOlder(Duration wait) {
        fill();
        play.on(new Event.Submitted(a, gang("q"), null));
        play.passHeard(wait, 0);
        play.on(new Event.Submitted(b, at(100, gang("q")), null));
        roomForTwoOfEach();
        assertThat(pods(a)).startsWith("large-0", "large-1", "small-0", "small-1");
        assertThat(pods(b)).isEmpty();
    }
}
