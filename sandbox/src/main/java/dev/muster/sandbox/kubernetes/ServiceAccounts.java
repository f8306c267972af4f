package dev.muster.sandbox.kubernetes;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;

/** Kubeconfigs of service accounts: what a service in the cluster would be. */
public final class ServiceAccounts {
    /** A sandbox may stay up for a while. */
    private static final Duration VALID = Duration.ofDays(365);

    private ServiceAccounts() {}

    /**
     * Writes the kubeconfig of a service account that is there already.
     *
     * @param admin a client that may make tokens
     * @param file where to write; its folder is there
     */
    public static Path kubeconfig(
            KubernetesClient admin, String namespace, String name, Path file) {
        var token =
                admin.serviceAccounts()
                        .inNamespace(namespace)
                        .withName(name)
                        .tokenRequest(
                                new TokenRequestBuilder()
                                        .withNewSpec()
                                        .withExpirationSeconds(VALID.toSeconds())
                                        .endSpec()
                                        .build());
        var authority = admin.getConfiguration().getCaCertData();
        return new Kubeconfig(admin.getMasterUrl().toString(), authority)
                .write(file, namespace + "/" + name, token.getStatus().getToken());
    }
}
