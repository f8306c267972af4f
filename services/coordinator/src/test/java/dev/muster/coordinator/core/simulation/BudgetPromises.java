package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Within its window no budget is passed, whether it is a job's or a role's. The charges are dated
 * by when they are seen.
 */
final class BudgetPromises {
    /** Between these two it was charged. */
    private record Charge(Instant after, Instant until) {}

    /** By job, judge and whose fault they were. */
    private final Map<String, List<Charge>> known = new TreeMap<>();

    private Instant before = Fixtures.NOON;
    private int weighed;

    void areKept(Play play) {
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            job.past()
                    .budgets()
                    .charges()
                    .forEach((judge, charges) -> {
                        isKept(play, job, judge, false, charges.own());
                        isKept(play, job, judge, true, charges.infrastructure());
                    });
        }
        before = play.now();
    }

    private void isKept(Play play, Job job, String judge, boolean byInfrastructure, int charged) {
        var key = job.id() + " " + judge + " " + byInfrastructure;
        var charges = known.computeIfAbsent(key, _ -> new ArrayList<>());
        var limits = policy(job, judge).limits();
        while (charges.size() < charged) {
            charges.add(new Charge(before, play.now()));
            var window = limits.window();
            long within =
                    charges.stream()
                            .filter(charge ->
                                    window.isZero()
                                            || charge.after().plus(window).isAfter(play.now()))
                            .count();
            if (within > limits.of(byInfrastructure)) {
                throw new AssertionError(
                        "%s was charged %d times: %s".formatted(key, within, limits));
            }
            boolean isOfRole = !judge.equals(Budgets.JOB);
            weighed += isOfRole && within == limits.of(byInfrastructure) ? 1 : 0;
        }
    }

    private static FailurePolicy policy(Job job, String judge) {
        return judge.equals(Budgets.JOB)
                ? job.spec().work().failure()
                : job.spec().failureOf(judge);
    }

    /** How often the last was charged that a role's own limit allows. */
    int weighed() {
        return weighed;
    }
}
