package dev.muster.watcher.kubernetes;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.watcher.core.Pods;
import dev.muster.watcher.core.ShardEvent;
import dev.muster.watcher.core.Shards;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** The API server that is watched, found as kubectl finds it. */
public final class Cluster implements AutoCloseable {
    private final WatchTries tries = new WatchTries();

    private final KubernetesClient client;

    /** On a connection of their own: an answer of theirs does not wait behind a long list. */
    private final KubernetesClient leases = new KubernetesClientBuilder().build();

    /** Who manages which field is a third of a pod's text, and nobody here asks for it. */
    @JsonIgnoreProperties("managedFields")
    private interface WithoutManagers {}

    /**
     * Asks nothing yet.
     *
     * @param webSockets whether watches are tried by them; else they are plain HTTP from the
     *     beginning
     */
    public Cluster(boolean webSockets) {
        client =
                new KubernetesClientBuilder()
                        .withConfig(config(webSockets))
                        .withKubernetesSerialization(
                                new KubernetesSerialization(
                                        new ObjectMapper()
                                                .addMixIn(ObjectMeta.class, WithoutManagers.class),
                                        true))
                        .withHttpClientBuilderConsumer(
                                http -> http.addOrReplaceInterceptor("watch-tries", tries))
                        .build();
    }

    /**
     * As kubectl's. What answers a web socket with 503 the client tries for minutes before it
     * watches by plain HTTP, each time that a watch begins.
     */
    static Config config(boolean webSockets) {
        return new ConfigBuilder().withOnlyHttpWatches(!webSockets).build();
    }

    /**
     * The watch of all pods, nodes with their leases, and quotas, not started yet.
     *
     * @param listeners one per shard; each is called by one thread per kind of object
     */
    public ClusterWatch watch(Pods reader, Shards shards, List<Consumer<ShardEvent>> listeners) {
        return new ClusterWatch(client, tries, reader, shards, listeners);
    }

    /**
     * A candidate for a shard's Lease, not started yet.
     *
     * @param time monotonic
     */
    public ShardLease lease(
            ShardLease.Name name,
            ShardLease.Timing timing,
            InstantSource time,
            ShardLease.Listener listener,
            ShardLease.Self self) {
        return new ShardLease(leases, name, timing, time, listener, self);
    }

    /** Made up pods, to be read as those of the cluster are. */
    public RehearsedPods rehearsed(Pods reader) {
        return new RehearsedPods(client.getKubernetesSerialization(), reader);
    }

    @Override
    public void close() {
        client.close();
        leases.close();
    }
}
