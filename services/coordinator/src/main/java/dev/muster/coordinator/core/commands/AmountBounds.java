package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.schemas.contract.Limits;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which amounts of a job or a queue the pool takes, whoever wrote them: none below zero, and none
 * that nobody can have.
 */
final class AmountBounds {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private AmountBounds() {}

    /** What is wrong with those of a job, one sentence; null: nothing. */
    static @Nullable String problem(JobSpec.Work work) {
        var requests = Amounts.NONE;
        var limits = Amounts.NONE;
        for (int i = 0; i < work.roles().size(); i++) {
            var role = work.roles().get(i);
            var demand = role.pod().demand();
            var most = role.pod().limits();
            var path = "spec.roles[%d].template.spec: one pod's ".formatted(i);
            var ofPod = ofPods(path, demand, most, Limits.POD_AMOUNT);
            if (ofPod != null) {
                return ofPod;
            }
            int pods = most(work, role);
            requests = requests.plus(demand.times(pods));
            limits = limits.plus(most.times(pods));
        }
        return ofPods("spec.roles: all pods' ", requests, limits, Limits.TOTAL_AMOUNT);
    }

    private static @Nullable String ofPods(
            String whose, Amounts requests, Amounts limits, long most) {
        var ofRequests = outside(whose + "requests", requests.byName(), most);
        return ofRequests != null ? ofRequests : outside(whose + "limits", limits.byName(), most);
    }

    /** How many pods a role may ever have. */
    private static int most(JobSpec.Work work, JobSpec.Role role) {
        var elastic = work.elastic();
        return elastic != null && work.isElastic(role.name())
                ? Math.max(role.replicas(), elastic.max())
                : role.replicas();
    }

    /**
     * What is wrong with those of a queue, one sentence; null: nothing. What was so before may
     * stay.
     *
     * @param all what the pool's queues are guaranteed, this one {@code before} among them
     */
    static @Nullable String problem(Quota quota, Quota before, Amounts all) {
        var guaranteed = quota.guaranteed();
        var own =
                Stream.of(
                                changed(
                                        "spec.guaranteed",
                                        guaranteed.byName(),
                                        before.guaranteed().byName()),
                                changed("spec.limit", quota.limit(), before.limit()),
                                changed(
                                        "spec.borrowLimit",
                                        quota.borrowLimit(),
                                        before.borrowLimit()),
                                changed("spec.lendLimit", quota.lendLimit(), before.lendLimit()))
                        .flatMap(Stream::ofNullable)
                        .findFirst();
        return own.orElseGet(() -> together(guaranteed, before.guaranteed(), all));
    }

    private static @Nullable String changed(
            String field, SortedMap<String, Long> amounts, SortedMap<String, Long> before) {
        var changed = new TreeMap<>(amounts);
        changed.entrySet().removeIf(of -> of.getValue().equals(before.get(of.getKey())));
        return outside(field, changed, Limits.TOTAL_AMOUNT);
    }

    private static @Nullable String together(Amounts guaranteed, Amounts before, Amounts all) {
        var more = guaranteed.beyond(before);
        var sum = all.minus(before).plus(guaranteed);
        for (int i = 0; i < more.size(); i++) {
            long amount = sum.get(more.name(i));
            if (amount > Limits.TOTAL_AMOUNT) {
                return "%s of all queues of the pool together must be at most %d, would be %d"
                        .formatted(
                                path("spec.guaranteed", more.name(i)), Limits.TOTAL_AMOUNT, amount);
            }
        }
        return null;
    }

    private static @Nullable String outside(
            String field, SortedMap<String, Long> amounts, long most) {
        return amounts.entrySet().stream()
                .filter(of -> of.getValue() < 0 || of.getValue() > most)
                .map(of ->
                        "%s must be 0 to %d, was %d"
                                .formatted(path(field, of.getKey()), most, of.getValue()))
                .findFirst()
                .orElse(null);
    }

    private static String path(String field, String resource) {
        return PLAIN.matcher(resource).matches()
                ? field + "." + resource
                : "%s['%s']".formatted(field, resource);
    }
}
