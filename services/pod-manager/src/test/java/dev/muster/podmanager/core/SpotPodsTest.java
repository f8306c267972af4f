package dev.muster.podmanager.core;

import static dev.muster.podmanager.core.Plans.plan;
import static dev.muster.podmanager.core.Plans.service;
import static dev.muster.podmanager.core.Plans.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Spot;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which pods of a role of four, two of them spot pods as it was submitted, ask for spot nodes. */
class SpotPodsTest {
    private static final Toleration TOLERATION =
            new TolerationBuilder().withKey("spot").withOperator("Exists").build();
    private static final Spot SPOT = new Spot(Map.of("pool", "spot"), List.of(TOLERATION));

    private final Pods pods = new Pods("test");
    private final Pods.Around around = new Pods.Around(service(1), Restarting.NONE);

    @ParameterizedTest
    @MethodSource
    void planSaysWhetherAPodIsASpotPodAndElseTheLastIndicesAre(
            int index, @Nullable Boolean said, boolean isSpot) {
        var rank = new Rank("worker", index);
        var planned = new PlannedPod(rank, 1, "node-a", null, null, false, 0, false, null, said);
        var run = run(planned);
        var spec = pods.pod(plan(1, 1, run), run, planned, around).getSpec();
        assertThat(SPOT.selector().equals(spec.getNodeSelector())).isEqualTo(isSpot);
        assertThat(spec.getTolerations().contains(TOLERATION)).isEqualTo(isSpot);
    }

    static Stream<Arguments> planSaysWhetherAPodIsASpotPodAndElseTheLastIndicesAre() {
        return Stream.of(
                argumentSet("on demand, grown", 5, false, false),
                argumentSet("on demand, by the index a spot pod", 3, false, false),
                argumentSet("spot, grown", 7, true, true),
                argumentSet("spot, by the index none", 1, true, true),
                argumentSet("not said of an early one", 1, null, false),
                argumentSet("not said of a last one", 2, null, true));
    }

    private static Run run(PlannedPod pod) {
        var role =
                new Role(
                        "worker", 4, true, template(), false, "main", 2, false, List.of(), 0, null);
        return RunBuilder.like(Plans.plain(List.of(role), pod)).spot(SPOT).build();
    }
}
