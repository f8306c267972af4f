package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.List;

/**
 * How the scheduler of a pool is told of the pods that it is to bind together, or not at all.
 *
 * <p>A group has the name of its job and attempt, and is never used for another one; it is there
 * before the first of its pods and goes when they do.
 */
sealed interface GangBackend permits PinnedPods, Volcano {
    static GangBackend of(Backend backend) {
        return switch (backend) {
            case NONE -> new PinnedPods();
            case VOLCANO -> new Volcano();
        };
    }

    /** Of its groups. */
    List<Kind> kinds();

    /**
     * The groups of a plan, whole.
     *
     * @param anchor the job's service, with which they go
     */
    List<HasMetadata> groups(String installation, Plan plan, Run run, Seen anchor);

    /** Makes a pod one of its group. */
    void join(Plan plan, Run run, PlannedPod pod, ObjectMetaBuilder metadata, PodSpecBuilder spec);
}
