package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShortfallTest {
    private static final NodeFilter GPU =
            NodeFilter.of(new TreeMap<>(Map.of("gpu", "yes")), List.of(), List.of());

    private final Capacity capacity = new Capacity();

    @Test
    void sayWhatIsShortByHowMuchAndWhetherItCouldEverFit() {
        capacity.put(node("a", 4));
        capacity.occupy("a", cpu(2));
        var later = (Short) capacity.fit(Fixtures.shape(workers(3, 1)));
        assertThat(later.code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(later.scope()).isEqualTo("cpu");
        assertThat(later.message()).isEqualTo("needs 3 of cpu, 2 are free");
        assertThat(later.remedy()).isEqualTo("1 more of cpu free");
        assertThat(later.never()).isFalse();
        var never = (Short) capacity.fit(Fixtures.shape(workers(5, 1)));
        assertThat(never.never()).isTrue();
        assertThat(never.remedy()).contains("empty pool");
    }

    @Test
    void roomThatIsScatteredOverNodesIsSaidToBe() {
        capacity.put(node("a", 3));
        capacity.put(node("b", 3));
        var fit = (Short) capacity.fit(Fixtures.shape(workers(3, 2)));
        assertThat(fit.scope()).isEqualTo("worker");
        assertThat(fit.shortage()).isEqualTo(new WaitReason.Shortage(3, 2));
    }

    @Test
    void nearestNodesSayWhatTheyLack() {
        capacity.put(node("a", 8));
        capacity.occupy("a", cpu(7));
        capacity.put(tainted("b", 8));
        capacity.put(node("c", 3));
        capacity.put(node("d", 2));
        capacity.put(new Node("e", 1, new TreeMap<>(), List.of(), true, true, cpu(64), 0));
        assertThat(nearest(Fixtures.shape(workers(2, 4))))
                .containsExactly("c lacks 1 of cpu", "d lacks 2 of cpu", "a lacks 3 of cpu");
        assertThat(nearest(Fixtures.shape(workers(2, 3))))
                .containsExactly(
                        "d lacks 1 of cpu",
                        "a lacks 2 of cpu",
                        "c lacks 3 of cpu for one more pod");
        capacity.removeNode("c");
        capacity.removeNode("d");
        assertThat(nearest(Fixtures.shape(workers(2, 9))))
                .containsExactly(
                        "a lacks 8 of cpu",
                        "e is cordoned",
                        "b has a taint team=ml:NoSchedule that role worker does not tolerate and lacks 1 of cpu");
    }

    @Test
    void nearestNodesOfAPickyRoleSayWhatItAsksFor() {
        capacity.put(node("a", 4));
        var picky = Fixtures.role("w", 1, cpu(1), GPU);
        assertThat(nearest(Fixtures.shape(spec("q", picky))))
                .containsExactly("a does not have the label gpu=yes that role w asks for");
    }

    @Test
    void roomIsCountedWhereTheRolesMayGo() {
        capacity.put(node("a", 4));
        capacity.put(node("b", 4));
        capacity.put(
                new Node(
                        "g",
                        1,
                        new TreeMap<>(Map.of("gpu", "yes")),
                        List.of(),
                        false,
                        true,
                        cpu(4),
                        0));
        var picky = Fixtures.role("w", 2, cpu(3), GPU);
        var alone = (Short) capacity.fit(Fixtures.shape(spec("q", picky)));
        assertThat(alone.message())
                .isEqualTo("needs 6 of cpu, 4 are free, and 2 of pods, 1 are free");
        var any = Fixtures.role("any", 3, cpu(3), NodeFilter.ANY);
        var both = (Short) capacity.fit(Fixtures.shape(spec("q", picky, any)));
        assertThat(both.message()).isEqualTo("needs 15 of cpu, 12 are free");
        var more =
                (Short)
                        capacity.fit(
                                Fixtures.shape(spec("q", picky)),
                                Extra.room(new TreeMap<>(Map.of("g", cpu(1)))));
        assertThat(more.message()).isEqualTo("needs 6 of cpu, 5 are free");
    }

    private List<String> nearest(Shape shape) {
        return ((Short) capacity.fit(shape)).nearest().stream().map(Object::toString).toList();
    }

    private static Node tainted(String name, long cores) {
        var taint = new Node.Taint("team", "ml", Node.Effect.NO_SCHEDULE);
        return new Node(name, 1, new TreeMap<>(), List.of(taint), false, true, cpu(cores), 0);
    }
}
