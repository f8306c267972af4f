package dev.muster.coordinator.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.Tally.OfRole;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How many ranks of a job are in which state, and what that makes of the job. */
class TallyTest {
    private static final OfRole TWO = OfRole.none("worker", 2, 2);

    @ParameterizedTest
    @CsvSource({
        "ORDERED, 0, 0, 0, 0, 0",
        "PENDING, 1, 0, 0, 0, 0",
        "RUNNING, 1, 1, 1, 0, 0",
        "SUCCEEDED, 1, 0, 0, 1, 0",
        "FAILED, 1, 0, 0, 0, 1",
        "RETURNING, 1, 0, 0, 0, 0",
        "IGNORED, 1, 0, 0, 0, 1"
    })
    void rankCountsByItsState(
            RankState state, int created, int running, int ready, int succeeded, int failed) {
        int ignored = state == RankState.IGNORED ? 1 : 0;
        assertThat(TWO.plus(state, true, 1))
                .isEqualTo(
                        new OfRole(
                                "worker", 2, 2, created, running, ready, succeeded, failed, ignored,
                                2));
    }

    @ParameterizedTest
    @EnumSource
    void whatNoLongerIsSoIsTakenBack(RankState state) {
        assertThat(TWO.plus(state, true, 1).plus(state, true, -1)).isEqualTo(TWO);
        assertThat(TWO.plus(state, false, 1).ready()).isZero();
    }

    @Test
    void whatEndedWellOrDoesNotCountIsFine() {
        var role =
                TWO.plus(RankState.RUNNING, false, 1)
                        .plus(RankState.SUCCEEDED, false, 1)
                        .plus(RankState.IGNORED, false, 1)
                        .plus(RankState.FAILED, false, 1);
        assertThat(role.fine()).isEqualTo(3);
        assertThat(role.fineAndReady()).isEqualTo(2);
        assertThat(new Tally(List.of(role)).runs()).isTrue();
        assertThat(new Tally(List.of(TWO.plus(RankState.RUNNING, true, 1))).runs()).isFalse();
    }

    @Test
    void roleHasSucceededOnceAllHaveWhoAreAwaitedAndOneHas() {
        var one = TWO.plus(RankState.SUCCEEDED, false, 1);
        assertThat(one.hasSucceeded()).isFalse();
        assertThat(one.awaiting(1).hasSucceeded()).isTrue();
        assertThat(one.plus(RankState.IGNORED, false, 1).hasSucceeded()).isTrue();
        assertThat(OfRole.none("later", 0, 0).hasSucceeded()).isFalse();
        assertThat(one.awaiting(2)).isEqualTo(one);
    }

    @Test
    void jobSucceedsAsItWants() {
        var done = TWO.plus(RankState.SUCCEEDED, false, 1).awaiting(1);
        var ignored = OfRole.none("other", 1, 1).plus(RankState.IGNORED, false, 1);
        var runs = OfRole.none("other", 1, 1).plus(RankState.RUNNING, true, 1);
        assertThat(new Tally(List.of(done, ignored)).satisfies(new Success.All())).isTrue();
        assertThat(new Tally(List.of(done, runs)).satisfies(new Success.All())).isFalse();
        assertThat(new Tally(List.of(done, runs)).satisfies(new Success.Any())).isTrue();
        assertThat(new Tally(List.of(done, runs)).satisfies(of("worker"))).isTrue();
        assertThat(new Tally(List.of(done, runs)).satisfies(of("other"))).isFalse();
        var nobody = new Tally(List.of(ignored));
        assertThat(nobody.satisfies(new Success.All())).isFalse();
        assertThat(nobody.satisfies(new Success.Any())).isFalse();
        assertThat(nobody.satisfies(of("other"))).isFalse();
    }

    private static Success of(String role) {
        return new Success.OfRole(role);
    }
}
