package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.ExitCodes;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.NodeLostPolicy;
import dev.muster.schemas.contract.NoPull;
import dev.muster.schemas.demand.Quantity;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is wrong with a failure policy. */
final class FailureChecks {
    static final int LARGEST_CODE = 255;

    /** The coordinator remembers the time of each one that its window counts. */
    static final int MOST_RESTARTS = 1_000;

    /** Of containers and pods, as the coordinator names them; a kubelet may have others. */
    private static final SortedSet<String> REASONS =
            reasons(
                    "ContainerCannotRun",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "DeadlineExceeded",
                    "ErrImageNeverPull",
                    "Error",
                    "Evicted",
                    "ImageInspectError",
                    "InvalidImageName",
                    "NodeAffinity",
                    "NodeLost",
                    "NodeShutdown",
                    "OOMKilled",
                    "OutOfcpu",
                    "OutOfmemory",
                    "OutOfpods",
                    "PodDeleted",
                    "PodFailed",
                    "PodLost",
                    "Preempted",
                    "RunContainerError",
                    "StartError",
                    "UnexpectedAdmissionError");

    private final Set<String> roles;
    private final Set<String> judged;
    private final Problems problems;
    private final Problems warnings;

    /**
     * Of one policy.
     *
     * @param roles all that the job has
     * @param judged those of them that the policy is for
     */
    FailureChecks(Set<String> roles, Set<String> judged, Problems problems, Problems warnings) {
        this.roles = roles;
        this.judged = judged;
        this.problems = problems;
        this.warnings = warnings;
    }

    private static SortedSet<String> reasons(String... others) {
        var reasons = new TreeSet<>(NoPull.WORDS);
        reasons.addAll(List.of(others));
        return Collections.unmodifiableSortedSet(reasons);
    }

    void check(Failure failure, String path) {
        var numbers = new Numbers(problems);
        numbers.within(path + ".backoffLimit", failure.backoffLimit(), 0, MOST_RESTARTS);
        numbers.within(
                path + ".infrastructureLimit", failure.infrastructureLimit(), 0, MOST_RESTARTS);
        numbers.notNegative(path + ".window", failure.window());
        numbers.notNegative(path + ".delay.initial", failure.delayInitial());
        numbers.notNegative(path + ".delay.max", failure.delayMax());
        numbers.notNegative(path + ".settle", failure.settle());
        numbers.notNegative(path + ".nodeLost.after", failure.nodeLostAfter());
        problems.unless(
                failure.nodeLost() != NodeLostPolicy.UNKNOWN,
                path + ".nodeLost.policy",
                "",
                "must be wait or force");
        var taken = new TakenFailures(judged);
        for (int i = 0; i < failure.rules().size(); i++) {
            var here = path + ".rules[" + i + "]";
            var rule = failure.rules().get(i);
            check(rule, here);
            problems.unless(
                    taken.leave(rule),
                    here,
                    "",
                    "can never match, since the rules before it take all that it would");
            taken.by(rule);
        }
    }

    private void check(FailureRule rule, String path) {
        problems.unless(
                rule.action() != FailureAction.UNKNOWN,
                path + ".action",
                "",
                "must be RestartPod, RestartRole, RestartGang, RestartInPlace, ExcludeNode,"
                        + " GrowMemory, Fail or Ignore");
        for (int i = 0; i < rule.exitCodes().size(); i++) {
            var codes = rule.exitCodes().get(i);
            problems.unless(
                    isRange(codes),
                    path + ".exitCodes[" + i + "]",
                    codes.first() == codes.last()
                            ? codes.first()
                            : codes.first() + "-" + codes.last(),
                    "must be an exit code, 0 to 255, or a range of them, the smaller one first");
        }
        checkRole(rule.role(), path);
        problems.unless(
                rule.factorThousandths() == null || rule.factorThousandths() > 1000,
                path + ".factor",
                String.valueOf(rule.factorThousandths()),
                "must be more than 1");
        if (rule.max() != null) {
            checkMost(rule.max(), path + ".max");
        }
        checkEffect(rule, path);
        for (int i = 0; i < rule.reasons().size(); i++) {
            var reason = rule.reasons().get(i);
            warnings.unless(
                    REASONS.contains(reason),
                    path + ".reasons[" + i + "]",
                    reason,
                    "is no reason that is known, and may never match; known are "
                            + String.join(", ", REASONS));
        }
    }

    private void checkMost(String max, String path) {
        var most = Quantity.parse(max);
        problems.unless(most != null, path, max, Quantity.ALLOWED);
        problems.unless(
                most == null || most.compareTo(Quantity.ZERO) > 0,
                path,
                max,
                "must be more than 0");
    }

    private void checkRole(@Nullable String role, String path) {
        if (role == null) {
            problems.unless(
                    !judged.isEmpty() || roles.isEmpty(),
                    path,
                    "",
                    "can never match, since each role has a failure of its own");
        } else if (!roles.contains(role)) {
            problems.add(
                    path + ".role",
                    role,
                    "must be one of the job's roles: " + String.join(", ", roles));
        } else {
            problems.unless(
                    judged.contains(role),
                    path + ".role",
                    role,
                    "must be one of the roles that these rules are for, which are %s: a role with a failure of its own has its own rules alone"
                            .formatted(judged.isEmpty() ? "none" : String.join(", ", judged)));
        }
    }

    /** What an action does not look at is refused: it was meant to do something. */
    private void checkEffect(FailureRule rule, String path) {
        if (rule.action() == FailureAction.UNKNOWN) {
            return;
        }
        boolean grows = rule.action() == FailureAction.GROW_MEMORY;
        var ofGrowth = "has an effect with action GrowMemory alone";
        if (rule.factorThousandths() != null) {
            problems.unless(grows, path + ".factor", rule.factorThousandths(), ofGrowth);
        }
        if (rule.max() != null) {
            problems.unless(grows, path + ".max", rule.max(), ofGrowth);
        }
        problems.unless(
                rule.message().isEmpty() || rule.action() == FailureAction.FAIL,
                path + ".message",
                rule.message(),
                "has an effect with action Fail alone");
    }

    static boolean isRange(ExitCodes codes) {
        return 0 <= codes.first() && codes.first() <= codes.last() && codes.last() <= LARGEST_CODE;
    }
}
