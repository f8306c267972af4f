package dev.muster.cli.system;

import dev.muster.sandbox.kubernetes.ServiceAccounts;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.Place;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The services' accounts in a cluster, with the rights of a deployment and no others. */
final class Accounts {
    /** Those that have to do with rights. */
    private static final List<String> MANIFESTS =
            List.of("namespace.yaml", "accounts.yaml", "rights.yaml");

    /** As the kustomization says. */
    private static final String NAMESPACE = "muster-system";

    private final KubernetesClient administrator;
    private final List<HasMetadata> objects;

    /**
     * @param manifests the folder of the manifests
     * @throws PartFailedException when they cannot be read
     */
    Accounts(KubernetesClient administrator, Path manifests) {
        this.administrator = administrator;
        this.objects =
                MANIFESTS.stream().flatMap(f -> read(manifests.resolve(f)).stream()).toList();
    }

    private List<HasMetadata> read(Path manifest) {
        try (var text = Files.newInputStream(manifest)) {
            var all = new ArrayList<>(administrator.load(text).items());
            all.stream()
                    .filter(Namespaced.class::isInstance)
                    .forEach(object -> object.getMetadata().setNamespace(NAMESPACE));
            return all;
        } catch (IOException e) {
            throw new PartFailedException("cannot read the manifest: " + e.getMessage(), e);
        }
    }

    /**
     * Makes accounts and rights, and writes the kubeconfig of each account that has a token in a
     * deployment; the others have none here either.
     *
     * @return the kubeconfigs by service, each in the service's folder
     * @throws PartFailedException when the API server refuses something
     */
    Map<String, Path> make(Place place) {
        try {
            for (var object : objects) {
                administrator
                        .resource(object)
                        .fieldManager("muster-up")
                        .forceConflicts()
                        .serverSideApply();
            }
            var kubeconfigs = new TreeMap<String, Path>();
            for (var service : withToken()) {
                var file = place.data(service).resolve("kubeconfig");
                kubeconfigs.put(
                        service,
                        ServiceAccounts.kubeconfig(administrator, NAMESPACE, service, file));
            }
            return kubeconfigs;
        } catch (KubernetesClientException e) {
            throw new PartFailedException(
                    "cannot make the services' accounts: " + e.getMessage(), e);
        }
    }

    /**
     * Makes the namespace alone, where it is missing: somebody else's cluster gets no roles of
     * ours, and whoever named it lends his own rights.
     *
     * @return his kubeconfig by service
     * @throws PartFailedException when the API server refuses something
     */
    Map<String, Path> lend(Path kubeconfig) {
        try {
            for (var object : objects) {
                if (object instanceof Namespace && administrator.resource(object).get() == null) {
                    administrator.resource(object).create();
                }
            }
        } catch (KubernetesClientException e) {
            throw new PartFailedException(
                    "cannot make namespace " + NAMESPACE + ": " + e.getMessage(), e);
        }
        var kubeconfigs = new TreeMap<String, Path>();
        withToken().forEach(service -> kubeconfigs.put(service, kubeconfig));
        return kubeconfigs;
    }

    private List<String> withToken() {
        return objects.stream()
                .filter(ServiceAccount.class::isInstance)
                .map(ServiceAccount.class::cast)
                .filter(account -> !Boolean.FALSE.equals(account.getAutomountServiceAccountToken()))
                .map(account -> account.getMetadata().getName())
                .toList();
    }
}
