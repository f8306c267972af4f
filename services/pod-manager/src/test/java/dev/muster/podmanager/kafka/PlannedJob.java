package dev.muster.podmanager.kafka;

import dev.muster.schemas.trainjob.ChangeForm;
import dev.muster.schemas.trainjob.Form;
import dev.muster.schemas.trainjob.SettingsForm;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.Backend;
import dev.muster.v1.CheckpointSignal;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.Framework;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import dev.muster.v1.PlanKind;
import dev.muster.v1.PlannedGroup;
import dev.muster.v1.PlannedHook;
import dev.muster.v1.PlannedPod;
import dev.muster.v1.PlannedRole;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.RunPlan;
import dev.muster.v1.TrainJobSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        if (!(SettingsForm.read(text) instanceof Form.Read(var settings))) {
            throw new IllegalArgumentException(text);
        }
        return ((SettingsForm.PoolSetting) settings.getFirst()).spec();
    }

    /**
     * @param scale a change of size whose hook runs now; empty: none does
     */
    JobPlan plan(String scale) {
        var run = run(job.spec());
        if (!scale.isEmpty()) {
            run.setHook(hook(scale));
        }
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
                .setRun(run.build())
                .build();
    }

    /** As if it took out the last of a role. */
    private PlannedHook hook(String scale) {
        if (!(ChangeForm.one(JobChangeKind.SCALE, scale) instanceof Form.Read(var change))) {
            throw new IllegalArgumentException(scale);
        }
        var said = Objects.requireNonNull(change.getScale());
        var role =
                job.spec().getRoles().stream()
                        .filter(each -> each.getName().equals(said.getRole()))
                        .findFirst()
                        .orElseThrow();
        int last = role.getReplicas() - 1;
        return PlannedHook.newBuilder()
                .setHook(Objects.requireNonNull(said.getHook()))
                .setRole(job.spec().getRoles().getFirst().getName())
                .setIncarnation(9)
                .setNode(NODES.getFirst())
                .setNumber(1)
                .setRequestId("r1")
                .setScaledRole(said.getRole())
                .setFrom(role.getReplicas())
                .setTo(last)
                .setRemoved(List.of(last))
                .build();
    }

    private RunPlan.Builder run(TrainJobSpec spec) {
        var elastic = spec.getElastic();
        return RunPlan.newBuilder()
                .setFramework(spec.getFramework())
                .setNprocPerNode(spec.getNprocPerNode())
                .setMasterPort(spec.getMasterPort())
                .setLabels(spec.getLabels())
                .setAnnotations(spec.getAnnotations())
                .setPriorityClass(spec.getPriorityClass())
                .setRoles(spec.getRoles().stream().map(role -> role(spec, role)).toList())
                .setPods(pods(spec))
                .setSpotSelector(pool.getSpotSelector())
                .setSpotTolerations(pool.getSpotTolerations())
                .setLeastAvailable(spec.getPodDisruptionBudget() ? least(spec) : null)
                .setBackend(pool.getBackend())
                .setBackendQueue(isPinned() ? null : backendQueue(spec))
                .setGroups(isPinned() ? List.of() : groups(spec))
                .setElasticMin(elastic == null ? null : elastic.getMin())
                .setElasticMax(elastic == null ? null : elastic.getMax())
                .setHostsVersion(spec.getFramework() == Framework.HOROVOD ? 1L : null)
                .setShell(spec.getShell())
                .setCheckpointFile(hasFile(spec));
    }

    private static boolean hasFile(TrainJobSpec spec) {
        var checkpoint = spec.getCheckpoint();
        return checkpoint != null && checkpoint.getSignal() == CheckpointSignal.FILE;
    }

    private boolean isPinned() {
        return pool.getBackend() == Backend.NONE;
    }

    private String backendQueue(TrainJobSpec spec) {
        var queue = pool.getBackendQueue();
        return queue == null ? spec.getQueue() : queue;
    }

    private static List<PlannedGroup> groups(TrainJobSpec spec) {
        var roles = spec.getRoles();
        boolean isStaged =
                spec.getFramework() == Framework.PYTORCH
                        && roles.size() > 1
                        && roles.stream().anyMatch(role -> role.getName().equals("master"));
        return isStaged
                ? roles.stream().map(role -> group(role.getName(), List.of(role))).toList()
                : List.of(group(null, roles));
    }

    private static PlannedGroup group(@Nullable String name, List<RoleSpec> roles) {
        var minimum = new TreeMap<String, Integer>();
        var least = new TreeMap<String, Long>();
        for (var role : roles) {
            var min = role.getMin() == null ? role.getReplicas() : role.getMin();
            minimum.put(role.getName(), min);
            var resources = template(role).getContainers().getFirst().getResources();
            var asked = new TreeMap<String, Quantity>();
            Stream.of(resources.getLimits(), resources.getRequests())
                    .filter(Objects::nonNull)
                    .forEach(asked::putAll);
            asked.put("pods", new Quantity("1"));
            asked.forEach((resource, amount) ->
                    least.merge(resource, units(resource, amount) * min, Long::sum));
        }
        return new PlannedGroup(name, minimum, least);
    }

    private static long units(String resource, Quantity amount) {
        var number = amount.getNumericalAmount();
        return (resource.equals("cpu") ? number.movePointRight(3) : number).longValueExact();
    }

    private static PodSpec template(RoleSpec role) {
        return Objects.requireNonNull(
                        Serialization.unmarshal(role.getTemplate(), PodTemplateSpec.class))
                .getSpec();
    }

    private static PlannedRole role(TrainJobSpec spec, RoleSpec role) {
        var template = template(role);
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
                .setWorld(isAwaited(spec, role) ? 1 : 0)
                .build();
    }

    /** Another comes when it has succeeded. */
    private static boolean isAwaited(TrainJobSpec spec, RoleSpec role) {
        return spec.getRoles().stream()
                .map(RoleSpec::getDependsOn)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .anyMatch(on ->
                        on.getRole().equals(role.getName())
                                && on.getPhase() == DependencyPhase.SUCCEEDED);
    }

    private List<PlannedPod> pods(TrainJobSpec spec) {
        var pods = new ArrayList<PlannedPod>();
        for (var role : spec.getRoles()) {
            for (int index = 0; index < role.getReplicas(); index++) {
                int made = pods.size();
                pods.add(
                        PlannedPod.newBuilder()
                                .setRole(role.getName())
                                .setIndex(index)
                                .setIncarnation(made + 1)
                                .setNode(isPinned() ? NODES.get(made % NODES.size()) : null)
                                .setPort(role.getHostNetwork() ? FIRST_PORT + made : null)
                                .setHost(isHost(spec, role))
                                .build());
            }
        }
        return pods;
    }

    private static boolean isHost(TrainJobSpec spec, RoleSpec role) {
        return spec.getFramework() == Framework.HOROVOD && !role.getName().equals("launcher");
    }

    private static int least(TrainJobSpec spec) {
        var gang = spec.getGang();
        var min = gang == null ? null : gang.getMin();
        return min == null ? spec.getRoles().stream().mapToInt(RoleSpec::getReplicas).sum() : min;
    }
}
