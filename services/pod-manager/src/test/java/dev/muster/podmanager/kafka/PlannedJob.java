package dev.muster.podmanager.kafka;

import dev.muster.schemas.trainjob.SettingsForm;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.RunPlan;
import dev.muster.v1.TrainJobSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A plan for all of a TrainJob at once: what admission and a coordinator with room make of it. */
record PlannedJob(TrainJobForm.Read job, PoolSpec pool) {
    private static final List<String> NODES = List.of("node-a", "node-b");
    private static final int FIRST_PORT = 20_000;

    static PlannedJob of(String job, String pool) {
        if (!(TrainJobForm.read(job) instanceof TrainJobForm.Read read)) {
            throw new IllegalArgumentException(TrainJobForm.read(job).toString());
        }
        return new PlannedJob(read, pool.isEmpty() ? PoolSpec.newBuilder().build() : pool(pool));
    }

    private static PoolSpec pool(String text) {
        var read = (SettingsForm.Read) SettingsForm.read(text);
        return ((SettingsForm.PoolSetting) read.settings().getFirst()).spec();
    }

    JobPlan plan() {
        return JobPlan.newBuilder()
                .setEnvelope(Surroundings.envelope("3-7/1").build())
                .setKind(PlanKind.RUN)
                .setJob(
                        JobRef.newBuilder()
                                .setNamespace(job.namespace())
                                .setName(job.name())
                                .setUid("3-100")
                                .build())
                .setPool("default")
                .setQueue(job.spec().getQueue())
                .setAttempt(1)
                .setVersion(1)
                .setRun(run(job.spec()))
                .build();
    }

    private RunPlan run(TrainJobSpec spec) {
        return RunPlan.newBuilder()
                .setFramework(spec.getFramework())
                .setNprocPerNode(spec.getNprocPerNode())
                .setMasterPort(spec.getMasterPort())
                .setLabels(spec.getLabels())
                .setAnnotations(spec.getAnnotations())
                .setPriorityClass(spec.getPriorityClass())
                .setRoles(spec.getRoles().stream().map(PlannedJob::role).toList())
                .setPods(pods(spec))
                .setSpotSelector(pool.getSpotSelector())
                .setSpotTolerations(pool.getSpotTolerations())
                .setLeastAvailable(spec.getPodDisruptionBudget() ? least(spec) : null)
                .build();
    }

    private static PlannedRole role(RoleSpec role) {
        var template =
                Objects.requireNonNull(
                                Serialization.unmarshal(role.getTemplate(), PodTemplateSpec.class))
                        .getSpec();
        var names = template.getContainers().stream().map(Container::getName).toList();
        var policy = template.getRestartPolicy();
        return PlannedRole.newBuilder()
                .setName(role.getName())
                .setReplicas(role.getReplicas())
                .setTemplate(role.getTemplate())
                .setRestart(
                        policy == null || policy.equals("Never")
                                ? PodRestart.NEVER
                                : PodRestart.ON_FAILURE)
                .setMainContainer(names.contains("main") ? "main" : names.getFirst())
                .setElastic(role.getElastic())
                .setSpotCount(role.getSpotCount())
                .setHostNetwork(role.getHostNetwork())
                .build();
    }

    private static List<PlannedPod> pods(TrainJobSpec spec) {
        var pods = new ArrayList<PlannedPod>();
        for (var role : spec.getRoles()) {
            for (int index = 0; index < role.getReplicas(); index++) {
                int made = pods.size();
                pods.add(
                        PlannedPod.newBuilder()
                                .setRole(role.getName())
                                .setIndex(index)
                                .setIncarnation(made + 1)
                                .setNode(NODES.get(made % NODES.size()))
                                .setPort(role.getHostNetwork() ? FIRST_PORT + made : null)
                                .build());
            }
        }
        return pods;
    }

    private static int least(TrainJobSpec spec) {
        var gang = spec.getGang();
        var min = gang == null ? null : gang.getMin();
        return min == null ? spec.getRoles().stream().mapToInt(RoleSpec::getReplicas).sum() : min;
    }
}
