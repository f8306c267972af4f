package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds the pods of a plan from the templates of its roles. */
final class Pods {
    /**
     * Who is placed on a node that somebody else has taken meanwhile is placed anew and evicts
     * nobody. The API server refuses it beside a class that says otherwise, and of a pod without a
     * class always.
     */
    private static final String PREEMPT_NOBODY = "Never";

    private final String installation;

    /**
     * What a pod finds in its cluster.
     *
     * @param service the job's; null for a job without one
     */
    record Around(@Nullable Seen service, Restarting restarting) {}

    Pods(String installation) {
        this.installation = installation;
    }

    /**
     * One pod, whole. The template is the user's: it is kept but for what Muster has to set. Only
     * the main container gets variables; sidecars are left alone.
     *
     * @param around what is there already
     */
    Pod pod(Plan plan, Run run, PlannedPod pod, Around around) {
        var role = run.role(pod.rank().role());
        var metadata = metadata(plan, run, pod, role, around.service());
        var spec = spec(plan, run, pod, role);
        RestartRequest.allow(spec, MainContainer.indexOf(role), role, around.restarting());
        GangBackend.of(run.grouping().backend()).join(plan, run, pod, metadata, spec);
        return new PodBuilder().withMetadata(metadata.build()).withSpec(spec.build()).build();
    }

    private ObjectMetaBuilder metadata(
            Plan plan, Run run, PlannedPod pod, Role role, @Nullable Seen service) {
        var job = plan.job().job();
        var template = role.template().getMetadata();
        var labels = new TreeMap<>(run.labels());
        var annotations = new TreeMap<>(run.annotations());
        if (template != null) {
            labels.putAll(orEmpty(template.getLabels()));
            annotations.putAll(orEmpty(template.getAnnotations()));
        }
        labels.putAll(Labels.of(installation, plan, pod));
        var metadata =
                new ObjectMetaBuilder()
                        .withName(pod.rank().podName(job))
                        .withNamespace(job.namespace())
                        .withLabels(labels)
                        .withAnnotations(annotations);
        if (template != null) {
            metadata.withFinalizers(template.getFinalizers());
        }
        if (service != null) {
            metadata.withOwnerReferences(HeadlessService.owner(service));
        }
        return metadata;
    }

    private static PodSpecBuilder spec(Plan plan, Run run, PlannedPod pod, Role role) {
        var template = role.template().getSpec();
        int main = MainContainer.indexOf(role);
        var container = template.getContainers().get(main);
        var spec =
                new PodSpecBuilder(template)
                        .withRestartPolicy(MainContainer.policyOfPod(role))
                        .editContainer(main)
                        .withRestartPolicy(MainContainer.policy(container))
                        .withTerminationMessagePolicy(MainContainer.lastWords(container))
                        .withEnv(Environment.of(plan, run, pod, container))
                        .endContainer();
        if (run.checkpoint().file()) {
            CheckpointFile.join(spec, main);
        }
        if (run.hosts() != null) {
            Launching.join(spec, plan, pod, main, run.hosts());
        }
        if (role.hostNetwork()) {
            HostNetwork.join(spec, main, pod.port());
        }
        if (role.isSpot(pod)) {
            ask(spec, template, run.spot());
        }
        if (pod.memory() != null) {
            var resources =
                    MainContainer.withMemory(pod.memory(), template.getContainers().get(main));
            spec.editContainer(main).withResources(resources).endContainer();
        }
        if (run.wantsService()) {
            spec.withHostname(pod.rank().podName(plan.job().job()))
                    .withSubdomain(plan.job().job().name());
        }
        if (run.priorityClass() != null) {
            spec.withPriorityClassName(run.priorityClass());
        }
        if (isSaid(spec.getPriorityClassName())) {
            spec.withPreemptionPolicy(PREEMPT_NOBODY);
        }
        return spec;
    }

    private static boolean isSaid(@Nullable String name) {
        return name != null && !name.isEmpty();
    }

    /** What the template asks for itself goes before what the pool says of spot pods. */
    private static void ask(PodSpecBuilder spec, PodSpec template, Plan.Spot spot) {
        var selector = new TreeMap<>(spot.selector());
        selector.putAll(orEmpty(template.getNodeSelector()));
        spec.withNodeSelector(selector.isEmpty() ? null : selector)
                .addAllToTolerations(spot.tolerations());
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> values) {
        return values == null ? Map.of() : values;
    }
}
