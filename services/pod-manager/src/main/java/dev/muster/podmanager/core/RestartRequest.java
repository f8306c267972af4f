package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Asks OpenKruise to start the main container of a pod again: one ContainerRecreateRequest for each
 * incarnation, which stays as long as its pod, so that nobody asks twice. Whether the container did
 * start again is seen in the pod, never in the request.
 */
final class RestartRequest {
    /** Beyond what the old container has to end; nobody waits for the new one any longer. */
    private static final long DEADLINE_SECONDS = 60;

    /** What a container ends with that is told or made to end. */
    private static final List<Integer> STOPPED = List.of(137, 143);

    private RestartRequest() {}

    static String name(String pod, int incarnation) {
        return pod + "-" + incarnation;
    }

    /**
     * What is to be asked for now. Whosever a request of that name is: what it asks for is not
     * asked for twice.
     */
    static List<Action> missing(
            String installation, Plan plan, Run run, Listing listing, Map<String, Seen> there) {
        var asked = new HashSet<String>();
        listing.objects().stream()
                .filter(o -> o.kind() == Kind.RESTART_REQUEST)
                .forEach(o -> asked.add(o.name()));
        var actions = new ArrayList<Action>();
        for (var planned : run.pods()) {
            var pod = there.get(planned.rank().podName(plan.job().job()));
            if (planned.inPlace() > 0
                    && pod != null
                    && !pod.deleting()
                    && isMaking(pod, planned.incarnation())
                    && asked.add(name(pod.name(), planned.inPlace()))) {
                var role = run.role(planned.rank().role());
                var spec = spec(pod, role, run.grace());
                actions.add(new AskRestart(of(installation, plan, run, planned, pod, spec)));
            }
        }
        return actions;
    }

    private static boolean isMaking(Seen pod, int incarnation) {
        var making = Objects.requireNonNull(pod.mark()).making();
        return making != null && making.incarnation() == incarnation;
    }

    private static HasMetadata of(
            String installation,
            Plan plan,
            Run run,
            PlannedPod planned,
            Seen pod,
            Map<String, Object> spec) {
        var asked =
                new PlannedPod(planned.rank(), planned.inPlace(), planned.node(), planned.port());
        var labels = run.labelsWith(Labels.of(installation, plan, asked));
        return new GenericKubernetesResourceBuilder()
                .withApiVersion("apps.kruise.io/v1alpha1")
                .withKind("ContainerRecreateRequest")
                .withNewMetadata()
                .withName(name(pod.name(), planned.inPlace()))
                .withNamespace(plan.job().job().namespace())
                .withLabels(labels)
                .withAnnotations(new TreeMap<>(run.annotations()))
                .withOwnerReferences(
                        new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("Pod")
                                .withName(pod.name())
                                .withUid(pod.uid())
                                .build())
                .endMetadata()
                .addToAdditionalProperties("spec", spec)
                .build();
    }

    /**
     * @param grace how long the old container may take to end; null: as long as its pod says
     */
    private static Map<String, Object> spec(Seen pod, Role role, @Nullable Duration grace) {
        var strategy = new TreeMap<String, Object>(Map.of("failurePolicy", "Fail"));
        long deadline = DEADLINE_SECONDS;
        if (grace != null) {
            long seconds = Reconcile.graceSeconds(grace);
            strategy.put("terminationGracePeriodSeconds", seconds);
            deadline += seconds;
        }
        return Map.of(
                "podName",
                pod.name(),
                "containers",
                List.of(Map.of("name", role.mainContainer())),
                "strategy",
                strategy,
                "activeDeadlineSeconds",
                deadline);
    }

    /**
     * Lets the kubelet start the main container again after the codes of the role, and, where it
     * may be asked for, after what ends a container that was told to. A policy that the template
     * has for its container stays.
     */
    static void allow(PodSpecBuilder spec, int main, Role role, Restarting restarting) {
        Container container = spec.buildContainer(main);
        if (!restarting.rules()
                || role.restartCodes().isEmpty()
                || container.getRestartPolicy() != null) {
            return;
        }
        var codes = new TreeSet<>(role.restartCodes());
        if (restarting.requests()) {
            codes.addAll(STOPPED);
        }
        spec.editContainer(main)
                .withRestartPolicy("Never")
                .addNewRestartPolicyRule()
                .withAction("Restart")
                .withNewExitCodes()
                .withOperator("In")
                .addAllToValues(codes)
                .endExitCodes()
                .endRestartPolicyRule()
                .endContainer();
    }
}
