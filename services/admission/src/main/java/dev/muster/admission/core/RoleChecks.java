package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.schemas.contract.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is wrong with the roles of a job. */
final class RoleChecks {
    static final int MOST_REPLICAS = 10_000;
    static final int MOST_ROLES = 100;

    /** A config map has at most a mebibyte, and the list is not all of it. */
    static final long MOST_HOST_BYTES = 1_000_000;

    private static final String ROLES = "spec.roles";

    /**
     * As far as an elastic role's index may come, however few it may have: ranks that leave keep
     * theirs until they are gone, those that come meanwhile have the next, and again.
     */
    static final int LAST_ELASTIC = 9_999;

    /** No rank may be taken for the pod of a hook. */
    private static final String HOOK = "hook";

    private final String job;
    private final Spec spec;
    private final Map<String, List<Dependency>> byRole = new LinkedHashMap<>();
    private final String others;
    private final Problems problems;
    private final Problems warnings;
    private final Numbers numbers;

    RoleChecks(TrainJob job, Problems problems, Problems warnings) {
        this.job = job.name();
        this.spec = job.spec();
        this.problems = problems;
        this.warnings = warnings;
        this.numbers = new Numbers(problems);
        for (var role : spec.roles()) {
            byRole.putIfAbsent(role.name(), Defaulting.dependencies(role, spec));
        }
        others = "must be another role of the job: " + String.join(", ", names());
    }

    Set<String> names() {
        return byRole.keySet();
    }

    void check() {
        problems.unless(!spec.roles().isEmpty(), ROLES, "", "must hold at least one role");
        if (spec.roles().size() > MOST_ROLES) {
            problems.add(ROLES, spec.roles().size(), "must hold at most " + MOST_ROLES + " roles");
            return;
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < spec.roles().size(); i++) {
            var role = spec.roles().get(i);
            var path = ROLES + "[" + i + "]";
            checkName(role, path);
            problems.unless(
                    seen.add(role.name()),
                    path + ".name",
                    role.name(),
                    "must differ from the names of the other roles");
            checkNumbers(role, path);
            checkDependencies(role, path);
            if (role.failure() != null) {
                new FailureChecks(names(), Set.of(role.name()), problems, warnings)
                        .check(role.failure(), path + ".failure");
                warnings.unless(
                        !role.failure().rules().isEmpty() || !isMeantByRules(spec.failure()),
                        path + ".failure",
                        "",
                        "replaces spec.failure as a whole for role %s, which so has none of its rules"
                                .formatted(role.name()));
            }
        }
        checkTotal();
        checkRing();
        checkElastic();
        if (spec.framework() == Framework.HOROVOD) {
            checkLauncher();
        }
    }

    /** Those that name a role with a policy of its own are refused. */
    private static boolean isMeantByRules(@Nullable Failure job) {
        return job != null && job.rules().stream().anyMatch(rule -> rule.role() == null);
    }

    /** Those that have no failure policy of their own. */
    Set<String> judgedAsTheJob() {
        var judged = new LinkedHashSet<>(names());
        spec.roles().stream()
                .filter(role -> role.failure() != null)
                .forEach(role -> judged.remove(role.name()));
        return judged;
    }

    private void checkLauncher() {
        var launchers =
                IntStream.range(0, spec.roles().size())
                        .filter(i -> spec.roles().get(i).name().equals(Defaulting.LAUNCHER))
                        .boxed()
                        .toList();
        problems.unless(
                !launchers.isEmpty(),
                ROLES,
                String.join(", ", names()),
                "must hold a role launcher with framework horovod");
        for (var i : launchers) {
            problems.unless(
                    spec.roles().get(i).replicas() == 1,
                    ROLES + "[" + i + "].replicas",
                    spec.roles().get(i).replicas(),
                    "must be 1: with framework horovod one pod launches");
        }
        for (int i = 0; i < spec.roles().size(); i++) {
            var role = spec.roles().get(i);
            problems.unless(
                    role.elastic() || Defaulting.minimum(role, spec) >= role.replicas(),
                    ROLES + "[" + i + "].min",
                    Defaulting.minimum(role, spec),
                    "must be replicas: with framework horovod only an elastic role starts with fewer");
        }
        problems.unless(
                spec.roles().size() > launchers.size(),
                ROLES,
                Defaulting.LAUNCHER,
                "must hold another role beside the launcher, whose pods train");
        long bytes = spec.roles().stream().mapToLong(this::hostLines).sum();
        problems.unless(
                bytes <= MOST_HOST_BYTES,
                ROLES,
                "%,d bytes of host lists".formatted(bytes),
                "must be fewer pods, or shorter names: a launcher's host lists have at most %,d bytes"
                        .formatted(MOST_HOST_BYTES));
    }

    /** Each pod stands in the list twice, with its slots, and a third time with its own port. */
    private long hostLines(Role role) {
        if (role.name().equals(Defaulting.LAUNCHER)) {
            return 0;
        }
        long name = 2L * job.length() + role.name().length() + "-99999.".length();
        int lines = role.hostNetwork() ? 3 : 2;
        return spec.most(role) * lines * (name + " slots=99999\n".length());
    }

    private void checkName(Role role, String path) {
        if (!Names.isRole(role.name())) {
            problems.add(path + ".name", role.name(), "must be 1 to 63 of a-z and 0-9");
            return;
        }
        problems.unless(
                !role.name().equals(HOOK),
                path + ".name",
                role.name(),
                "must not be hook, as the pods of hooks are called");
        var longest = job + "-" + role.name() + "-" + last(role);
        var why = role.elastic() ? " (those that leave keep their index, and others come)" : "";
        problems.unless(
                longest.length() <= Names.LONGEST,
                "metadata.name",
                job,
                "is too long: with role and index, as in %s%s, a name must have at most 63 characters, not %d"
                        .formatted(longest, why, longest.length()));
    }

    /** The largest index of which a rank may come. */
    private int last(Role role) {
        int most = Math.max(1, spec.most(role));
        return role.elastic() ? Math.max(LAST_ELASTIC, 2 * most - 1) : most - 1;
    }

    private void checkNumbers(Role role, String path) {
        numbers.within(path + ".replicas", role.replicas(), 1, MOST_REPLICAS);
        int size = spec.size(role);
        var whole = size == role.replicas() ? "replicas" : "the size that is wished at first";
        if (role.min() != null) {
            problems.unless(
                    1 <= role.min() && role.min() <= size,
                    path + ".min",
                    role.min(),
                    "must be 1 to %s, which is %d".formatted(whole, size));
        }
        problems.unless(
                0 <= role.spotCount() && role.spotCount() <= size,
                path + ".spot.count",
                role.spotCount(),
                "must be 0 to %s, which is %d".formatted(whole, size));
        for (int i = 0; i < role.critical().size(); i++) {
            var index = role.critical().get(i);
            problems.unless(
                    0 <= index && index < size,
                    path + ".critical[" + i + "]",
                    index,
                    "must be an index of the role, 0 to " + (size - 1));
        }
    }

    private void checkDependencies(Role role, String path) {
        var dependencies = role.dependsOn() == null ? List.<Dependency>of() : role.dependsOn();
        for (int i = 0; i < dependencies.size(); i++) {
            var dependency = dependencies.get(i);
            var here = path + ".dependsOn[" + i + "]";
            problems.unless(
                    byRole.containsKey(dependency.on()), here + ".role", dependency.on(), others);
            problems.unless(
                    dependency.phase() != DependencyPhase.UNKNOWN
                            && dependency.phase() != DependencyPhase.ENDED,
                    here + ".phase",
                    "",
                    "must be Running, Ready or Succeeded");
        }
    }

    private void checkRing() {
        var done = new HashSet<String>();
        for (var role : byRole.keySet()) {
            var ring = ringFrom(role, new ArrayList<>(), done);
            if (ring != null) {
                problems.add(
                        ROLES,
                        String.join(" -> ", ring),
                        "must not depend on each other in a ring, as these do");
                return;
            }
        }
    }

    private @Nullable List<String> ringFrom(String role, List<String> way, Set<String> done) {
        var met = way.indexOf(role);
        way.add(role);
        if (met >= 0) {
            return List.copyOf(way.subList(met, way.size()));
        }
        if (!done.contains(role)) {
            for (var dependency : byRole.getOrDefault(role, List.of())) {
                var ring = ringFrom(dependency.on(), way, done);
                if (ring != null) {
                    return ring;
                }
            }
            done.add(role);
        }
        way.removeLast();
        return null;
    }

    /** Whose replicas are out of range for themselves is told so. */
    private void checkTotal() {
        long most =
                spec.roles().stream()
                        .mapToLong(role -> Math.clamp(spec.most(role), 0, MOST_REPLICAS))
                        .sum();
        problems.unless(
                most <= Limits.JOB_PODS,
                ROLES,
                "%,d pods".formatted(most),
                "must have at most %,d pods together, the elastic role counted with elastic.max"
                        .formatted(Limits.JOB_PODS));
    }

    private void checkElastic() {
        var elastic =
                IntStream.range(0, spec.roles().size())
                        .filter(i -> spec.roles().get(i).elastic())
                        .boxed()
                        .toList();
        for (var i : elastic.stream().skip(1).toList()) {
            problems.add(
                    ROLES + "[" + i + "].elastic",
                    true,
                    "must not be set, since role %s is elastic already: only one can be"
                            .formatted(spec.roles().get(elastic.getFirst()).name()));
        }
        var range = spec.elastic();
        if (range == null) {
            problems.unless(
                    elastic.isEmpty(),
                    "spec.elastic",
                    "",
                    "must be set, with min and max, since a role is elastic");
            return;
        }
        numbers.within("spec.elastic.max", range.max(), 1, MOST_REPLICAS);
        problems.unless(
                1 <= range.min() && range.min() <= range.max(),
                "spec.elastic.min",
                range.min(),
                "must be 1 to elastic.max, which is " + range.max());
        numbers.notNegative("spec.elastic.scaling.cooldown", range.cooldown());
        problems.unless(
                range.scaling() != TrainJob.ScalingPolicy.UNKNOWN,
                "spec.elastic.scaling.policy",
                "",
                "must be none, capacity or metrics");
        problems.unless(!elastic.isEmpty(), "spec.elastic", "", "needs a role with elastic: true");
        elastic.forEach(i -> checkElasticMinimum(spec.roles().get(i), i, range));
    }

    private void checkElasticMinimum(Role role, int i, Elastic range) {
        problems.unless(
                role.replicas() <= range.max(),
                ROLES + "[" + i + "].replicas",
                role.replicas(),
                "must be at most elastic.max, which is " + range.max());
        problems.unless(
                !role.name().equals("master") && !role.name().equals("launcher"),
                ROLES + "[" + i + "].elastic",
                true,
                "must not be set: role %s is one that the others need".formatted(role.name()));
        if (role.min() != null) {
            problems.unless(
                    role.min() == range.min(),
                    ROLES + "[" + i + "].min",
                    role.min(),
                    "must be left out or equal elastic.min, which is " + range.min());
        }
    }
}
