package dev.muster.coordinator.core.model;

import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Limits;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a failure is, what follows from it, and how often. */
class FailurePolicyTest {
    private static final RankId RANK = new RankId("worker", 1);
    private static final Limits TWO = new Limits(2, 1, Duration.ofHours(1));
    private static final Instant NOON = Fixtures.NOON;

    @ParameterizedTest
    @MethodSource
    void endOfAPodTellsWhoseFaultItIs(Event.Pod pod, Cause cause, String reason, String message) {
        var failure = Failure.of(RANK, pod);
        assertThat(failure.cause()).isEqualTo(cause);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure.message()).isEqualTo(message);
    }

    static Stream<Arguments> endOfAPodTellsWhoseFaultItIs() {
        var own = Cause.EXIT_CODE;
        var cluster = Cause.INFRASTRUCTURE;
        return Stream.of(
                argumentSet(
                        "its own",
                        pod(end(3, "Error", "boom"), false, ""),
                        own,
                        "Error",
                        "worker-1 exited with 3: boom"),
                argumentSet(
                        "without a reason",
                        pod(end(3, "", ""), false, ""),
                        own,
                        "Error",
                        "worker-1 exited with 3"),
                argumentSet(
                        "killed",
                        pod(end(137, "Error", ""), false, ""),
                        Cause.SIGNAL,
                        "Error",
                        "worker-1 exited with 137"),
                argumentSet(
                        "before its main container ran",
                        pod(new ContainerEnd(3, "Error", "boom", "fetch"), false, ""),
                        own,
                        "Error",
                        "init container fetch of worker-1 exited with 3: boom"),
                argumentSet(
                        "out of memory",
                        pod(end(137, "OOMKilled", ""), false, ""),
                        Cause.SIGNAL,
                        "OOMKilled",
                        "worker-1 exited with 137"),
                argumentSet(
                        "whose command does not exist",
                        pod(end(128, "StartError", "no such file"), false, ""),
                        Cause.CONFIG,
                        "StartError",
                        "worker-1 did not start: no such file"),
                argumentSet(
                        "that its runtime cannot make",
                        pod(end(127, "ContainerCannotRun", ""), false, ""),
                        Cause.CONFIG,
                        "ContainerCannotRun",
                        "worker-1 did not start: ContainerCannotRun"),
                argumentSet(
                        "evicted",
                        pod(end(137, "Error", ""), false, "Evicted"),
                        cluster,
                        "Evicted",
                        "worker-1: Evicted"),
                argumentSet(
                        "preempted by the scheduler",
                        pod(end(143, "Error", ""), false, "PreemptionByScheduler"),
                        cluster,
                        "Preempted",
                        "worker-1: PreemptionByScheduler"),
                argumentSet(
                        "shut down with its node",
                        pod(end(143, "Error", ""), false, "Terminated"),
                        cluster,
                        "NodeShutdown",
                        "worker-1: Terminated"),
                argumentSet(
                        "refused by the kubelet",
                        pod(null, false, "OutOfcpu"),
                        cluster,
                        "OutOfcpu",
                        "worker-1: OutOfcpu"),
                argumentSet(
                        "too long by its own template",
                        pod(null, false, "DeadlineExceeded"),
                        own,
                        "DeadlineExceeded",
                        "worker-1: DeadlineExceeded"),
                argumentSet(
                        "too long by its own template, and killed",
                        pod(end(143, "Error", ""), false, "DeadlineExceeded"),
                        own,
                        "DeadlineExceeded",
                        "worker-1: DeadlineExceeded"),
                argumentSet(
                        "too long by its own template, and saved",
                        pod(end(0, "Completed", ""), false, "DeadlineExceeded"),
                        own,
                        "DeadlineExceeded",
                        "worker-1: DeadlineExceeded, and it exited with 0"),
                argumentSet(
                        "too long by its own template, and deleted when it had ended",
                        pod(end(137, "Error", ""), true, "DeadlineExceeded"),
                        own,
                        "DeadlineExceeded",
                        "worker-1: DeadlineExceeded"),
                argumentSet(
                        "deleted by somebody",
                        pod(end(143, "Error", ""), true, ""),
                        cluster,
                        "PodDeleted",
                        "worker-1 was deleted by somebody else"),
                argumentSet(
                        "failed while it was deleted",
                        pod(end(1, "Error", ""), true, ""),
                        own,
                        "Error",
                        "worker-1 exited with 1"),
                argumentSet("unknown", pod(null, false, ""), own, "PodFailed", "worker-1: failed"));
    }

    @ParameterizedTest
    @CsvSource({
        "GANG, EXIT_CODE, 1, RestartGang",
        "GANG, EXIT_CODE, 127, RestartGang",
        "GANG, SIGNAL, 137, RestartGang",
        "GANG, INFRASTRUCTURE, , RestartGang",
        "GANG, CONFIG, , Fail",
        "POD, EXIT_CODE, 1, Fail",
        "POD, EXIT_CODE, 127, Fail",
        "POD, EXIT_CODE, , Fail",
        "POD, SIGNAL, 128, RestartPod",
        "POD, SIGNAL, 143, RestartPod",
        "POD, INFRASTRUCTURE, 1, RestartPod",
        "POD, CONFIG, , Fail",
    })
    void whereNoRuleSaysItTheDefaultDoes(
            Otherwise otherwise, Cause cause, @Nullable Integer exitCode, String action) {
        var failure = new Failure(RANK, cause, exitCode, "Error", "");
        assertThat(policy(otherwise).actionOn(failure).getClass().getSimpleName())
                .isEqualTo(action);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "137", "143"})
    void whereSinglePodsRestartTheirOwnDeadlineIsTheJobsEnd(int exitCode) {
        var failure = new Failure(RANK, Cause.EXIT_CODE, exitCode, "DeadlineExceeded", "");
        assertThat(policy(Otherwise.POD).actionOn(failure)).isEqualTo(new Action.Fail(""));
        assertThat(policy(Otherwise.GANG).actionOn(failure)).isEqualTo(new Action.RestartGang());
    }

    @Test
    void firstRuleThatMatchesWins() {
        var policy =
                policy(
                        Otherwise.GANG,
                        rule(List.of(new ExitCodes(42, 42), new ExitCodes(100, 110)), "master", 1),
                        rule(List.of(new ExitCodes(42, 42)), null, 2),
                        new Rule(List.of(), List.of("OOMKilled"), "worker", fail(3)));
        assertThat(policy.actionOn(exit(42))).isEqualTo(fail(2));
        assertThat(policy.actionOn(exit(105))).isEqualTo(new Action.RestartGang());
        assertThat(policy.actionOn(oom())).isEqualTo(fail(3));
        assertThat(policy.isFinal(exit(42))).isTrue();
        assertThat(policy.isFinal(exit(43))).isFalse();
    }

    @Test
    void endOfAnInitContainerMatchesNoRuleByExitCodeAndGrowsNoMemory() {
        var codes = List.of(new ExitCodes(0, 255));
        var grow = new Action.GrowMemory(1500, 0);
        var policy =
                policy(
                        Otherwise.GANG,
                        rule(codes, null, 1),
                        new Rule(List.of(), List.of("OOMKilled"), null, grow),
                        new Rule(List.of(), List.of("OOMKilled"), null, fail(2)));
        for (var killed : List.of(killed("fetch"), restarted("fetch"))) {
            assertThat(policy.actionOn(killed)).isEqualTo(fail(2));
            assertThat(killed.isBy(Cause.SIGNAL)).isTrue();
        }
        assertThat(policy.actionOn(killed(null))).isEqualTo(fail(1));
        assertThat(policy.actionOn(restarted(null))).isEqualTo(fail(1));
        assertThat(policy(Otherwise.GANG, new Rule(List.of(), List.of(), null, grow)).said(oom()))
                .isEqualTo(grow);
    }

    private static Failure killed(@Nullable String init) {
        return Failure.of(RANK, pod(new ContainerEnd(137, "OOMKilled", "", init), false, ""));
    }

    private static Failure restarted(@Nullable String init) {
        return Failure.restarted(RANK, new ContainerEnd(137, "OOMKilled", "", init));
    }

    /** Which of its words a kubelet has for it when the time is over is chance. */
    @ParameterizedTest
    @CsvSource({
        "ErrImagePull, ImagePullBackOff, true",
        "ImagePullBackOff, ErrImagePull, true",
        "ErrImagePull, RegistryUnavailable, true",
        "SignatureValidationFailed, ImagePullBackOff, true",
        "ErrImagePull, InvalidImageName, false",
        "InvalidImageName, ImagePullBackOff, false",
        "InvalidImageName, InvalidImageName, true",
    })
    void ruleForAnImageThatCannotBePulledMatchesEachWordForIt(
            String named, String seen, boolean matches) {
        var policy =
                policy(
                        Otherwise.GANG,
                        new Rule(List.of(), List.of(named), null, new Action.Ignore()));
        var failure = Failure.hindered(RANK, new Event.Hindrance(seen, "no such image"));
        assertThat(policy.said(failure)).isEqualTo(matches ? new Action.Ignore() : null);
        assertThat(failure.reason()).isEqualTo(seen);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 20", "2, 40", "5, 320", "6, 360", "7, 360", "2000000000, 360"})
    void delayDoublesUpToItsMost(int inARow, int seconds) {
        assertThat(FailurePolicy.PLAIN.delay().after(inARow))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void limitCountsWithinItsWindow() {
        var once = Budgets.UNTOUCHED.charged("", TWO, false, NOON);
        var twice = once.charged("", TWO, false, NOON.plusSeconds(1800));
        assertThat(twice.charged("", TWO, false, NOON.plusSeconds(3599))).isNull();
        var later = twice.charged("", TWO, false, NOON.plusSeconds(3600));
        assertThat(later.own()).isEqualTo(3);
        assertThat(later.charges().get("").ownAt()).hasSize(2);
    }

    @Test
    void clusterHasABudgetOfItsOwnAndSoHasARole() {
        var one = new Limits(1, 1, Duration.ZERO);
        var budgets =
                Budgets.UNTOUCHED
                        .charged("", one, false, NOON)
                        .charged("", one, true, NOON)
                        .charged("worker", one, false, NOON);
        assertThat(budgets.own()).isEqualTo(2);
        assertThat(budgets.infrastructure()).isEqualTo(1);
        assertThat(budgets.inARow()).isEqualTo(3);
        assertThat(budgets.charged("", one, false, NOON.plusSeconds(1_000_000))).isNull();
        assertThat(budgets.charged("", one, true, NOON.plusSeconds(1_000_000))).isNull();
        assertThat(budgets.rested().inARow()).isZero();
    }

    private static Rule rule(List<ExitCodes> codes, @Nullable String role, int number) {
        return new Rule(codes, List.of(), role, fail(number));
    }

    private static Action fail(int number) {
        return new Action.Fail("rule " + number);
    }

    private static Failure exit(int code) {
        return new Failure(RANK, Cause.EXIT_CODE, code, "Error", "");
    }

    private static Failure oom() {
        return new Failure(RANK, Cause.SIGNAL, 137, "OOMKilled", "");
    }

    private static ContainerEnd end(int exitCode, String reason, String message) {
        return new ContainerEnd(exitCode, reason, message);
    }

    private static Event.Pod pod(@Nullable ContainerEnd end, boolean deleting, String reason) {
        return new Event.Pod(
                Fixtures.mark("worker", 1, 1),
                1,
                PodPhase.FAILED,
                "node-0",
                false,
                deleting,
                false,
                end,
                null,
                reason,
                "",
                null);
    }
}
