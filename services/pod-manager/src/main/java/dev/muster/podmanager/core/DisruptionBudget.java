package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** Keeps the pods of a job from being evicted by choice, as in the draining of a node. */
final class DisruptionBudget {
    private DisruptionBudget() {}

    /**
     * @param least how many pods have to be left
     * @param anchor the job's service, with which it goes
     */
    static PodDisruptionBudget of(
            String installation, Plan plan, Plan.Run run, int least, Seen anchor) {
        var job = plan.job();
        return new PodDisruptionBudgetBuilder()
                .withMetadata(
                        HeadlessService.owned(job.job().name(), installation, plan, run, anchor))
                .withNewSpec()
                // A number: of pods without a controller of Kubernetes' own it counts no share.
                .withNewMinAvailable(least)
                .withNewSelector()
                .withMatchLabels(Labels.ofGang(job))
                .endSelector()
                // What does not work anyway may go.
                .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                .endSpec()
                .build();
    }
}
