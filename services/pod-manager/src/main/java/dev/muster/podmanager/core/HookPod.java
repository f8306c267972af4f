package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Hook;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds the pod in which the hook of a command of scale runs: what the main container of a rank
 * finds, and nothing that would make it a rank or ask for room.
 */
final class HookPod {
    private HookPod() {}

    /**
     * The pod, whole. What it takes of the rank's template is named here: whatever else a template
     * says is of the rank alone.
     *
     * @param service the job's; null for a job without one
     */
    static Pod of(String installation, Plan plan, Run run, Hook hook, @Nullable Seen service) {
        var like = new PlannedPod(hook.like(), hook.incarnation(), hook.node(), null);
        var role = run.role(hook.like().role());
        var template = role.template().getSpec();
        var main = new PodSpecBuilder(template);
        int index = MainContainer.indexOf(role);
        main.editContainer(index)
                .withEnv(Environment.of(plan, run, like, MainContainer.of(role)))
                .endContainer();
        if (run.hosts() != null) {
            Launching.join(main, plan, like, index, run.hosts());
        }
        if (role.isSpot(beside(run, like))) {
            main.addAllToTolerations(run.spot().tolerations());
        }
        var spec = spec(main.build(), index, plan, hook);
        if (run.priorityClass() != null) {
            spec.withPriorityClassName(run.priorityClass());
        }
        return new PodBuilder()
                .withMetadata(metadata(installation, plan, run, hook, service))
                .withSpec(spec.build())
                .build();
    }

    /** The rank as it is planned, where it is. */
    private static PlannedPod beside(Run run, PlannedPod like) {
        return run.pods().stream()
                .filter(pod -> pod.rank().equals(like.rank()))
                .findFirst()
                .orElse(like);
    }

    private static ObjectMeta metadata(
            String installation, Plan plan, Run run, Hook hook, @Nullable Seen service) {
        var template = run.role(hook.like().role()).template().getMetadata();
        var annotations = new TreeMap<>(run.annotations());
        if (template != null && template.getAnnotations() != null) {
            annotations.putAll(template.getAnnotations());
        }
        // No label of the template: services of the user's choose their pods by them.
        var labels = run.labelsWith(Labels.of(installation, plan, hook.pod()));
        var metadata =
                new ObjectMetaBuilder()
                        .withName(Rank.HOOK.podName(plan.job().job()))
                        .withNamespace(plan.job().job().namespace())
                        .withLabels(labels)
                        .withAnnotations(annotations);
        if (service != null) {
            metadata.withOwnerReferences(HeadlessService.owner(service));
        }
        return metadata.build();
    }

    /** Bound by its plan and not by a scheduler: that the rank is there says that it may be. */
    private static PodSpecBuilder spec(PodSpec rank, int main, Plan plan, Hook hook) {
        return new PodSpecBuilder()
                .withNodeName(hook.node())
                .withRestartPolicy("Never")
                .withActiveDeadlineSeconds(seconds(hook.timeout()))
                .withContainers(container(rank.getContainers().get(main), plan, hook))
                .withVolumes(HookVolumes.of(rank, rank.getContainers().get(main)))
                .withTolerations(rank.getTolerations())
                .withServiceAccountName(serviceAccount(rank))
                .withAutomountServiceAccountToken(rank.getAutomountServiceAccountToken())
                .withImagePullSecrets(rank.getImagePullSecrets())
                .withSecurityContext(rank.getSecurityContext())
                .withRuntimeClassName(rank.getRuntimeClassName())
                .withHostUsers(rank.getHostUsers())
                .withHostAliases(rank.getHostAliases())
                .withDnsPolicy(rank.getDnsPolicy())
                .withDnsConfig(rank.getDnsConfig())
                .withEnableServiceLinks(rank.getEnableServiceLinks())
                .withTerminationGracePeriodSeconds(rank.getTerminationGracePeriodSeconds())
                .withPriorityClassName(rank.getPriorityClassName());
    }

    /** Templates may say it by its older name alone. */
    private static @Nullable String serviceAccount(PodSpec rank) {
        return rank.getServiceAccountName() == null
                ? rank.getServiceAccount()
                : rank.getServiceAccountName();
    }

    private static Container container(Container rank, Plan plan, Hook hook) {
        return new ContainerBuilder()
                .withName(Rank.HOOK.role())
                .withImage(rank.getImage())
                .withImagePullPolicy(rank.getImagePullPolicy())
                .withWorkingDir(rank.getWorkingDir())
                .withCommand(hook.command().stream().map(HookPod::literally).toList())
                .withEnvFrom(rank.getEnvFrom())
                .withEnv(variables(rank, plan, hook))
                .withVolumeMounts(rank.getVolumeMounts())
                .withVolumeDevices(rank.getVolumeDevices())
                .withSecurityContext(rank.getSecurityContext())
                .withTerminationMessagePath(rank.getTerminationMessagePath())
                .withTerminationMessagePolicy(MainContainer.MESSAGE_FROM_LOG)
                .build();
    }

    /** The rank's, but for those of the same name that the hook has. */
    private static List<EnvVar> variables(Container rank, Plan plan, Hook hook) {
        var own = own(plan, hook);
        var all = new ArrayList<EnvVar>();
        HookVolumes.variables(rank)
                .filter(variable -> !own.containsKey(variable.getName()))
                // Nobody asks it to save anything.
                .filter(variable -> !variable.getName().equals(CheckpointFile.VARIABLE))
                .forEach(all::add);
        own.forEach((name, value) ->
                all.add(new EnvVarBuilder().withName(name).withValue(literally(value)).build()));
        return all;
    }

    private static Map<String, String> own(Plan plan, Hook hook) {
        var scale = hook.scale();
        var variables = new LinkedHashMap<String, String>(new TreeMap<>(hook.env()));
        variables.put("MUSTER_SCALE_ID", scale.requestId());
        variables.put("MUSTER_SCALE_ROLE", scale.role());
        variables.put("MUSTER_SCALE_FROM", Integer.toString(scale.from()));
        variables.put("MUSTER_SCALE_TO", Integer.toString(scale.to()));
        variables.put("MUSTER_SCALE_ADDED", names(plan, scale.role(), scale.added()));
        variables.put("MUSTER_SCALE_REMOVED", names(plan, scale.role(), scale.removed()));
        variables.put("MUSTER_HOOK_TRY", Integer.toString(hook.number()));
        return variables;
    }

    private static String names(Plan plan, String role, List<Integer> indices) {
        return indices.stream()
                .map(index -> new Rank(role, index).podName(plan.job().job()))
                .collect(Collectors.joining(","));
    }

    /** Kubernetes expands {@code $(NAME)}, and takes two of these for one. */
    private static String literally(String text) {
        return text.replace("$", "$$");
    }

    private static long seconds(Duration time) {
        return Math.max(1, time.plusMillis(999).toSeconds());
    }
}
