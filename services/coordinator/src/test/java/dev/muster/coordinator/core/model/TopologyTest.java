package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.core.placement.Apart;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.placement.PlacedSiblings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopologyTest {
    private static final String ZONE = "zone";
    private final Capacity capacity = new Capacity();

    @Test
    void requireTakesTheDomainWithTheLeastToSpare() {
        node("a1", "a", 4);
        node("a2", "a", 4);
        node("b1", "b", 3);
        node("b2", "b", 2);
        node("c1", "c", 5);
        assertThat(fit(Policy.REQUIRE, workers(5, 1)))
                .containsExactly("b1", "b1", "b1", "b2", "b2");
    }

    @Test
    void requireIsUnsatisfiedWhenTheRoomLiesInSeveralDomains() {
        node("a1", "a", 3);
        node("b1", "b", 4);
        node("z", null, 64);
        var why = (Short) capacity.fit(shape(Policy.REQUIRE, ZONE, workers(5, 1)));
        assertThat(why.code()).isEqualTo(Code.TOPOLOGY_UNSATISFIED);
        assertThat(why.scope()).isEqualTo(ZONE);
        assertThat(why.shortage()).isEqualTo(new Shortage(5, 4));
        assertThat(why.never()).isTrue();
        assertThat(why.message())
                .isEqualTo(
                        "needs room for 5 pods under one value of zone, the most that one has room for is 4");
        assertThat(why.nearest())
                .containsExactly(new Fit.NodeLack("b1", "lacks 1 of cpu for one more pod"));
    }

    @Test
    void requireWaitsForADomainThatIsLargeEnough() {
        node("a1", "a", 5);
        node("b1", "b", 4);
        capacity.occupy("a1", cpu(3));
        var why = (Short) capacity.fit(shape(Policy.REQUIRE, ZONE, workers(5, 1)));
        assertThat(why.code()).isEqualTo(Code.TOPOLOGY_UNSATISFIED);
        assertThat(why.never()).isFalse();
        assertThat(why.remedy()).isEqualTo("room for 1 more pods under one value of zone");
    }

    @Test
    void aFullPoolIsShortOfRoomWhateverTheTopology() {
        node("a1", "a", 5);
        capacity.occupy("a1", cpu(3));
        var why = (Short) capacity.fit(shape(Policy.REQUIRE, ZONE, workers(5, 1)));
        assertThat(why.code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(why.scope()).isEqualTo("cpu");
    }

    @Test
    void requireWithoutAKeyIsOneNode() {
        node("a1", "a", 4);
        node("a2", "a", 3);
        assertThat(place(Policy.REQUIRE, null, workers(3, 1))).containsExactly("a2", "a2", "a2");
        assertThat(capacity.fits(shape(Policy.REQUIRE, null, workers(5, 1)))).isFalse();
    }

    @Test
    void allRolesGoIntoTheOneDomain() {
        node("a1", "a", 2);
        node("a2", "a", 2);
        node("b1", "b", 4);
        node("b2", "b", 2);
        var master = Apart.part("master", 0, 1, cpu(2), NodeFilter.ANY, false);
        assertThat(fit(Policy.REQUIRE, master, workers(4, 1)))
                .containsExactly("b2", "b1", "b1", "b1", "b1");
    }

    @Test
    void preferTakesOneDomainAndElseWhatThereIs() {
        node("a1", "a", 2);
        node("b1", "b", 3);
        node("z", null, 4);
        assertThat(fit(Policy.PREFER, workers(3, 1))).containsExactly("b1", "b1", "b1");
        assertThat(fit(Policy.PREFER, workers(4, 1))).containsExactly("z", "z", "z", "z");
        assertThat(fit(Policy.PREFER, workers(6, 1)))
                .containsExactly("a1", "a1", "z", "z", "z", "z");
    }

    @Test
    void packTakesOneDomainBeforeTwo() {
        node("a1", "a", 2);
        node("a2", "a", 2);
        node("b1", "b", 3);
        node("c1", "c", 8);
        capacity.occupy("c1", cpu(3));
        assertThat(fit(Policy.PACK, workers(4, 1))).containsExactly("a1", "a1", "a2", "a2");
        assertThat(fit(Policy.PACK, workers(7, 1)))
                .containsExactly("b1", "b1", "c1", "c1", "c1", "c1", "c1");
        assertThat(fit(Policy.PACK, workers(8, 1)))
                .containsExactly("b1", "b1", "b1", "c1", "c1", "c1", "c1", "c1");
    }

    @Test
    void packWithoutAKeyTakesFewNodes() {
        node("a1", "a", 2);
        node("a2", "a", 5);
        node("b1", "b", 3);
        assertThat(place(Policy.PACK, null, workers(7, 1)))
                .containsExactly("a1", "a1", "a2", "a2", "a2", "a2", "a2");
    }

    /** Each role for itself would take the node with the least to spare, three of them in all. */
    @Test
    void packWithoutAKeyTakesFewNodesForAllRolesTogether() {
        node("a1", "a", 6);
        node("a2", "a", 3);
        node("b1", "b", 1);
        assertThat(place(Policy.PACK, null, part("master", 1, 1), workers(8, 1)))
                .containsExactly("a1", "a1", "a1", "a1", "a1", "a1", "a2", "a2", "a2");
    }

    /** There is no room where the others are. */
    @Test
    void podsThatComeLaterArePackedForAllRolesTogetherToo() {
        node("a0", "a", 0);
        node("a1", "a", 6);
        node("a2", "a", 3);
        node("b1", "b", 1);
        var gang = shape(Policy.PACK, null, part("master", 1, 1), workers(8, 1));
        var extra = Extra.NONE.beside(siblings(gang.topology(), "a0"));
        var placed = requireNonNull(capacity.placed(gang, extra));
        assertThat(placed.pods().stream().map(Fit.Placement::node).distinct())
                .containsExactlyInAnyOrder("a1", "a2");
    }

    private PlacedSiblings siblings(Topology topology, String node) {
        return PlacedSiblings.of(topology, new TreeMap<>(Map.of(node, 1)), capacity);
    }

    /** Zone a holds 3 + 2 + 2 and 3 + 3 of cpu; larger pods first would leave no room for two. */
    @ParameterizedTest
    @EnumSource(names = {"PREFER", "PACK"})
    void oneDomainIsTakenWhereOnlyASearchFindsThatItHoldsAll(Policy policy) {
        node("a1", "a", 7);
        node("a2", "a", 6);
        node("b1", "b", 4);
        assertThat(fit(policy, part("x", 3, 3), part("y", 2, 2)))
                .containsExactly("a1", "a2", "a2", "a1", "a1");
    }

    /** One suspect node somewhere in the pool is no reason not to. */
    @ParameterizedTest
    @EnumSource(names = {"PREFER", "PACK"})
    void oneDomainIsSearchedForAmongTrustedNodes(Policy policy) {
        oneDomainIsTakenWhereOnlyASearchFindsThatItHoldsAll(policy);
        capacity.put(
                new Node(
                        "c1",
                        1,
                        new TreeMap<>(),
                        List.of(),
                        false,
                        true,
                        cpu(1),
                        0,
                        Node.Notes.NONE,
                        Node.Trust.SUSPECT,
                        false));
        assertThat(fit(policy, part("x", 3, 3), part("y", 2, 2)))
                .containsExactly("a1", "a2", "a2", "a1", "a1");
    }

    @Test
    void packGoesOutsideOfTheDomainsLast() {
        node("a1", "a", 2);
        node("z", null, 3);
        assertThat(fit(Policy.PACK, workers(2, 1))).containsExactly("a1", "a1");
        assertThat(fit(Policy.PACK, workers(3, 1))).containsExactly("a1", "a1", "z");
    }

    @Test
    void spreadDiffersByOneAtMost() {
        node("a1", "a", 8);
        node("b1", "b", 8);
        node("c1", "c", 8);
        assertThat(fit(Policy.SPREAD, workers(5, 1))).containsExactly("a1", "a1", "b1", "b1", "c1");
    }

    @Test
    void spreadGoesOnWhereThereIsRoom() {
        node("a1", "a", 1);
        node("b1", "b", 8);
        node("c1", "c", 2);
        node("z", null, 8);
        assertThat(fit(Policy.SPREAD, workers(7, 1)))
                .containsExactly("a1", "b1", "b1", "b1", "b1", "c1", "c1");
        assertThat(fit(Policy.SPREAD, workers(12, 1))).endsWith("c1", "z").hasSize(12);
    }

    @Test
    void spreadCountsTheWholeGang() {
        node("a1", "a", 8);
        node("b1", "b", 8);
        var master = Apart.part("master", 0, 1, cpu(1), NodeFilter.ANY, false);
        assertThat(fit(Policy.SPREAD, master, workers(3, 1)))
                .containsExactly("a1", "a1", "b1", "b1");
    }

    @Test
    void spreadWithoutAKeyIsOverNodes() {
        node("a1", "a", 8);
        node("a2", "a", 8);
        node("a3", "a", 8);
        assertThat(place(Policy.SPREAD, null, workers(4, 1)))
                .containsExactly("a1", "a1", "a2", "a3");
    }

    @Test
    void ranksAreNeighboursWhereNodesAre() {
        node("n1", "b", 1);
        node("n2", "a", 1);
        node("n3", "b", 1);
        node("n4", "a", 1);
        node("n0", null, 1);
        assertThat(fit(Policy.PREFER, workers(5, 1))).containsExactly("n2", "n4", "n1", "n3", "n0");
    }

    @Test
    void onlyRequireKeepsAGangFromStarting() {
        node("z", null, 4);
        for (var policy : List.of(Policy.NONE, Policy.PREFER, Policy.PACK, Policy.SPREAD)) {
            assertThat(fit(policy, workers(4, 1))).containsExactly("z", "z", "z", "z");
        }
        assertThat(capacity.fits(shape(Policy.REQUIRE, ZONE, workers(4, 1)))).isFalse();
    }

    @Test
    void nodeThatMovesTakesItsRoomAlong() {
        node("a1", "a", 4);
        node("b1", "b", 4);
        assertThat(capacity.fits(shape(Policy.REQUIRE, ZONE, workers(8, 1)))).isFalse();
        node("b1", "a", 4);
        assertThat(capacity.fits(shape(Policy.REQUIRE, ZONE, workers(8, 1)))).isTrue();
    }

    private void node(String name, @Nullable String zone, long cores) {
        var labels = new TreeMap<String, String>();
        if (zone != null) {
            labels.put(ZONE, zone);
        }
        var amounts = Amounts.of(Map.of("cpu", cores * 1000, "pods", 110L));
        capacity.put(new Node(name, 1, labels, List.of(), false, true, amounts, 0));
    }

    private static Shape.Part workers(int pods, long cores) {
        return part("worker", pods, cores);
    }

    private static Shape.Part part(String role, int pods, long cores) {
        return Apart.part(role, 0, pods, cpu(cores), NodeFilter.ANY, false);
    }

    private static Shape shape(Policy policy, @Nullable String key, Shape.Part... parts) {
        return new Shape(List.of(parts), new Topology(policy, key));
    }

    private List<String> fit(Policy policy, Shape.Part... parts) {
        return place(policy, ZONE, parts);
    }

    /** The nodes of the pods, in the order of their ranks. */
    private List<String> place(Policy policy, @Nullable String key, Shape.Part... parts) {
        var placed = (Placed) capacity.fit(shape(policy, key, parts));
        return placed.pods().stream().map(Fit.Placement::node).toList();
    }
}
