package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.placement.Apart;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShapeTest {
    @Test
    void jobsThatNeedTheSameHaveOneShape() {
        assertThat(Fixtures.shape(workers(3, 1)))
                .isEqualTo(Fixtures.shape(workers(3, 1)))
                .hasSameHashCodeAs(Fixtures.shape(workers(3, 1)))
                .isNotEqualTo(Fixtures.shape(workers(4, 1)))
                .isNotEqualTo(Fixtures.shape(workers(3, 2)));
        var packed =
                new Shape(Fixtures.shape(workers(3, 1)).parts(), new Topology(Policy.PACK, "zone"));
        assertThat(packed).isNotEqualTo(Fixtures.shape(workers(3, 1)));
        assertThat(packed.anywhere()).isEqualTo(Fixtures.shape(workers(3, 1)));
    }

    @Test
    void needsOfAllPartsAreAddedUp() {
        var master = Apart.part("master", 0, 1, cpu(2), NodeFilter.ANY, false);
        var worker = Apart.part("worker", 0, 3, cpu(1), NodeFilter.ANY, false);
        var shape = new Shape(List.of(master, worker), Topology.NONE);
        assertThat(shape.total()).isEqualTo(Amounts.of(Map.of("cpu", 5000L, "pods", 4L)));
        assertThat(shape.pods()).isEqualTo(4);
    }
}
