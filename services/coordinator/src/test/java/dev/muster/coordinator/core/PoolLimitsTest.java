package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that wish the most that they may have never grow beyond what they may use in all. */
class PoolLimitsTest {
    private final JobId a = job("a", 1);
    private final Play play = Play.withNodes(20);

    private static Amounts cores(long cores) {
        return Amounts.of(Map.of("cpu", cores * 1000));
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }

    private void starts(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        new OneJob(play, a).applied(false);
        play.pass(Jobs.PUBLISH_DELAY);
    }

    @Test
    void jobGrowsToWhatItsLimitsAllow() {
        starts(limited(cores(4), ElasticJobs.elastic("default", 2, 16, 16)));
        assertThat(play.ranks(a)).hasSize(4);
        assertThat(wished()).isEqualTo(4);
    }

    @Test
    void whatOtherRolesUseIsNotItsOwn() {
        starts(limited(cores(6), ElasticJobs.launched("default", 2, 16, 16)));
        assertThat(wished()).isEqualTo(5);
    }

    @Test
    void whatItsPodsDoNotUseBoundsNothing() {
        var limits = Amounts.of(Map.of("cpu", 7_500L, "nvidia.com/gpu", 1L));
        starts(limited(limits, ElasticJobs.elastic("default", 2, 16, 16)));
        assertThat(wished()).isEqualTo(7);
    }

    @Test
    void itWishesItsMinimumAtLeast() {
        starts(limited(cores(1), ElasticJobs.elastic("default", 2, 16, 16)));
        assertThat(wished()).isEqualTo(2);
    }

    @Test
    void whatIsWishedWithinTheLimitsStays() {
        starts(limited(cores(16), ElasticJobs.elastic("default", 2, 8, 16)));
        assertThat(wished()).isEqualTo(8);
        assertThat(play.ranks(a)).hasSize(8);
    }
}
