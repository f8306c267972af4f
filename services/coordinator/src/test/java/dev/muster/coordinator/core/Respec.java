package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Jobs and nodes with something else in them. */
final class Respec {
    private Respec() {}

    /** The same job, of whose roles each is another. */
    static JobSpec roles(JobSpec spec, UnaryOperator<JobSpec.Role> of) {
        return of(spec, spec.roles().stream().map(of).toList());
    }

    /** The same job, which succeeds otherwise. */
    static JobSpec success(JobSpec spec, JobSpec.Success success) {
        return with(spec, spec.roles(), success);
    }

    /** The same job, with other roles. */
    static JobSpec of(JobSpec spec, List<JobSpec.Role> roles) {
        return with(spec, roles, spec.success());
    }

    static JobSpec labelled(String key, String value, JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(
                        place.queue(),
                        place.priority(),
                        place.priorityClass(),
                        place.suspended(),
                        place.after(),
                        new TreeMap<>(Map.of(key, value))));
    }

    private static JobSpec with(JobSpec spec, List<JobSpec.Role> roles, JobSpec.Success success) {
        return AnotherWork.of(
                spec,
                work -> {
                    work.roles = roles;
                    work.success = success;
                });
    }

    /** The same role, with such pods. */
    static JobSpec.Role pods(JobSpec.Role role, NodeFilter filter, boolean apart) {
        var pod = role.pod();
        return role.with(
                new PodSpec(
                        pod.demand(),
                        pod.limits(),
                        filter,
                        apart,
                        pod.restart(),
                        pod.onHost(),
                        pod.memory(),
                        pod.grace(),
                        pod.apartFrom()));
    }

    /** The same role, whose pods may use so much. */
    static JobSpec.Role limited(JobSpec.Role role, Amounts limits, @Nullable Memory memory) {
        var pod = role.pod();
        return role.with(
                new PodSpec(
                        pod.demand(),
                        limits,
                        pod.filter(),
                        pod.apart(),
                        pod.restart(),
                        pod.onHost(),
                        memory,
                        pod.grace(),
                        pod.apartFrom()));
    }
}
