package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Failure.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the kubelet started again of ranks at about the same time. */
class IncidentsTest {
    private static final Incidents NONE = new Incidents(1, NOON, List.of(), 0);

    /** The n-th of each rank count together, as the cause that is least the job's fault. */
    @Test
    void nthOfEachRankAreOneFailure() {
        var two = NONE.and(0, 2, of("worker", Cause.EXIT_CODE));
        assertThat(two.strongest())
                .extracting(Failure::cause)
                .containsExactly(Cause.EXIT_CODE, Cause.EXIT_CODE);
        var more = two.and(1, 2, of("master", Cause.INFRASTRUCTURE));
        assertThat(more.strongest())
                .extracting(Failure::cause)
                .containsExactly(Cause.EXIT_CODE, Cause.INFRASTRUCTURE, Cause.INFRASTRUCTURE);
        var same = more.and(1, 1, of("third", Cause.INFRASTRUCTURE));
        assertThat(same).as("of equal ones the first").isEqualTo(more);
    }

    @Test
    void onlyWhatIsNotPaidIsCharged() {
        var two = NONE.and(0, 2, of("worker", Cause.EXIT_CODE));
        assertThat(two.unpaid()).hasSize(2);
        assertThat(two.firstPaid().unpaid()).hasSize(1);
        assertThat(two.firstPaid().firstPaid().unpaid()).hasSize(1);
        assertThat(NONE.firstPaid().unpaid()).isEmpty();
    }

    @Test
    void ofOneRankSixteenGather() {
        assertThat(NONE.takes(0, 3)).isEqualTo(3);
        assertThat(NONE.takes(15, 3)).isEqualTo(1);
        assertThat(NONE.takes(16, 3)).isZero();
        assertThat(NONE.takes(20, 3)).isZero();
    }

    private static Failure of(String role, Cause cause) {
        return new Failure(new RankId(role, 0), cause, null, "Error", "");
    }
}
