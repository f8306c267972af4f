package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
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

    /** Eight run, and four of them have an hour to leave. */
    private OneJob shrinks() {
        var one = new OneJob(play, a);
        one.runs(limited(cores(8), ElasticJobs.elastic("default", 2, 8, 8)));
        ask(4, new Terms(Duration.ZERO, true, Duration.ofHours(1), false));
        return one;
    }

    private void ask(int size, Terms terms) {
        play.on(
                new Event.ChangeAsked(
                        a,
                        new Change.SetReplicas("worker", size, terms),
                        new Request("ml/a", "r" + size)));
    }

    private long members() {
        return play.ranks(a).stream().filter(rank -> !rank.isLeaving()).count();
    }

    @Test
    void whoLeavesYetCountsInWhatItMayGrowTo() {
        var one = shrinks();
        ask(8, new Terms(Duration.ZERO, false, Duration.ZERO, false));
        assertThat(members()).isEqualTo(4);
        one.gone(7);
        play.restart();
        assertThat(members()).isEqualTo(5);
        for (int i = 4; i < 7; i++) {
            one.gone(i);
        }
        assertThat(members()).isEqualTo(8);
    }

    @Test
    void whatComesTogetherWaitsUntilAllOfItFitsBesideWhoLeavesYet() {
        var one = shrinks();
        ask(7, Terms.PLAIN);
        for (int i = 5; i < 8; i++) {
            assertThat(members()).isEqualTo(4);
            one.gone(i);
        }
        assertThat(members()).isEqualTo(7);
    }
}
