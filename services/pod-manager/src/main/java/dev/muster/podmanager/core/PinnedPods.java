package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.List;

/** No backend: each pod goes to the node of its plan, so nobody has to know of the others. */
record PinnedPods() implements GangBackend {
    @Override
    public List<Kind> kinds() {
        return List.of();
    }

    @Override
    public List<HasMetadata> groups(String installation, Plan plan, Run run, Seen anchor) {
        return List.of();
    }

    @Override
    public void join(
            Plan plan, Run run, PlannedPod pod, ObjectMetaBuilder metadata, PodSpecBuilder spec) {
        if (pod.node() != null) {
            spec.withAffinity(Pinning.to(pod.node(), spec.buildAffinity()));
        }
    }
}
