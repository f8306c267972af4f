package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Words;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which amounts of a job or a queue the pool takes, whoever wrote them: none below zero, and none
 * that nobody can have.
 */
final class AmountBounds {
    private AmountBounds() {}

    /** What is wrong with those of a job; null: nothing. */
    static @Nullable Fault fault(JobSpec.Work work) {
        var requests = Amounts.NONE;
        var limits = Amounts.NONE;
        for (int i = 0; i < work.roles().size(); i++) {
            var role = work.roles().get(i);
            var demand = role.pod().demand();
            var most = role.pod().limits();
            var pod = new Whose("spec.roles[%d].template.spec".formatted(i), "one pod's ");
            var ofPod = ofPods(pod, demand, most, Limits.POD_AMOUNT);
            if (ofPod != null) {
                return ofPod;
            }
            int pods = most(work, role);
            requests = requests.plus(demand.times(pods));
            limits = limits.plus(most.times(pods));
        }
        var all = new Whose("spec.roles", "all pods' ");
        return ofPods(all, requests, limits, Limits.TOTAL_AMOUNT);
    }

    /** Where pods stand, and which of them are meant. */
    private record Whose(String path, String pods) {}

    private static @Nullable Fault ofPods(
            Whose whose, Amounts requests, Amounts limits, long most) {
        var ofRequests = ofPods(whose, "requests", requests.byName(), most);
        return ofRequests != null ? ofRequests : ofPods(whose, "limits", limits.byName(), most);
    }

    private static @Nullable Fault ofPods(
            Whose whose, String field, SortedMap<String, Long> amounts, long most) {
        var outside = outside(field, amounts, most);
        return outside == null
                ? null
                : new Fault(whose.path(), outside.given(), whose.pods() + outside.sentence());
    }

    /** How many pods a role may ever have. */
    private static int most(JobSpec.Work work, JobSpec.Role role) {
        var elastic = work.elastic();
        return elastic != null && work.isElastic(role.name())
                ? Math.max(role.replicas(), elastic.max())
                : role.replicas();
    }

    /**
     * What is wrong with those of a queue; null: nothing. What was so before may stay.
     *
     * @param all what the pool's queues are guaranteed, this one {@code before} among them
     */
    static @Nullable Fault fault(Quota quota, Quota before, Amounts all) {
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

    private static @Nullable Fault changed(
            String field, SortedMap<String, Long> amounts, SortedMap<String, Long> before) {
        var changed = new TreeMap<>(amounts);
        changed.entrySet().removeIf(of -> of.getValue().equals(before.get(of.getKey())));
        return outside(field, changed, Limits.TOTAL_AMOUNT);
    }

    private static @Nullable Fault together(Amounts guaranteed, Amounts before, Amounts all) {
        var more = guaranteed.beyond(before);
        var sum = all.minus(before).plus(guaranteed);
        for (int i = 0; i < more.size(); i++) {
            long amount = sum.get(more.name(i));
            if (amount > Limits.TOTAL_AMOUNT) {
                return new Fault(
                        Paths.field("spec.guaranteed", more.name(i)),
                        Words.amount(more.name(i), guaranteed.get(more.name(i))),
                        "of all queues of the pool together must be at most %d, would be %d"
                                .formatted(Limits.TOTAL_AMOUNT, amount));
            }
        }
        return null;
    }

    private static @Nullable Fault outside(
            String field, SortedMap<String, Long> amounts, long most) {
        return amounts.entrySet().stream()
                .filter(of -> of.getValue() < 0 || of.getValue() > most)
                .map(of ->
                        new Fault(
                                Paths.field(field, of.getKey()),
                                Words.amount(of.getKey(), of.getValue()),
                                "must be 0 to %d, was %d".formatted(most, of.getValue())))
                .findFirst()
                .orElse(null);
    }
}
