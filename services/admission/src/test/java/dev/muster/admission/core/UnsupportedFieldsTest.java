package dev.muster.admission.core;

import static dev.muster.admission.core.Jobs.failure;
import static dev.muster.admission.core.Jobs.role;
import static dev.muster.admission.core.Jobs.special;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.ExitCodes;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Framework;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the form has and nobody does yet. */
class UnsupportedFieldsTest {
    @ParameterizedTest
    @MethodSource
    void whatNobodyDoesYetIsRefusedNotIgnored(Consumer<Jobs> change, String path) {
        assertThat(problems(Jobs.with(change)))
                .filteredOn(problem -> problem.message().contains("not supported by this release"))
                .extracting(Problem::path)
                .containsExactly(path);
    }

    static Stream<Arguments> whatNobodyDoesYetIsRefusedNotIgnored() {
        return Stream.of(later("dlrover", j -> j.framework = Framework.DLROVER, "spec.framework"));
    }

    @Test
    void restartInPlaceIsTaken() {
        var failure = failure(rule(FailureAction.RESTART_IN_PLACE));
        assertThat(problems(Jobs.with(j -> j.failure = failure))).isEmpty();
    }

    @Test
    void failurePolicyIsTakenWithCriticalIndices() {
        var failure = failure(rule(FailureAction.RESTART_POD), rule(FailureAction.RESTART_ROLE, 3));
        var worker = special(role("worker", 2), 0, false, failure, List.of(0));
        assertThat(problems(Jobs.with(j -> j.roles = List.of(worker))))
                .extracting(Problem::path)
                .containsExactly("spec.roles[0].failure.rules[1]");
    }

    private static FailureRule rule(FailureAction action, int... codes) {
        var ranges = IntStream.of(codes).mapToObj(code -> new ExitCodes(code, code)).toList();
        return new FailureRule(ranges, List.of(), null, action, "", null, null);
    }

    private static Arguments later(String name, Consumer<Jobs> change, String path) {
        return argumentSet(name, change, path);
    }

    private static Consumer<Jobs> roles(TrainJob.Role... roles) {
        return j -> j.roles = List.of(roles);
    }

    private static List<Problem> problems(TrainJob job) {
        return Validation.examine(job, 1000).problems();
    }
}
