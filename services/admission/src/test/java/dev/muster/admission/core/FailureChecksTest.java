package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.admission.core.TrainJob.ExitCodes;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.NodeLostPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureChecksTest {
    private static final FailureRule ALL = rule(null, List.of());

    @ParameterizedTest
    @MethodSource
    void ruleThatCanNeverMatchIsTold(List<FailureRule> rules, List<String> paths) {
        assertThat(problems(rules.toArray(FailureRule[]::new)))
                .extracting(Problem::path)
                .containsExactlyElementsOf(paths);
    }

    static Stream<Arguments> ruleThatCanNeverMatchIsTold() {
        var low = rule(null, List.of(), codes(0, 100));
        var high = rule(null, List.of(), codes(101, 255));
        var worker = rule("worker", List.of(), codes(42, 42));
        var killed = rule(null, List.of("OOMKilled", "Evicted"));
        var one = "f.rules[1]";
        var two = "f.rules[2]";
        return Stream.of(
                argumentSet("alone", List.of(ALL), List.of()),
                argumentSet("after one that takes all", List.of(ALL, low), List.of(one)),
                argumentSet("twice the same", List.of(low, low), List.of(one)),
                argumentSet("within an earlier range", List.of(low, worker), List.of(one)),
                argumentSet("before a wider one", List.of(worker, low), List.of()),
                argumentSet("after one of another role", List.of(worker, low, high), List.of()),
                argumentSet(
                        "within two earlier ranges together",
                        List.of(low, high, rule(null, List.of(), codes(90, 110))),
                        List.of(two)),
                argumentSet("any failure after all codes", List.of(low, high, ALL), List.of()),
                argumentSet(
                        "a reason of several",
                        List.of(killed, rule(null, List.of("Evicted"))),
                        List.of(one)),
                argumentSet(
                        "more reasons than before",
                        List.of(rule(null, List.of("Evicted")), killed),
                        List.of()),
                argumentSet("any reason after one", List.of(killed, low), List.of()),
                argumentSet(
                        "reasons that rules before name one by one",
                        List.of(
                                rule(null, List.of("OOMKilled")),
                                rule(null, List.of("Evicted")),
                                killed),
                        List.of(two)),
                argumentSet(
                        "roles that rules before name one by one",
                        List.of(rule("master", List.of()), rule("worker", List.of()), ALL),
                        List.of(two)),
                argumentSet("one role of two", List.of(rule("master", List.of()), ALL), List.of()),
                argumentSet(
                        "codes that one takes by role and another by reason",
                        List.of(
                                rule("worker", List.of(), codes(0, 9)),
                                rule(null, List.of("Error"), codes(10, 19)),
                                rule("worker", List.of("Error"), codes(5, 15))),
                        List.of(two)),
                argumentSet(
                        "another reason of theirs",
                        List.of(
                                rule("worker", List.of(), codes(0, 9)),
                                rule(null, List.of("Error"), codes(10, 19)),
                                rule("worker", List.of("Error", "OOMKilled"), codes(5, 15))),
                        List.of()),
                argumentSet(
                        "another word for the same",
                        List.of(
                                rule(null, List.of("ImagePullBackOff")),
                                rule(null, List.of("RegistryUnavailable", "ErrImagePull"))),
                        List.of(one)));
    }

    /** An init container that runs out of memory grows none. */
    @Test
    void ruleAfterOneByWhichMemoryGrowsMatchesInitContainers() {
        var grow =
                new FailureRule(
                        List.of(),
                        List.of("OOMKilled"),
                        null,
                        FailureAction.GROW_MEMORY,
                        "",
                        null,
                        null);
        var killed = rule(null, List.of("OOMKilled"));
        assertThat(problems(grow, killed)).isEmpty();
        assertThat(problems(grow, rule(null, List.of("OOMKilled"), codes(137, 137))))
                .extracting(Problem::path)
                .containsExactly("f.rules[1]");
        assertThat(problems(killed, grow)).extracting(Problem::path).containsExactly("f.rules[1]");
    }

    @Test
    void manyRulesAreCheckedInNoTime() {
        var rules = new ArrayList<FailureRule>();
        for (int i = 0; i < 4_000; i++) {
            rules.add(rule(i % 2 == 0 ? null : "worker", List.of("Reason" + i)));
        }
        assertThat(problems(rules.toArray(FailureRule[]::new))).isEmpty();
    }

    @Test
    void valuesOutsideTheirRangeAreTold() {
        var wrong =
                new FailureRule(
                        List.of(new ExitCodes(-1, 5), new ExitCodes(9, 8), new ExitCodes(0, 256)),
                        List.of(),
                        "ps",
                        FailureAction.UNKNOWN,
                        "",
                        1000,
                        "lots");
        assertThat(problems(wrong))
                .extracting(Problem::path)
                .containsExactly(
                        "f.rules[0].action",
                        "f.rules[0].exitCodes[0]",
                        "f.rules[0].exitCodes[1]",
                        "f.rules[0].exitCodes[2]",
                        "f.rules[0].role",
                        "f.rules[0].factor",
                        "f.rules[0].max");
    }

    @Test
    void numbersOutsideTheirRangeAreTold() {
        var ago = Duration.ofSeconds(-1);
        var wrong =
                new Failure(-1, 1001, ago, ago, ago, ago, ago, NodeLostPolicy.UNKNOWN, List.of());
        var problems = new Problems();
        new FailureChecks(Set.of(), Set.of(), problems, new Problems()).check(wrong, "f");
        assertThat(problems.all())
                .extracting(Problem::path)
                .containsExactly(
                        "f.backoffLimit",
                        "f.infrastructureLimit",
                        "f.window",
                        "f.delay.initial",
                        "f.delay.max",
                        "f.settle",
                        "f.nodeLost.after",
                        "f.nodeLost.policy");
    }

    @Test
    void fieldThatItsActionDoesNotLookAtIsRefused() {
        var restart =
                new FailureRule(
                        List.of(), List.of(), null, FailureAction.RESTART_GANG, "why", 1500, "1Gi");
        assertThat(problems(restart))
                .containsExactly(
                        new Problem(
                                "f.rules[0].factor",
                                "1500",
                                "has an effect with action GrowMemory alone"),
                        new Problem(
                                "f.rules[0].max",
                                "1Gi",
                                "has an effect with action GrowMemory alone"),
                        new Problem(
                                "f.rules[0].message",
                                "why",
                                "has an effect with action Fail alone"));
        var grow =
                new FailureRule(
                        List.of(), List.of(), null, FailureAction.GROW_MEMORY, "", 1500, "1Gi");
        var fail =
                new FailureRule(
                        List.of(), List.of("Error"), null, FailureAction.FAIL, "why", null, null);
        assertThat(problems(fail, grow)).isEmpty();
    }

    /** Where no bound is given there is none: 0 would mean that, too. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "0Gi", "0.0", "-0"})
    void memoryThatMayNotGrowIsTold(String max) {
        var grow =
                new FailureRule(
                        List.of(), List.of(), null, FailureAction.GROW_MEMORY, "", 1500, max);
        assertThat(problems(grow))
                .containsExactly(new Problem("f.rules[0].max", max, "must be more than 0"));
    }

    @Test
    void reasonThatNobodyKnowsIsWarnedOf() {
        var warnings = new Problems();
        var rules = Jobs.failure(rule(null, List.of("OOMKiled", "Evicted")));
        new FailureChecks(Set.of(), Set.of(), new Problems(), warnings).check(rules, "f");
        assertThat(warnings.all())
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.path()).isEqualTo("f.rules[0].reasons[0]");
                    assertThat(warning.given()).isEqualTo("OOMKiled");
                    assertThat(warning.message()).contains("OOMKilled");
                });
    }

    private static List<Problem> problems(FailureRule... rules) {
        var problems = new Problems();
        var roles = new TreeSet<>(List.of("master", "worker"));
        new FailureChecks(roles, roles, problems, new Problems()).check(Jobs.failure(rules), "f");
        return problems.all();
    }

    private static FailureRule rule(
            @Nullable String role, List<String> reasons, ExitCodes... codes) {
        return new FailureRule(
                List.of(codes), reasons, role, FailureAction.RESTART_GANG, "", null, null);
    }

    private static ExitCodes codes(int first, int last) {
        return new ExitCodes(first, last);
    }
}
