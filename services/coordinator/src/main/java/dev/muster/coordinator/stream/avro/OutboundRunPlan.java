package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Grouping;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.v1.Backend;
import dev.muster.v1.CheckpointSignal;
import dev.muster.v1.ForcedRank;
import dev.muster.v1.HookSpec;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PlannedGroup;
import dev.muster.v1.PlannedHook;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
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
        var grouping = plan.grouping();
        boolean isPinned = grouping.backend() == PoolSpec.Backend.NONE;
        return RunPlan.newBuilder()
                .setFramework(spec.getFramework())
                .setNprocPerNode(spec.getNprocPerNode())
                .setMasterPort(spec.getMasterPort())
                .setLabels(spec.getLabels())
                .setAnnotations(spec.getAnnotations())
                .setPriorityClass(spec.getPriorityClass())
                .setElasticMin(elastic == null ? null : elastic.getMin())
                .setElasticMax(elastic == null ? null : elastic.getMax())
                .setRoles(
                        spec.getRoles().stream().map(role -> role(submission, role, plan)).toList())
                .setPods(plan.pods().stream().map(pod -> pod(pod, isPinned)).toList())
                .setSpotSelector(plan.spot().selector())
                .setSpotTolerations(
                        plan.spot().tolerations().stream().map(OutboundQueues::toleration).toList())
                .setBackend(Fields.same(Backend.class, grouping.backend()))
                .setBackendQueue(isPinned ? null : grouping.queue())
                .setGroups(grouping.groups().stream().map(OutboundRunPlan::group).toList())
                .setNodeSelector(grouping.nodes())
                .setAvoidedNodes(List.copyOf(grouping.avoided()))
                .setLeastAvailable(spec.getPodDisruptionBudget() ? plan.least() : null)
                .setHostsVersion(plan.hosts() == 0 ? null : plan.hosts())
                .setCheckpointFile(hasFile(spec))
                .setCheckpoint(plan.ask() == 0 ? null : Long.toString(plan.ask()))
                .setShell(spec.getShell())
                .setHook(plan.hook() == null ? null : hook(plan.hook()))
                .setForced(forced(plan.forced()))
                .setGracePeriodMillis(spec.getGracePeriodMillis())
                .setRepeats(plan.repeats())
                .build();
    }

    static List<ForcedRank> forced(List<ForcedPods> forced) {
        return forced.stream()
                .map(pods -> new ForcedRank(pods.rank().role(), pods.rank().index(), pods.before()))
                .toList();
    }

    private static boolean hasFile(TrainJobSpec spec) {
        var checkpoint = spec.getCheckpoint();
        return checkpoint != null && checkpoint.getSignal() == CheckpointSignal.FILE;
    }

    private static PlannedRole role(JobSubmitted submission, RoleSpec role, Effect.RunPlan plan) {
        var needs = InboundJobs.needs(submission, role);
        var spec = submission.getSpec();
        var name = role.getName();
        return new PlannedRole(
                name,
                plan.sizes().getOrDefault(name, InboundJobs.replicas(spec, role)),
                role.getTemplate(),
                needs.getRestart(),
                needs.getMainContainer(),
                role.getElastic(),
                role.getSpotCount(),
                role.getHostNetwork(),
                restartCodes(spec, role, needs.getRestart()),
                needs.getWorld(),
                plan.ports().get(name));
    }

    /** Where the kubelet restarts whatever fails, it needs no codes. */
    private static List<Integer> restartCodes(
            TrainJobSpec spec, RoleSpec role, PodRestart restart) {
        var own = InboundFailures.ofRole(spec, role);
        var policy = own == null ? InboundFailures.ofJob(spec) : own;
        return restart == PodRestart.ON_FAILURE ? List.of() : policy.codesInPlace(role.getName());
    }

    private static PlannedGroup group(Grouping.PodGroup group) {
        return new PlannedGroup(group.role(), group.minimum(), group.least().byName());
    }

    private static PlannedHook hook(Effect.PlannedHook planned) {
        var scaling = planned.scaling();
        var hook = planned.hook();
        return PlannedHook.newBuilder()
                .setHook(
                        new HookSpec(
                                hook.command(),
                                hook.env(),
                                hook.timeout().toMillis(),
                                hook.retries()))
                .setRole(planned.like().role())
                .setIncarnation(planned.incarnation())
                .setNode(planned.node())
                .setNumber(planned.number())
                .setRequestId(scaling.id())
                .setScaledRole(scaling.role())
                .setFrom(scaling.from())
                .setTo(scaling.to())
                .setAdded(planned.added())
                .setRemoved(planned.removed())
                .build();
    }

    private static PlannedPod pod(Effect.PlannedPod pod, boolean isPinned) {
        var drain = pod.part().drain();
        return new PlannedPod(
                pod.rank().role(),
                pod.rank().index(),
                pod.incarnation(),
                isPinned ? pod.node() : null,
                pod.port(),
                pod.memory() == 0 ? null : pod.memory(),
                pod.forces(),
                pod.inPlace(),
                pod.part().host(),
                drain == null ? null : drain.toMillis(),
                pod.spot());
    }
}
