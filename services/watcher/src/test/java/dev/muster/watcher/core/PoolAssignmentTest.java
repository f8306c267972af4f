package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.PoolAssignment.Left;
import dev.muster.watcher.core.PoolAssignment.Overlap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolAssignmentTest {
    private static final Pool GPU = new Pool("gpu", 0, Map.of("gpu", "yes"), false, false);
    private static final Pool ZONE = new Pool("zone", 1, Map.of("zone", "a"), false, false);
    private static final Pool REST = new Pool("rest", 2, Map.of(), false, false);
    private static final Pools ALL = new Pools(List.of(REST, ZONE, GPU));
    private static final NodeReport BOTH = Nodes.read(node("both", "gpu=yes", "zone=a"));
    private static final NodeReport NONE = Nodes.read(node("none"));

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final PoolAssignment assignment = new PoolAssignment();

    @Test
    void theFirstPoolThatMatchesHasTheNode() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assignment.put(NONE, NOON);
        assertThat(assignment.settledPoolOf("both")).contains(GPU);
        assertThat(assignment.settledPoolOf("none")).contains(REST);
        assertThat(assignment.settledNodesOf("gpu")).containsExactly(BOTH);
    }

    @Test
    void aNodeThatNoPoolWantsHasNone() {
        assignment.use(new Pools(List.of(GPU)), NOON);
        assertThat(assignment.put(NONE, NOON)).isEmpty();
        assertThat(assignment.settledPoolOf("none")).isEmpty();
    }

    @Test
    void poolsThatMeetInANodeAreToldOnceAndACatchAllIsNone() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assertThat(assignment.newOverlaps(List.of(BOTH)))
                .containsExactly(new Overlap("gpu", "zone", "both"));
        assertThat(assignment.newOverlaps(List.of(BOTH))).isEmpty();
    }

    @Test
    void aNodeThatMovesIsNobodysUntilTheOldPoolHasHeard() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assertThat(assignment.use(ALL.without("gpu"), NOON)).containsExactly(new Left("both", GPU));
        assertThat(assignment.settledPoolOf("both")).isEmpty();
        assertThat(assignment.leaving("gpu")).containsExactly("both");
        assertThat(assignment.released(ZONE::equals)).isEmpty();
        assertThat(assignment.released(GPU::equals)).containsExactly("both");
        assertThat(assignment.settledPoolOf("both")).contains(ZONE);
    }

    @Test
    void aNodeThatMovesOnWaitsForAllThatHadIt() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assignment.use(ALL.without("gpu"), NOON);
        assignment.use(ALL.without("gpu").without("zone"), NOON);
        assertThat(assignment.released(GPU::equals)).isEmpty();
        assertThat(assignment.released(ZONE::equals)).containsExactly("both");
        assertThat(assignment.settledPoolOf("both")).contains(REST);
    }

    @Test
    void aMoveOfLongAgoIsKnownToAllOnceThatIsSaid() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assignment.use(ALL.without("gpu"), NOON);
        assignment.settle(NOON);
        assertThat(assignment.settledPoolOf("both")).isEmpty();
        assignment.settle(NOON.plusMillis(1));
        assertThat(assignment.settledPoolOf("both")).contains(ZONE);
        assertThat(assignment.awaited()).isEmpty();
    }

    @Test
    void aNodeThatComesBackWaitsForTheOtherOnly() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assignment.use(ALL.without("gpu"), NOON);
        assertThat(assignment.use(ALL, NOON)).containsExactly(new Left("both", ZONE));
        assertThat(assignment.released(ZONE::equals)).containsExactly("both");
        assertThat(assignment.settledPoolOf("both")).contains(GPU);
    }

    @Test
    void aNodeMovesWhenItsOwnLabelsChange() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assertThat(assignment.put(Nodes.read(node("both", "zone=a")), NOON))
                .contains(new Left("both", GPU));
    }

    @Test
    void anotherSelectorThatStillMatchesMovesNothing() {
        assignment.use(ALL, NOON);
        assignment.put(NONE, NOON);
        assertThat(
                        assignment.use(
                                ALL.with(new Pool("gpu", 0, Map.of("tpu", "yes"), false, false)),
                                NOON))
                .isEmpty();
    }

    @Test
    void aPoolInAnotherInboxIsAnother() {
        assignment.use(ALL, NOON);
        assignment.put(NONE, NOON);
        var moved = new Pool("rest", 5, Map.of(), false, false);
        assertThat(assignment.use(ALL.with(moved), NOON)).containsExactly(new Left("none", REST));
    }

    @Test
    void aNodeThatIsGoneLeavesItsPoolWhichIsAwaited() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assertThat(assignment.remove(List.of("both"), NOON)).containsExactly(new Left("both", GPU));
        assertThat(assignment.remove(List.of("both"), NOON)).isEmpty();
        assertThat(assignment.awaited()).containsExactly("gpu");
        assertThat(assignment.released(GPU::equals)).containsExactly("both");
        assertThat(assignment.awaited()).isEmpty();
    }

    @Test
    void aNodeThatIsMadeAnewWaitsForTheOthersThatHadIt() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assignment.remove(List.of("both"), NOON);
        assignment.put(Nodes.read(node("both", "zone=a")), NOON);
        assertThat(assignment.settledPoolOf("both")).isEmpty();
        assignment.remove(List.of("both"), NOON);
        assignment.put(BOTH, NOON);
        assertThat(assignment.awaited()).containsExactly("zone");
        assertThat(assignment.released(ZONE::equals)).containsExactly("both");
        assertThat(assignment.settledPoolOf("both")).contains(GPU);
    }

    @Test
    void aNodeThatIsMadeAnewForItsPoolIsItsAtOnce() {
        assignment.use(ALL, NOON);
        assignment.put(BOTH, NOON);
        assignment.remove(List.of("both"), NOON);
        assignment.put(BOTH, NOON);
        assertThat(assignment.settledPoolOf("both")).contains(GPU);
        assertThat(assignment.awaited()).isEmpty();
    }

    @Test
    void aNumberIsGivenOnce() {
        assertThat(ALL.rivalOf(new Pool("late", 1, Map.of(), false, false))).contains(ZONE);
        assertThat(ALL.rivalOf(new Pool("zone", 1, Map.of(), false, false))).isEmpty();
        assertThat(ALL.rivalOf(new Pool("late", 3, Map.of(), false, false))).isEmpty();
    }
}
