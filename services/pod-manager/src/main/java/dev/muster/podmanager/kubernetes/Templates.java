package dev.muster.podmanager.kubernetes;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Reads pod templates. */
public final class Templates {
    private Templates() {}

    /**
     * Reads one.
     *
     * @param json a Kubernetes PodTemplateSpec; fields that this client does not know are kept
     * @throws IllegalArgumentException when it is none
     */
    public static PodTemplateSpec parse(String json) {
        try {
            var template = Serialization.unmarshal(json, PodTemplateSpec.class);
            if (template == null) {
                throw new IllegalArgumentException("the pod template is empty");
            }
            return template;
        } catch (KubernetesClientException | ClassCastException e) {
            throw new IllegalArgumentException("no pod template: " + e.getMessage(), e);
        }
    }
}
