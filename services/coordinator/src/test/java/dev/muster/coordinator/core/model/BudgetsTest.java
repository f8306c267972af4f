package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Budgets.Silences;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How often a job may still be restarted. */
class BudgetsTest {
    private static final FailurePolicy.Limits FOR_LIFE =
            new FailurePolicy.Limits(2, 1, Duration.ZERO);
    private static final FailurePolicy.Limits IN_A_MINUTE =
            new FailurePolicy.Limits(2, 1, Duration.ofMinutes(1));

    private static Budgets charged(
            Budgets budgets, FailurePolicy.Limits limits, boolean byInfrastructure, Instant now) {
        return Objects.requireNonNull(budgets.charged(Budgets.JOB, limits, byInfrastructure, now));
    }

    @Test
    void ownFaultsAndTheClustersHaveALimitEach() {
        var twice =
                charged(charged(Budgets.UNTOUCHED, FOR_LIFE, false, NOON), FOR_LIFE, false, NOON);
        assertThat(twice.charged(Budgets.JOB, FOR_LIFE, false, NOON)).isNull();
        var all = charged(twice, FOR_LIFE, true, NOON);
        assertThat(all.charged(Budgets.JOB, FOR_LIFE, true, NOON)).isNull();
        assertThat(List.of(all.own(), all.infrastructure(), all.all())).containsExactly(2, 1, 3);
        assertThat(all.inARow()).isEqualTo(3);
        assertThat(all.rested().inARow()).isZero();
    }

    @Test
    void roleWithAPolicyOfItsOwnHasABudgetOfItsOwn() {
        var job = charged(Budgets.UNTOUCHED, FOR_LIFE, true, NOON);
        var both = Objects.requireNonNull(job.charged("worker", FOR_LIFE, true, NOON));
        assertThat(both.of("worker").infrastructure()).isEqualTo(1);
        assertThat(both.of("other").infrastructure()).isZero();
        assertThat(both.infrastructure()).isEqualTo(2);
    }

    @Test
    void withinAWindowWhatIsOlderCountsNoMore() {
        var once = charged(Budgets.UNTOUCHED, IN_A_MINUTE, true, NOON);
        var before = NOON.plusSeconds(60).minusMillis(1);
        assertThat(once.charged(Budgets.JOB, IN_A_MINUTE, true, before)).isNull();
        assertThat(once.of(Budgets.JOB).within(IN_A_MINUTE, true, before)).isEqualTo(1);
        assertThat(once.of(Budgets.JOB).within(IN_A_MINUTE, false, before)).isZero();
        var after = NOON.plusSeconds(60);
        var twice = charged(once, IN_A_MINUTE, true, after);
        assertThat(twice.infrastructure()).isEqualTo(2);
        assertThat(twice.of(Budgets.JOB).infrastructureAt()).containsExactly(after);
    }

    @Test
    void timesAreKeptOnlyWhereAWindowMayAskForThem() {
        var once = charged(Budgets.UNTOUCHED, FOR_LIFE, false, NOON);
        assertThat(once.of(Budgets.JOB).ownAt()).isEmpty();
        assertThat(charged(Budgets.UNTOUCHED, IN_A_MINUTE, false, NOON).of(Budgets.JOB).ownAt())
                .containsExactly(NOON);
    }

    @Test
    void delayCountsLikeARestartThatNobodyIsChargedFor() {
        var later = NOON.plusSeconds(9);
        var delayed = Budgets.UNTOUCHED.delayed(later);
        assertThat(delayed.inARow()).isEqualTo(1);
        assertThat(delayed.until()).isEqualTo(later);
        assertThat(delayed.all()).isZero();
        assertThat(Budgets.UNTOUCHED.until(later).inARow()).isZero();
    }

    @Test
    void delayThatGoesOnIsOverNoSoonerForAnother() {
        var later = NOON.plusSeconds(9);
        var delayed = Budgets.UNTOUCHED.until(later);
        assertThat(charged(delayed, FOR_LIFE, false, NOON).until()).isEqualTo(later);
        assertThat(delayed.delayed(NOON).until()).isEqualTo(later);
        assertThat(delayed.until(NOON).until()).isEqualTo(later);
    }

    @Test
    void delayForWhichNobodyWaitsAnyMoreIsOver() {
        var later = NOON.plusSeconds(9);
        var delayed = Budgets.UNTOUCHED.until(later);
        assertThat(delayed.notBeyond(NOON).until()).isEqualTo(NOON);
        assertThat(delayed.notBeyond(later.plusSeconds(1)).until()).isEqualTo(later);
        assertThat(Budgets.UNTOUCHED.notBeyond(NOON).until()).isNull();
    }

    @Test
    void silenceOfANodeIsChargedOnceInAnAttemptUntilItIsHeardOf() {
        var silent = Budgets.UNTOUCHED.silent(1, "node-1").silent(1, "node-0");
        assertThat(silent.silences())
                .isEqualTo(new Silences(1, new TreeSet<>(List.of("node-0", "node-1"))));
        assertThat(silent.isCharged(1, "node-0")).isTrue();
        assertThat(silent.isCharged(2, "node-0")).isFalse();
        assertThat(silent.isCharged(1, "node-2")).isFalse();
        assertThat(silent.heard("node-2")).isSameAs(silent);
        var one = silent.heard("node-0");
        assertThat(one.isCharged(1, "node-0")).isFalse();
        assertThat(one.isCharged(1, "node-1")).isTrue();
        assertThat(one.heard("node-1")).isEqualTo(Budgets.UNTOUCHED);
        assertThat(silent.silent(2, "node-2").isCharged(1, "node-0")).isFalse();
    }
}
