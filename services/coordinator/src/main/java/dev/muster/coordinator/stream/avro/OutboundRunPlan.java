package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.Effect;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.RunPlan;
import dev.muster.v1.TrainJobSpec;
import java.util.List;

/** The pods that the core orders, with the templates that the user gave. */
final class OutboundRunPlan {
    private OutboundRunPlan() {}

    static RunPlan of(JobSubmitted submission, Effect.RunPlan plan) {
        var spec = submission.getSpec();
        var elastic = spec.getElastic();
        return RunPlan.newBuilder()
                .setFramework(spec.getFramework())
                .setNprocPerNode(spec.getNprocPerNode())
                .setMasterPort(spec.getMasterPort())
                .setLabels(spec.getLabels())
                .setAnnotations(spec.getAnnotations())
                .setPriorityClass(spec.getPriorityClass())
                .setElasticMin(elastic == null ? null : elastic.getMin())
                .setElasticMax(elastic == null ? null : elastic.getMax())
                .setRoles(spec.getRoles().stream().map(role -> role(submission, role)).toList())
                .setPods(plan.pods().stream().map(pod -> pod(spec, plan, pod)).toList())
                .build();
    }

    private static PlannedRole role(JobSubmitted submission, RoleSpec role) {
        var needs = InboundJobs.needs(submission, role);
        return new PlannedRole(
                role.getName(),
                role.getReplicas(),
                role.getTemplate(),
                needs.getRestart(),
                needs.getMainContainer(),
                role.getElastic());
    }

    private static PlannedPod pod(TrainJobSpec spec, Effect.RunPlan plan, Effect.PlannedPod pod) {
        var rank = pod.rank();
        boolean spot =
                spec.getRoles().stream()
                        .filter(role -> role.getName().equals(rank.role()))
                        .anyMatch(role -> rank.index() >= role.getReplicas() - role.getSpotCount());
        return new PlannedPod(
                rank.role(),
                rank.index(),
                pod.incarnation(),
                pod.node(),
                pod.memory() == 0 ? null : pod.memory(),
                pod.forces(),
                spot ? plan.spot().stream().map(OutboundQueues::toleration).toList() : List.of());
    }
}
