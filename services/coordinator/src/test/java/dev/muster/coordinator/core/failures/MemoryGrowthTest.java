package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.limited;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.remembering;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Memories.burstable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.failures.MemoryGrowth.NodeRoom;
import dev.muster.coordinator.core.failures.MemoryGrowth.Places;
import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.FailurePolicy.Action.GrowMemory;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryGrowthTest {
    private static final GrowMemory BY_HALF = new GrowMemory(1500, 0);
    private static final JobSpec PAIR =
            spec("default", role("master", 1, 1), remembering(8, role("worker", 2, 1)));
    private static final List<NodeRoom> NODES = List.of(room(node("small", 4), 0), large(0));

    private static NodeRoom room(Node node, long othersGibi) {
        var others = Amounts.of(Map.of("memory", gibi(othersGibi)));
        return new NodeRoom(node, node.allocatable().minus(others));
    }

    private static NodeRoom large(long othersGibi) {
        return room(node("large", 32), othersGibi);
    }

    private static MemoryGrowth grow(JobSpec spec, GrowMemory rule, List<NodeRoom> nodes) {
        return MemoryGrowth.of(spec, "worker", rule, 0, places(spec, nodes));
    }

    private static Places places(JobSpec spec, List<NodeRoom> nodes) {
        return new Places(List.of(spec.role("worker").filter()), nodes);
    }

    /** For a role of two of which so many may be spot pods, one of which ran out of memory. */
    private static Places places(int spot, boolean failedOnSpot) {
        var role = SpotPods.spot(spot, PAIR.role("worker"));
        var fences = new Job.Fences(1, 1, 1, 1);
        var making = new Rank.Making(fences, "node", List.of(), null, 0, 0).spot(failedOnSpot);
        var failed = Rank.ordered(job("a", 1), new RankId("worker", 1), making);
        var nodes = List.of(room(SpotPods.node("spot", 16), 0), large(0));
        return Places.of(role, failed, SpotPods.SPOT, nodes);
    }

    private static JobSpec within(long gibi) {
        return limited(Amounts.of(Map.of("memory", gibi(gibi))), PAIR);
    }

    private static JobSpec grown(long gibi) {
        return PAIR.with(PAIR.work().growing("worker", gibi(gibi)));
    }

    @ParameterizedTest
    @MethodSource
    void growsByItsFactorWithinEveryBound(JobSpec spec, GrowMemory rule, long gibi) {
        assertThat(grow(spec, rule, NODES))
                .isEqualTo(
                        new MemoryGrowth(
                                gibi(gibi),
                                "memory of role worker grows from 8Gi to %dGi".formatted(gibi)));
    }

    static Stream<Arguments> growsByItsFactorWithinEveryBound() {
        return Stream.of(
                argumentSet("factor", PAIR, BY_HALF, 12),
                argumentSet("the rule's most", PAIR, new GrowMemory(4000, gibi(20)), 20),
                argumentSet("largest node", PAIR, new GrowMemory(9000, 0), 32),
                argumentSet("all pods", within(20), BY_HALF, 10));
    }

    @ParameterizedTest
    @MethodSource
    void whatKeepsItFromGrowingIsSaid(
            JobSpec spec, GrowMemory rule, List<NodeRoom> nodes, String why) {
        assertThat(grow(spec, rule, nodes))
                .isEqualTo(new MemoryGrowth(0, "memory of role worker cannot grow: " + why));
    }

    static Stream<Arguments> whatKeepsItFromGrowingIsSaid() {
        var unnamed = spec("default", role("worker", 2, 1));
        var all = Amounts.of(Map.of("memory", Long.MAX_VALUE));
        var worker = remembering(8, role("worker", 2, 1));
        var beside = spec("default", role("ps", 3, all, NodeFilter.ANY), worker);
        return Stream.of(
                argumentSet(
                        "the rule's most",
                        PAIR,
                        new GrowMemory(1500, gibi(8)),
                        NODES,
                        "its rule allows at most 8Gi"),
                argumentSet(
                        "largest node",
                        PAIR,
                        BY_HALF,
                        List.of(large(24)),
                        "the largest node that takes its pods, large, has 8Gi for it"),
                argumentSet(
                        "all pods",
                        within(16),
                        BY_HALF,
                        NODES,
                        "resourceLimits allow 16Gi for all pods together, which leaves it 8Gi"),
                argumentSet(
                        "others have more than a number says",
                        limitedTo(20, beside),
                        BY_HALF,
                        NODES,
                        "resourceLimits allow 20Gi for all pods together, which leaves it 0"),
                argumentSet(
                        "nothing to grow",
                        unnamed,
                        BY_HALF,
                        NODES,
                        "its main container names none, or its template that of the pod as a whole"));
    }

    /** Eight of sixty-four are asked for: nodes and limits of the job bound the request. */
    @ParameterizedTest
    @MethodSource
    void requestBelowTheLimitIsWhatNodesAndResourceLimitsBound(
            JobSpec spec, GrowMemory rule, MemoryGrowth growth) {
        assertThat(grow(spec, rule, NODES)).isEqualTo(growth);
    }

    static Stream<Arguments> requestBelowTheLimitIsWhatNodesAndResourceLimitsBound() {
        var worker = burstable(64, 8, role("worker", 2, 1));
        var pair = spec("default", role("master", 1, 1), worker);
        return Stream.of(
                argumentSet("factor", pair, BY_HALF, to(96)),
                argumentSet("the rule's most", pair, new GrowMemory(1500, gibi(80)), to(80)),
                argumentSet("largest node", pair, new GrowMemory(9000, 0), to(256)),
                argumentSet("all pods", limitedTo(20, pair), BY_HALF, to(80)),
                argumentSet(
                        "all pods, which use it",
                        limitedTo(16, pair),
                        BY_HALF,
                        new MemoryGrowth(
                                0,
                                "memory of role worker cannot grow: resourceLimits allow 16Gi for"
                                        + " all pods together, which leaves its request 8Gi")));
    }

    private static MemoryGrowth to(long gibi) {
        return new MemoryGrowth(
                gibi(gibi), "memory of role worker grows from 64Gi to %dGi".formatted(gibi));
    }

    private static JobSpec limitedTo(long gibi, JobSpec spec) {
        return limited(Amounts.of(Map.of("memory", gibi(gibi))), spec);
    }

    @Test
    void aPodThatHadLessThanItsRoleHasNowGetsWhatTheRoleHas() {
        assertThat(MemoryGrowth.of(grown(12), "worker", BY_HALF, 0, places(grown(12), NODES)))
                .isEqualTo(
                        new MemoryGrowth(
                                gibi(12), "memory of role worker has grown to 12Gi since"));
    }

    @Test
    void aPodThatHadWhatItsRoleHasMakesItGrowAgain() {
        assertThat(
                        MemoryGrowth.of(
                                        grown(12),
                                        "worker",
                                        BY_HALF,
                                        gibi(12),
                                        places(grown(12), NODES))
                                .bytes())
                .isEqualTo(gibi(18));
    }

    @ParameterizedTest
    @MethodSource
    void whereNoNodeTakesThePodNowTheLargestThatWouldBoundsIt(
            JobSpec spec, List<NodeRoom> nodes, long gibi) {
        assertThat(grow(spec, new GrowMemory(9000, 0), nodes).bytes()).isEqualTo(gibi(gibi));
    }

    static Stream<Arguments> whereNoNodeTakesThePodNowTheLargestThatWouldBoundsIt() {
        var avoiding = picky(new TreeMap<>(), new TreeSet<>(List.of("large")));
        var labelled = picky(new TreeMap<>(Map.of("kind", "gpu")), new TreeSet<>());
        var cordoned = tainted("large", 32, "node.kubernetes.io/unschedulable");
        var foreign = tainted("foreign", 64, "team");
        return Stream.of(
                argumentSet("cordoned", PAIR, List.of(cordoned), 32),
                argumentSet("full of others", PAIR, List.of(large(30)), 32),
                argumentSet("avoided", avoiding, List.of(large(0)), 32),
                argumentSet(
                        "cordoned, beside others' larger one",
                        PAIR,
                        List.of(cordoned, foreign),
                        32),
                argumentSet("tainted by somebody", PAIR, List.of(foreign), 64),
                argumentSet("of another kind", labelled, NODES, 72),
                argumentSet("no nodes", PAIR, List.of(), 72));
    }

    private static JobSpec picky(SortedMap<String, String> selector, SortedSet<String> avoided) {
        var filter = new NodeFilter(selector, List.of(), List.of(), avoided);
        return spec("default", remembering(8, role("worker", 2, cpu(1), filter)));
    }

    private static NodeRoom tainted(String name, long cores, String key) {
        var node = node(name, cores);
        var taint = new Node.Taint(key, "", Node.Effect.NO_SCHEDULE);
        return room(
                new Node(
                        name, 1, node.labels(), List.of(taint), false, true, node.allocatable(), 0),
                0);
    }

    @Test
    void wherePodsOfItsSizeGoNowhereItDoesNotGrow() {
        assertThat(grow(PAIR, BY_HALF, List.of(room(node("small", 4), 0))))
                .isEqualTo(
                        new MemoryGrowth(
                                0,
                                "memory of role worker cannot grow: the largest node that takes"
                                        + " its pods, small, has 4Gi for it"));
    }

    /** Every pod of the role grows: those that may be there, and those that failed. */
    @ParameterizedTest
    @CsvSource({"2, true, 16", "2, false, 16", "1, true, 16", "1, false, 16", "0, false, 32"})
    void largestNodeIsOneThatTakesSpotPodsWhereThereAreAny(
            int spot, boolean failedOnSpot, long gibi) {
        var places = places(spot, failedOnSpot);
        assertThat(MemoryGrowth.of(PAIR, "worker", new GrowMemory(9000, 0), 0, places).bytes())
                .isEqualTo(gibi(gibi));
    }

    @Test
    void smallAmountsGrowInWholeMebibytes() {
        var share = new Memory.Share(1, 0);
        var memory = new Memory(1, null, share, share, 0);
        assertThat(memory.requested(Amounts.NONE, 5)).isEqualTo(Amounts.of(Map.of("memory", 5L)));
        var role = PAIR.role("worker");
        var tiny = PAIR.with(PAIR.work().growing(role.name(), (8L << 30) + 1));
        assertThat(
                        MemoryGrowth.of(
                                        tiny,
                                        "worker",
                                        BY_HALF,
                                        (8L << 30) + 1,
                                        places(tiny, NODES))
                                .message())
                .isEqualTo("memory of role worker grows from 8589934593 to 12289Mi");
    }

    @Test
    void whatRunsBesideTheMainContainerIsCountedToo() {
        var memory = new Memory(gibi(2), null, new Memory.Share(gibi(5), gibi(1)), null, 0);
        var now = Amounts.of(Map.of("memory", gibi(5)));
        assertThat(memory.requested(now, gibi(3))).isEqualTo(now);
        assertThat(memory.requested(now, gibi(6)).get("memory")).isEqualTo(gibi(7));
        assertThat(memory.limited(now, gibi(6))).isEqualTo(now);
    }
}
