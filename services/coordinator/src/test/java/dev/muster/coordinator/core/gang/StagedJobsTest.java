package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is tried first of the jobs whose stages are to be placed. */
class StagedJobsTest {
    private static final StagedJobs.Need LARGE = need(4, null);
    private static final StagedJobs.Need SMALL = need(1, null);

    private final StagedJobs staged = new StagedJobs();
    private final Job first = started("x", 1);
    private final Job second = started("y", 2);
    private final Job third = started("z", 3);

    @Test
    void ofThoseThatWantTheSameOnlyTheOldestIsTried() {
        staged.put(second, LARGE);
        staged.put(first, LARGE);
        staged.put(third, SMALL);
        assertThat(staged.heads(0)).containsExactly(first.id(), third.id());
        assertThat(staged.all()).containsExactly(first.id(), second.id(), third.id());
        assertThat(staged.head(second)).isEqualTo(first.id());
    }

    @Test
    void nextOfALineIsItsHeadOnceTheOldestIsGone() {
        staged.put(first, LARGE);
        staged.put(second, LARGE);
        staged.put(third, SMALL);
        staged.remove(first);
        assertThat(staged.heads(0)).containsExactly(second.id(), third.id());
        staged.put(second, null);
        assertThat(staged.heads(0)).containsExactly(third.id());
        assertThat(staged.contains(second)).isFalse();
        assertThat(staged.head(second)).isNull();
        staged.remove(third);
        assertThat(staged.all()).isEmpty();
        assertThat(staged.heads(0)).isEmpty();
    }

    @Test
    void whoIsBehindInALineKeepsItsHeadWhenItGoes() {
        staged.put(first, LARGE);
        staged.put(second, LARGE);
        staged.remove(second);
        assertThat(staged.heads(0)).containsExactly(first.id());
    }

    @Test
    void headsBeforeATicketAreLeftOut() {
        staged.put(first, LARGE);
        staged.put(third, SMALL);
        assertThat(staged.heads(2)).containsExactly(third.id());
        assertThat(staged.heads(3)).containsExactly(third.id());
        assertThat(staged.heads(4)).isEmpty();
    }

    @Test
    void jobForWhichItMattersWhereItsOtherPodsAreStandsAlone() {
        staged.put(first, need(4, first));
        staged.put(second, need(4, second));
        assertThat(staged.heads(0)).containsExactly(first.id(), second.id());
    }

    @Test
    void onlyWhoWantsSomethingElseThanBeforeHasCome() {
        staged.put(first, LARGE);
        long came = staged.came();
        staged.put(first, need(4, null));
        assertThat(staged.came()).isEqualTo(came);
        staged.put(first, SMALL);
        assertThat(staged.came()).isGreaterThan(came);
        assertThat(staged.heads(0)).containsExactly(first.id());
    }

    private static StagedJobs.Need need(long cores, @Nullable Job alone) {
        return new StagedJobs.Need(
                "default",
                "ml",
                Topology.NONE,
                List.of(role("train", 2, cores)),
                List.of(2),
                alone == null ? null : alone.id());
    }

    private static Job started(String name, long tick) {
        return Job.submitted(job(name, tick), one("default"), new Clock(NOON, tick, null));
    }
}
