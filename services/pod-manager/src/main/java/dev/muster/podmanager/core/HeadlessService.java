package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.TreeMap;

/**
 * The one service of a job: it gives every pod the name {@code <job>-<role>-<index>.<job>}, and
 * owns the pods, so that deleting it collects them.
 */
final class HeadlessService {
    /** Of the service, and of what a pod on its node's network listens at. */
    static final String PORT = "rendezvous";

    private HeadlessService() {}

    static Service of(String installation, Plan plan, Plan.Run run) {
        var job = plan.job();
        var labels = run.labelsWith(Labels.of(installation, plan));
        var service =
                new ServiceBuilder()
                        .withNewMetadata()
                        .withName(job.job().name())
                        .withNamespace(job.job().namespace())
                        .withLabels(labels)
                        .withAnnotations(new TreeMap<>(run.annotations()))
                        .endMetadata()
                        .withNewSpec()
                        .withClusterIP("None")
                        // Ranks look for each other before any of them is ready.
                        .withPublishNotReadyAddresses(true)
                        .withSelector(Labels.ofGang(job))
                        .endSpec()
                        .build();
        boolean onHosts = run.roles().stream().anyMatch(Plan.Role::hostNetwork);
        if (onHosts || run.framework() == Plan.Framework.PYTORCH) {
            service =
                    new ServiceBuilder(service)
                            .editSpec()
                            .addNewPort()
                            .withName(PORT)
                            .withPort(run.masterPort())
                            // By name where each pod listens elsewhere: their SRV records say it.
                            .withTargetPort(onHosts ? new IntOrString(PORT) : null)
                            .endPort()
                            .endSpec()
                            .build();
        }
        return service;
    }

    /** Of what a job has besides pods, and that goes with its service. */
    static ObjectMeta owned(
            String name, String installation, Plan plan, Plan.Run run, Seen anchor) {
        var labels = run.labelsWith(Labels.of(installation, plan));
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(plan.job().job().namespace())
                .withLabels(labels)
                .withAnnotations(new TreeMap<>(run.annotations()))
                .withOwnerReferences(owner(anchor))
                .build();
    }

    /** As controller, so that nobody else adopts what only looks like his. */
    static OwnerReference owner(Seen service) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Service")
                .withName(service.name())
                .withUid(service.uid())
                .withController(true)
                .build();
    }
}
