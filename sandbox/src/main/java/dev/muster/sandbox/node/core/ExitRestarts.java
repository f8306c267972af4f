package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerRestartRule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When one container is started again: the first of its rules that matches how it ended, else its
 * own policy.
 */
public record ExitRestarts(RestartPolicy otherwise, List<OnExit> rules) {
    /**
     * A rule that starts it again.
     *
     * @param isAmong true: after these exit codes; false: after all others
     */
    public record OnExit(boolean isAmong, Set<Integer> codes) {
        public OnExit {
            codes = Set.copyOf(codes);
        }
    }

    public ExitRestarts {
        rules = List.copyOf(rules);
    }

    /** Null: it has no policy of its own, and so no rules. */
    static @Nullable ExitRestarts of(Container container) {
        var policy = container.getRestartPolicy();
        return policy == null
                ? null
                : new ExitRestarts(
                        RestartPolicy.of(policy),
                        container.getRestartPolicyRules().stream()
                                .filter(rule -> "Restart".equals(rule.getAction()))
                                .filter(rule -> rule.getExitCodes() != null)
                                .map(ExitRestarts::onExit)
                                .toList());
    }

    private static OnExit onExit(ContainerRestartRule rule) {
        var codes = rule.getExitCodes();
        return new OnExit("In".equals(codes.getOperator()), Set.copyOf(codes.getValues()));
    }

    boolean restarts(int exitCode) {
        return rules.stream().anyMatch(rule -> rule.codes().contains(exitCode) == rule.isAmong())
                || otherwise.restarts(exitCode);
    }
}
