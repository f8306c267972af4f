package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.model.JobSpec.Work;
import dev.muster.coordinator.core.model.PoolSpec.Spot;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Equal works are kept once, for as long as a job has them. */
class SharedWorksTest {
    private final SharedWorks works = new SharedWorks();
    private final Work work = workers(2, 1).work();

    private GangRequirements take() {
        return works.take(workers(2, 1).work(), Spot.NONE, new TreeMap<>());
    }

    @Test
    void jobsOfEqualWorkShareOneMakeup() {
        var first = take();
        assertThat(take()).isSameAs(first);
        assertThat(works.of(work)).isSameAs(first);
        assertThat(works.take(workers(3, 1).work(), Spot.NONE, new TreeMap<>())).isNotSameAs(first);
    }

    @Test
    void workIsKeptUntilTheLastJobThatHasItIsGone() {
        var makeup = take();
        take();
        works.release(makeup);
        assertThat(works.of(work)).isSameAs(makeup);
        works.release(makeup);
        assertThatThrownBy(() -> works.of(work)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void jobsAreCountedOnWhereSpotNodesAreOthers() {
        var makeup = takeOnSpot();
        takeOnSpot();
        works.changed(SpotPods.SPOT);
        assertThat(works.now(makeup)).isNotSameAs(makeup);
        works.release(makeup);
        assertThat(works.now(makeup)).isNotNull();
        works.release(makeup);
        assertThatThrownBy(() -> works.now(makeup)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void workOfWhichNobodyIsLeftIsNoMatterOfOtherSpotNodes() {
        var makeup = takeOnSpot();
        works.release(makeup);
        works.changed(SpotPods.SPOT);
        assertThatThrownBy(() -> works.now(makeup)).isInstanceOf(IllegalStateException.class);
    }

    private GangRequirements takeOnSpot() {
        var work = spec("default", SpotPods.spot(1, role("worker", 2, 1))).work();
        return works.take(work, Spot.NONE, new TreeMap<>());
    }
}
