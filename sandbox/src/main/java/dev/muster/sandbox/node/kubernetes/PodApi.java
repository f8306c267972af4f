package dev.muster.sandbox.node.kubernetes;

import dev.muster.sandbox.node.core.References;
import dev.muster.sandbox.node.core.Sources;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a node asks and tells the API server about pods. */
public final class PodApi {
    private static final PatchContext STRATEGIC = PatchContext.of(PatchType.STRATEGIC_MERGE);

    private final KubernetesClient client;

    public PodApi(KubernetesClient client) {
        this.client = client;
    }

    /** A client of a node: it rather answers soon than tries long, since all is tried again. */
    public static KubernetesClient connect(Path kubeconfig) {
        var config =
                new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
                        .withRequestTimeout(10_000)
                        .withRequestRetryBackoffLimit(2)
                        .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Watches the pods that are bound to a node, from when the result is started. */
    public SharedIndexInformer<Pod> watch(String node, ResourceEventHandler<Pod> handler) {
        return client.pods()
                .inAnyNamespace()
                .withField("spec.nodeName", node)
                .runnableInformer(0)
                .addEventHandler(handler);
    }

    /**
     * Reports a pod's status, if this very pod is still there. What others wrote into it stays.
     *
     * @throws KubernetesClientException when the API server cannot be reached or refuses
     */
    public void report(Pod pod, PodStatus status) {
        var patch =
                new PodBuilder()
                        .withApiVersion(null)
                        .withKind(null)
                        .withNewMetadata()
                        .withUid(pod.getMetadata().getUid())
                        .endMetadata()
                        .withStatus(status)
                        .build();
        var text = client.getKubernetesSerialization().asJson(patch);
        ifThere(pod, () -> named(pod).subresource("status").patch(STRATEGIC, text));
    }

    /** Removes a pod whose containers are gone, if this very pod is still there. */
    public void remove(Pod pod) {
        var metadata = pod.getMetadata();
        var options =
                new DeleteOptionsBuilder()
                        .withGracePeriodSeconds(0L)
                        .withNewPreconditions()
                        .withUid(metadata.getUid())
                        .endPreconditions()
                        .build();
        var path =
                "/api/v1/namespaces/%s/pods/%s"
                        .formatted(metadata.getNamespace(), metadata.getName());
        ifThere(pod, () -> client.raw(path, "DELETE", options));
    }

    /** A conflict means that another pod has the name now, or only that others write as well. */
    private void ifThere(Pod pod, Runnable call) {
        try {
            call.run();
        } catch (KubernetesClientException e) {
            boolean conflict = e.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && !(conflict && !isThere(pod))) {
                throw e;
            }
        }
    }

    private boolean isThere(Pod pod) {
        var now = named(pod).get();
        return now != null && now.getMetadata().getUid().equals(pod.getMetadata().getUid());
    }

    private PodResource named(Pod pod) {
        var metadata = pod.getMetadata();
        return client.pods().inNamespace(metadata.getNamespace()).withName(metadata.getName());
    }

    /** The config maps and secrets that a pod refers to, as far as they are there. */
    public Sources sources(Pod pod) {
        var wanted = References.of(pod);
        var namespace = pod.getMetadata().getNamespace();
        var maps = new TreeMap<String, Map<String, byte[]>>();
        for (var name : wanted.configMaps()) {
            var map = client.configMaps().inNamespace(namespace).withName(name).get();
            if (map != null) {
                maps.put(name, data(map));
            }
        }
        var secrets = new TreeMap<String, Map<String, byte[]>>();
        for (var name : wanted.secrets()) {
            var secret = client.secrets().inNamespace(namespace).withName(name).get();
            if (secret != null) {
                secrets.put(name, data(secret));
            }
        }
        return new Sources(maps, secrets);
    }

    private static Map<String, byte[]> data(ConfigMap map) {
        var data = new TreeMap<String, byte[]>();
        orEmpty(map.getData())
                .forEach((key, text) -> data.put(key, text.getBytes(StandardCharsets.UTF_8)));
        orEmpty(map.getBinaryData()).forEach((key, text) -> data.put(key, decoded(text)));
        return data;
    }

    private static Map<String, byte[]> data(Secret secret) {
        var data = new TreeMap<String, byte[]>();
        orEmpty(secret.getData()).forEach((key, text) -> data.put(key, decoded(text)));
        return data;
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }

    private static byte[] decoded(String base64) {
        return Base64.getDecoder().decode(base64);
    }
}
