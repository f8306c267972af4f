package dev.muster.sandbox.node;

import dev.muster.sandbox.node.core.PodRules;
import dev.muster.sandbox.node.core.PodRun;
import dev.muster.sandbox.node.core.PodShape;
import dev.muster.sandbox.node.core.PodStatuses;
import dev.muster.sandbox.node.kubernetes.PodApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the API server of one pod, only when there is something new. */
final class PodReport {
    private final PodApi api;
    private final PodShape shape;
    private final PodRules rules;
    private @Nullable PodStatus reported;

    PodReport(PodApi api, PodShape shape, PodRules rules) {
        this.api = api;
        this.shape = shape;
        this.rules = rules;
    }

    /**
     * Reports the pod if its status is not the one that was reported last.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server cannot be
     *     reached or refuses; it is then tried again at the next call
     */
    void send(Pod pod, PodRun run, boolean over) {
        var status =
                new PodStatuses(pod, shape, rules).of(run, over, conditions(pod), Instant.now());
        if (!status.equals(reported)) {
            api.report(pod, status);
            reported = status;
        }
    }

    private List<PodCondition> conditions(Pod pod) {
        if (reported != null) {
            return reported.getConditions();
        }
        return pod.getStatus() == null ? List.of() : pod.getStatus().getConditions();
    }
}
