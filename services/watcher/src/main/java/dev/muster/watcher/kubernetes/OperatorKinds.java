package dev.muster.watcher.kubernetes;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** What operators besides Kubernetes itself tell by, where they are installed. */
final class OperatorKinds {
    static final ResourceDefinitionContext POD_GROUPS =
            new ResourceDefinitionContext.Builder()
                    .withGroup("scheduling.volcano.sh")
                    .withVersion("v1beta1")
                    .withKind("PodGroup")
                    .withPlural("podgroups")
                    .withNamespaced(true)
                    .build();

    static final ResourceDefinitionContext RESTART_REQUESTS =
            new ResourceDefinitionContext.Builder()
                    .withGroup("apps.kruise.io")
                    .withVersion("v1alpha1")
                    .withKind("ContainerRecreateRequest")
                    .withPlural("containerrecreaterequests")
                    .withNamespaced(true)
                    .build();

    private OperatorKinds() {}
}
