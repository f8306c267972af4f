package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Roles that judge their failures themselves, and some of whose ranks the gang cannot do without,
 * and pods whose kubelets start their containers again. What is promised of each stands by itself.
 */
final class CareChance implements Piece {
    private final Random random;
    private final Chance policies;
    private final BudgetPromises budgets = new BudgetPromises();
    private final CriticalPromises critical = new CriticalPromises();
    private final KubeletPromises kubelets = new KubeletPromises();

    CareChance(long seed) {
        random = new Random(seed ^ 0xca4eL);
        policies = new Chance(random, seed);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                ? new Event.Submitted(id, caring(spec), request)
                : event;
    }

    /**
     * Those who judge a job's host list know neither what rules say of a container that starts
     * again, nor of gangs that start anew while they grow.
     */
    private JobSpec caring(JobSpec spec) {
        return Respec.roles(spec, role -> role(role, !spec.work().hostList()));
    }

    private JobSpec.Role role(JobSpec.Role role, boolean isFree) {
        var policy = random.nextBoolean() ? policy(isFree) : null;
        var care = new JobSpec.Care(policy, isFree ? critical(role) : new TreeSet<>());
        var restart = JobSpec.Restart.values()[random.nextInt(2)];
        return Fixtures.caring(care, Respec.restarting(role, restart));
    }

    /** Some have a window that ends while the job goes on. */
    private FailurePolicy policy(boolean isFree) {
        var policy = policies.failurePolicy();
        var limits = policy.limits();
        var window =
                random.nextBoolean()
                        ? limits.window()
                        : Duration.ofSeconds(10 + random.nextInt(50));
        return new FailurePolicy(
                isFree ? policy.otherwise() : FailurePolicy.Otherwise.POD,
                new FailurePolicy.Limits(limits.own(), limits.infrastructure(), window),
                policy.delay(),
                policy.settle(),
                policy.nodeLost(),
                isFree && random.nextBoolean() ? rules(policy) : List.of());
    }

    /** What they say of a critical rank, too, is often that others may go on. */
    private List<FailurePolicy.Rule> rules(FailurePolicy policy) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(Fixtures.rule(new FailurePolicy.Action.Ignore()));
            case 1 -> List.of(Fixtures.rule(new FailurePolicy.Action.RestartPod()));
            default -> policy.rules();
        };
    }

    /** Of the pods that it has in any case. */
    private TreeSet<Integer> critical(JobSpec.Role role) {
        var indices = new TreeSet<Integer>();
        if (random.nextInt(3) == 0) {
            indices.add(random.nextInt(role.min()));
        }
        return indices;
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        budgets.areKept(play);
        critical.areKept(play);
        kubelets.areKept(play, event);
    }

    /** All three, since each by itself could say nothing. */
    @Override
    public int weighed() {
        return Math.min(budgets.weighed(), Math.min(critical.weighed(), kubelets.weighed()));
    }
}
