package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.Map;
import java.util.TreeMap;

/**
 * The one service of a job: it gives every pod the name {@code <job>-<role>-<index>.<job>}, and
 * owns the pods, so that deleting it collects them.
 */
final class HeadlessService {
    private HeadlessService() {}

    static Service of(String installation, Plan plan, Plan.Run run) {
        var job = plan.job();
        var labels = new TreeMap<>(run.labels());
        labels.putAll(Labels.of(installation, plan));
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
                        .withSelector(
                                new TreeMap<>(
                                        Map.of(
                                                Labels.JOB,
                                                job.job().name(),
                                                Labels.UID,
                                                job.uid())))
                        .endSpec()
                        .build();
        if (run.framework() == Plan.Framework.PYTORCH) {
            service =
                    new ServiceBuilder(service)
                            .editSpec()
                            .addNewPort()
                            .withName("rendezvous")
                            .withPort(run.masterPort())
                            .endPort()
                            .endSpec()
                            .build();
        }
        return service;
    }

    static OwnerReference owner(Seen service) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Service")
                .withName(service.name())
                .withUid(service.uid())
                .build();
    }
}
