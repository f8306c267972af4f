package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.failure;
import static dev.muster.admission.core.Jobs.role;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.TrainJob.ExitCodes;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A role's own failure policy replaces the job's: what no rule can do then is told. */
class RoleFailureTest {
    private static final Failure NO_RULES = failure();

    @Test
    void ruleOfTheJobForARoleWithAPolicyOfItsOwnCanNeverMatch() {
        assertThat(examined(failure(on42("worker")), null, NO_RULES).problems())
                .containsExactly(
                        new Problem(
                                "spec.failure.rules[0].role",
                                "worker",
                                "must be one of the roles that these rules are for, which are"
                                        + " master: a role with a failure of its own has its own"
                                        + " rules alone"));
    }

    @Test
    void ruleOfARoleForAnotherCanNeverMatch() {
        assertThat(examined(null, null, failure(on42("master"))).problems())
                .extracting(Problem::path)
                .containsExactly("spec.roles[1].failure.rules[0].role");
    }

    @Test
    void ruleOfTheJobCanNeverMatchWhereEachRoleHasAPolicyOfItsOwn() {
        assertThat(examined(failure(on42(null)), NO_RULES, NO_RULES).problems())
                .containsExactly(
                        new Problem(
                                "spec.failure.rules[0]",
                                "",
                                "can never match, since each role has a failure of its own"));
    }

    @Test
    void ruleThatTakesAllOfARoleTakesAllThatItsOwnPolicyIsFor() {
        assertThat(examined(null, null, failure(on42("worker"), on42(null))).problems())
                .extracting(Problem::path)
                .containsExactly("spec.roles[1].failure.rules[1]");
        assertThat(examined(failure(on42("master"), on42(null)), null, NO_RULES).problems())
                .extracting(Problem::path)
                .containsExactly("spec.failure.rules[1]");
        assertThat(examined(failure(on42("master"), on42(null)), null, null).problems()).isEmpty();
    }

    @Test
    void roleWhosePolicyHasNoRulesIsToldThatItHasNoneOfTheJobs() {
        var examined = examined(failure(on42(null)), null, NO_RULES);
        assertThat(examined.problems()).isEmpty();
        assertThat(examined.warnings())
                .containsExactly(
                        new Problem(
                                "spec.roles[1].failure",
                                "",
                                "replaces spec.failure as a whole for role worker, which so has"
                                        + " none of its rules"));
        assertThat(examined(failure(on42(null)), null, failure(on42("worker"))).warnings())
                .isEmpty();
        assertThat(examined(failure(on42("master")), null, NO_RULES).warnings()).isEmpty();
        assertThat(examined(null, null, NO_RULES).warnings()).isEmpty();
    }

    private static Examined examined(
            @Nullable Failure job, @Nullable Failure master, @Nullable Failure worker) {
        return Validation.examine(
                Jobs.with(spec -> {
                    spec.failure = job;
                    spec.roles =
                            List.of(
                                    Jobs.special(role("master", 1), 0, false, master, List.of()),
                                    Jobs.special(role("worker", 2), 0, false, worker, List.of()));
                }),
                1000);
    }

    private static FailureRule on42(@Nullable String role) {
        return new FailureRule(
                List.of(new ExitCodes(42, 42)),
                List.of(),
                role,
                FailureAction.FAIL,
                "",
                null,
                null);
    }
}
