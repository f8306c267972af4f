package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.queue.Line;
import org.junit.jupiter.api.Test;

class JobIndexTest {
    private static final JobSpec.Role SPOT = SpotPods.spot(1, role("worker", 1, 1));

    private final Tables tables = new Tables(new Journal());

    @Test
    void jobsOfAQueueFollowEachOtherAsTheyCame() {
        var first = submitted("x", 3, "a");
        var other = submitted("y", 4, "b");
        var second = submitted("z", 5, "a");
        assertThat(tables.after("a", 0)).isEqualTo(first);
        assertThat(tables.after("a", 3)).isEqualTo(second);
        assertThat(tables.after("a", 5)).isNull();
        assertThat(tables.after(null, 3)).isEqualTo(other);
    }

    @Test
    void jobThatIsForgottenIsNoneOfItsQueue() {
        var first = submitted("x", 3, "a");
        var second = submitted("z", 5, "a");
        tables.remove(first);
        assertThat(tables.after("a", 0)).isEqualTo(second);
        tables.remove(second);
        assertThat(tables.after("a", 0)).isNull();
    }

    @Test
    void jobThatMovesIsFoundInItsNewQueueAlone() {
        var before = submitted("x", 3, "a");
        var moved = before.with(one("b"));
        tables.restore(moved);
        assertThat(tables.after("a", 0)).isNull();
        assertThat(tables.after("b", 0)).isEqualTo(moved);
    }

    @Test
    void otherSpotNodesAreNoMatterOfJobsWithoutSpotPods() {
        var plain = waiting("x", 3, one("a"));
        var makeup = tables.makeup(plain);
        var line = tables.backlog.lineOf(plain, makeup);
        tables.put(Settings.NONE.named("default", SpotPods.pool(PoolSpec.PLAIN)));
        assertThat(tables.makeup(plain)).isSameAs(makeup);
        assertThat(tables.backlog.lineOf(plain, makeup)).isNotNull().isSameAs(line);
    }

    @Test
    void jobsWithSpotPodsWaitForOtherSpotNodes() {
        var first = waiting("x", 3, spec("a", SPOT));
        var second = waiting("z", 5, spec("a", SPOT));
        tables.put(Settings.NONE.named("default", SpotPods.pool(PoolSpec.PLAIN)));
        var filter = tables.makeup(second).start().parts().getFirst().filter();
        assertThat(filter.selector()).isEqualTo(SpotPods.SPOT.selector());
        var line = tables.backlog.lineOf(second, tables.makeup(second));
        assertThat(line).isNotNull().returns(2, Line::size).returns(first.id(), Line::head);
        assertThat(tables.backlog.size("a")).isEqualTo(2);
    }

    @Test
    void jobThatHasSpotPodsNoMoreIsNoMatterOfThem() {
        var before = waiting("x", 3, spec("a", SPOT));
        var plain = before.with(one("a"));
        tables.restore(plain);
        var makeup = tables.makeup(plain);
        tables.put(Settings.NONE.named("default", SpotPods.pool(PoolSpec.PLAIN)));
        assertThat(tables.makeup(plain)).isSameAs(makeup);
        tables.remove(plain);
        tables.put(Settings.NONE.named("default", PoolSpec.PLAIN));
        assertThat(tables.backlog.size("a")).isZero();
    }

    private Job submitted(String name, long tick, String queue) {
        var job = Job.submitted(job(name, tick), one(queue), new Clock(NOON, tick, null));
        tables.restore(job);
        return job;
    }

    private Job waiting(String name, long tick, JobSpec spec) {
        var job = Job.submitted(job(name, tick), spec, new Clock(NOON, tick, null));
        var queued = new JobState.Queued(0, new JobState.Gate.Open(), null);
        var waiting = job.to(queued, job.times());
        tables.restore(waiting);
        return waiting;
    }
}
