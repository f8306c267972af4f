package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Grouping.Group;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Volcano: a PodGroup for the whole gang or for each role, which its pods name. */
record Volcano() implements GangBackend {
    static final String SCHEDULER = "volcano";
    static final String GROUP_NAME = "scheduling.k8s.io/group-name";

    /** Without it Volcano takes all pods of a group for alike. */
    static final String TASK = "volcano.sh/task-spec";

    @Override
    public List<Kind> kinds() {
        return List.of(Kind.VOLCANO_GROUP);
    }

    @Override
    public List<HasMetadata> groups(String installation, Plan plan, Run run, Seen anchor) {
        return run.grouping().groups().stream()
                .map(group -> podGroup(installation, plan, run, group, anchor))
                .toList();
    }

    private static HasMetadata podGroup(
            String installation, Plan plan, Run run, Group group, Seen anchor) {
        var labels = run.labelsWith(Labels.of(installation, plan));
        return new GenericKubernetesResourceBuilder()
                .withApiVersion("scheduling.volcano.sh/v1beta1")
                .withKind("PodGroup")
                .withNewMetadata()
                .withName(GroupNames.of(plan.job().job(), plan.attempt(), group.role()))
                .withNamespace(plan.job().job().namespace())
                .withLabels(labels)
                .withAnnotations(new TreeMap<>(run.annotations()))
                .withOwnerReferences(HeadlessService.owner(anchor))
                .endMetadata()
                .addToAdditionalProperties("spec", spec(run, group))
                .build();
    }

    private static Map<String, Object> spec(Run run, Group group) {
        var spec = new LinkedHashMap<String, Object>();
        spec.put("minMember", group.minimum().values().stream().mapToInt(i -> i).sum());
        spec.put("minTaskMember", group.minimum());
        var resources = new TreeMap<String, Object>();
        group.resources().forEach((name, amount) -> resources.put(name, quantity(name, amount)));
        resources.remove("pods");
        spec.put("minResources", resources);
        spec.put("queue", run.grouping().queue());
        if (run.priorityClass() != null) {
            spec.put("priorityClassName", run.priorityClass());
        }
        return spec;
    }

    private static String quantity(String resource, long amount) {
        return resource.equals("cpu") ? amount + "m" : Long.toString(amount);
    }

    @Override
    public void join(
            Plan plan, Run run, PlannedPod pod, ObjectMetaBuilder metadata, PodSpecBuilder spec) {
        var role = pod.rank().role();
        var own =
                run.grouping().groups().stream()
                        .filter(group -> role.equals(group.role()))
                        .findFirst();
        metadata.addToAnnotations(
                GROUP_NAME,
                GroupNames.of(plan.job().job(), plan.attempt(), own.map(Group::role).orElse(null)));
        metadata.addToAnnotations(TASK, role);
        spec.withSchedulerName(SCHEDULER);
        var grouping = run.grouping();
        if (!grouping.nodes().isEmpty() || !grouping.avoided().isEmpty()) {
            var there = Pinning.among(grouping.nodes(), spec.buildAffinity());
            spec.withAffinity(Pinning.awayFrom(grouping.avoided(), there));
        }
    }
}
