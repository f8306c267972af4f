package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import dev.muster.schemas.demand.Quantity;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** What is wrong with amounts of the job as a whole, and with the growth of its memory. */
final class AmountChecks {
    private final Spec spec;
    private final List<PodNeeds> needs;
    private final Problems problems;

    /**
     * Checks a job.
     *
     * @param needs one per role, in the order of the roles
     */
    AmountChecks(Spec spec, List<PodNeeds> needs, Problems problems) {
        this.spec = spec;
        this.needs = needs;
        this.problems = problems;
    }

    void check() {
        spec.resourceLimits().forEach(this::checkLimit);
        checkTotal("requests", PodNeeds::demand);
        checkTotal("limits", PodNeeds::limits);
        for (int i = 0; i < spec.roles().size(); i++) {
            var own = spec.roles().get(i).failure();
            var failure = own == null ? spec.failure() : own;
            if (failure != null) {
                var path = own == null ? "spec.failure" : "spec.roles[" + i + "].failure";
                checkGrowth(failure, path, i);
            }
        }
    }

    private void checkLimit(String resource, String limit) {
        var path = Paths.field("spec.resourceLimits", resource);
        var most = Quantity.parse(limit);
        if (most == null) {
            problems.add(path, limit, Quantity.ALLOWED);
            return;
        }
        var all = total(resource, PodNeeds::demand, this::size);
        problems.unless(
                all.compareTo(BigInteger.valueOf(most.unitsOf(resource))) <= 0,
                path,
                limit,
                "must be at least what all pods ask for together, which is %s%s"
                        .formatted(all, resource.equals("cpu") ? "m" : ""));
    }

    /** Of what one pod has too much of that alone is told. */
    private void checkTotal(String what, Function<PodNeeds, Map<String, Long>> of) {
        var resources = new TreeSet<String>();
        needs.forEach(each -> resources.addAll(of.apply(each).keySet()));
        needs.forEach(each ->
                of.apply(each)
                        .forEach((resource, amount) -> {
                            if (amount > Limits.POD_AMOUNT) {
                                resources.remove(resource);
                            }
                        }));
        for (var resource : resources) {
            var all = total(resource, of, spec::most);
            problems.unless(
                    all.compareTo(BigInteger.valueOf(Limits.TOTAL_AMOUNT)) <= 0,
                    "spec.roles",
                    Paths.field(what, resource) + " " + Numbers.amount(resource, all),
                    Numbers.atMost(resource, Limits.TOTAL_AMOUNT)
                            + " for all pods together, as many as there may be");
        }
    }

    private BigInteger total(
            String resource, Function<PodNeeds, Map<String, Long>> of, ToIntFunction<Role> pods) {
        var all = BigInteger.ZERO;
        for (int i = 0; i < needs.size(); i++) {
            var each = BigInteger.valueOf(of.apply(needs.get(i)).getOrDefault(resource, 0L));
            all = all.add(each.multiply(BigInteger.valueOf(pods.applyAsInt(spec.roles().get(i)))));
        }
        return all;
    }

    /**
     * What it has at least: an elastic role its minimum, too, and what the gang has of it beside
     * all pods of the others. It grows only as limits allow.
     */
    private int size(Role role) {
        var range = role.elastic() ? spec.elastic() : null;
        return range == null
                ? role.replicas()
                : Math.max(Math.max(role.replicas(), range.min()), ofGang(role));
    }

    private int ofGang(Role elastic) {
        var gang = spec.gang();
        if (gang == null || gang.min() == null) {
            return 0;
        }
        long others =
                spec.roles().stream()
                        .filter(role -> !role.elastic())
                        .mapToLong(Role::replicas)
                        .sum();
        return Math.clamp(gang.min() - others, 0, Math.max(0, spec.size(elastic)));
    }

    /** It is the main container's own memory that grows. */
    private void checkGrowth(Failure failure, String path, int role) {
        var name = spec.roles().get(role).name();
        for (int i = 0; i < failure.rules().size(); i++) {
            var rule = failure.rules().get(i);
            boolean isMeant = rule.role() == null || rule.role().equals(name);
            problems.unless(
                    rule.action() != FailureAction.GROW_MEMORY
                            || !isMeant
                            || needs.get(role).mainMemory() != null,
                    path + ".rules[" + i + "].action",
                    "GrowMemory",
                    "needs a request or limit of memory in the main container of role "
                            + name
                            + ", and none for its pod as a whole");
        }
    }
}
