package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.required;
import static dev.muster.coordinator.stream.avro.Fields.same;

import dev.muster.coordinator.core.Amounts;
import dev.muster.coordinator.core.JobSpec;
import dev.muster.coordinator.core.JobSpec.Success;
import dev.muster.v1.GangSpec;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;

/** What the core has to know of a submission. */
final class InboundJobs {
    private static final long FOR_EVER = -1;

    private InboundJobs() {}

    static JobSpec spec(JobSubmitted submitted) {
        var spec = submitted.getSpec();
        if (spec.getRoles().isEmpty()) {
            throw new UnusableEventException("spec.roles is empty");
        }
        var gang = spec.getGang();
        var ttl = spec.getTtlAfterFinishedMillis();
        return new JobSpec(
                spec.getQueue(),
                spec.getPriority(),
                spec.getRoles().stream().map(role -> role(role, needs(submitted, role))).toList(),
                success(spec),
                same(JobSpec.Cleanup.class, spec.getCleanup()),
                Duration.ofMillis(
                        gang == null
                                ? GangSpec.newBuilder().build().getTimeoutMillis()
                                : gang.getTimeoutMillis()),
                ttl == FOR_EVER ? null : Duration.ofMillis(ttl),
                Duration.ofMillis(spec.getGracePeriodMillis()));
    }

    static PodNeeds needs(JobSubmitted submitted, RoleSpec role) {
        return submitted.getNeeds().stream()
                .filter(needs -> needs.getRole().equals(role.getName()))
                .findFirst()
                .orElseThrow(() ->
                        new UnusableEventException(
                                "needs of role %s are missing".formatted(role.getName())));
    }

    private static JobSpec.Role role(RoleSpec role, PodNeeds needs) {
        return new JobSpec.Role(
                role.getName(),
                role.getReplicas(),
                Amounts.of(needs.getDemand()),
                InboundNodes.filter(needs),
                same(JobSpec.Restart.class, needs.getRestart()));
    }

    /** Where nothing is said: rank 0's role if it is one pod, else all roles. */
    private static Success success(TrainJobSpec spec) {
        var success = spec.getSuccess();
        if (success == null) {
            var first = spec.getRoles().getFirst();
            return first.getReplicas() == 1
                    ? new Success.OfRole(first.getName())
                    : new Success.All();
        }
        return switch (success.getWhen()) {
            case ALL_SUCCEEDED -> new Success.All();
            case ANY_SUCCEEDED -> new Success.Any();
            case ROLE_SUCCEEDED ->
                    new Success.OfRole(required(success.getRole(), "spec.success.role"));
            case UNKNOWN -> throw new UnusableEventException("spec.success.when is not known here");
        };
    }
}
