package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many pods of a job there may be, where all of them together have a limit. */
class ResourceLimitsTest {
    /** A master of two cores and workers of one, so many of which are wished of 2 to 8. */
    private static JobSpec.Work limited(int wished, long cores) {
        var spec = Fixtures.spec("default", role("master", 1, 2), role("worker", wished, 1));
        var limits = Amounts.of(Map.of("cpu", cores * 1000));
        return Fixtures.limited(limits, ElasticJobs.elastic(2, 8, spec)).work();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 20, 4, 8",
        "4, 7, 4, 5",
        "4, 6, 4, 4",
        "4, 5, 3, 3",
        "4, 3, 2, 2",
        "4, 1, 2, 2"
    })
    void elasticRoleHasWhatTheOthersLeaveAndItsLeastInAnyCase(
            int wished, long cores, int most, int mostEver) {
        var work = limited(wished, cores);
        assertThat(ResourceLimits.most(work, work.role("worker"))).isEqualTo(most);
        var elastic = Objects.requireNonNull(work.elastic());
        assertThat(ResourceLimits.most(work, elastic)).isEqualTo(mostEver);
    }

    @Test
    void whereOthersHaveMoreThanANumberSaysTheElasticRoleHasItsLeast() {
        var all = Amounts.of(Map.of("cpu", Long.MAX_VALUE));
        var others = role("ps", 3, all, NodeFilter.ANY);
        var spec = Fixtures.spec("default", others, role("worker", 4, 1));
        var limits = Amounts.of(Map.of("cpu", 20_000L));
        var work = Fixtures.limited(limits, ElasticJobs.elastic(2, 8, spec)).work();
        assertThat(ResourceLimits.most(work, work.role("worker"))).isEqualTo(2);
        assertThat(ResourceLimits.passed(work, "worker", 4))
                .isEqualTo(new ResourceLimits.Passed("cpu", Long.MAX_VALUE, 20_000));
    }

    @Test
    void otherRolesHaveTheirSizeWhateverTheLimitIs() {
        var work = limited(4, 1);
        assertThat(ResourceLimits.most(work, work.role("master"))).isEqualTo(1);
        assertThat(ResourceLimits.allow(work, work.role("master"), 1, 1)).isTrue();
    }

    /** Those that leave count until they are gone, except beside no more than the least. */
    @ParameterizedTest
    @CsvSource({
        "4, 0, true",
        "4, 1, true",
        "4, 2, false",
        "3, 2, true",
        "2, 9, true",
        "9, 0, true"
    })
    void whoLeavesCountsBesideThoseThatStay(int pods, int leaving, boolean isAllowed) {
        var work = limited(4, 7);
        assertThat(ResourceLimits.allow(work, work.role("worker"), pods, leaving))
                .isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @CsvSource({"5, ", "6, 8000"})
    void sizeThatPassesALimitSaysByWhat(int replicas, @Nullable Long needs) {
        var passed = ResourceLimits.passed(limited(4, 7), "worker", replicas);
        assertThat(passed)
                .isEqualTo(needs == null ? null : new ResourceLimits.Passed("cpu", needs, 7000));
    }

    @Test
    void whatIsNotLimitedIsNotCounted() {
        var work = limited(4, 7);
        var other = Fixtures.role("worker", 4, cpu(0), NodeFilter.ANY);
        assertThat(ResourceLimits.most(work, other)).isEqualTo(4);
    }
}
