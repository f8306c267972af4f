package dev.muster.watcher.kubernetes;

import dev.muster.watcher.core.Groups;
import dev.muster.watcher.core.NodeLeases;
import dev.muster.watcher.core.Nodes;
import dev.muster.watcher.core.OtherInstallations;
import dev.muster.watcher.core.Pods;
import dev.muster.watcher.core.Pools;
import dev.muster.watcher.core.Quotas;
import dev.muster.watcher.core.RestartRequests;
import dev.muster.watcher.core.ShardEvent;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.ListBegins;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.Shards;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches all pods, nodes with their leases, and quotas, and says what happens to them to the
 * shards that they concern.
 */
public final class ClusterWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    /**
     * Objects in one answer. A list in pages is read from the store, never from a stale cache: it
     * has all that anybody saw before it began.
     */
    private static final long PAGE = 500;

    /** Where kubelets have their leases. */
    private static final String NODE_LEASES = "kube-node-lease";

    private final Pods reader;
    private final OtherInstallations others;
    private final Shards shards;
    private final List<Consumer<ShardEvent>> listeners;
    private final KindWatch<Pod> pods;
    private final KindWatch<Node> nodes;
    private final KindWatch<Lease> leases;
    private final KindWatch<ResourceQuota> quotas;
    private final KindWatch<GenericKubernetesResource> groups;
    private final Groups groupReader;
    private final KindWatch<GenericKubernetesResource> restarts;
    private final RestartRequests restartReader;
    private boolean groupsWatched;
    private boolean restartsWatched;

    /**
     * @param tries the client's
     */
    ClusterWatch(
            KubernetesClient client,
            WatchTries tries,
            Pods reader,
            Shards shards,
            List<Consumer<ShardEvent>> listeners) {
        this.reader = reader;
        this.others = new OtherInstallations(reader.installation());
        this.shards = shards;
        this.listeners = List.copyOf(listeners);
        pods =
                new KindWatch<>(
                        () -> client.pods().inAnyNamespace().withLimit(PAGE).runnableInformer(0),
                        Pod::new,
                        new OfPods(),
                        () -> toAll(new ListBegins(Kind.PODS)));
        nodes =
                new KindWatch<>(
                        () -> client.nodes().withLimit(PAGE).runnableInformer(0),
                        Node::new,
                        new OfNodes(),
                        () -> toAll(new ListBegins(Kind.NODES)));
        quotas =
                new KindWatch<>(
                        () ->
                                client.resourceQuotas()
                                        .inAnyNamespace()
                                        .withLimit(PAGE)
                                        .runnableInformer(0),
                        ResourceQuota::new,
                        new OfQuotas(),
                        () -> toAll(new ListBegins(Kind.QUOTAS)));
        leases =
                new KindWatch<>(
                        () ->
                                client.leases()
                                        .inNamespace(NODE_LEASES)
                                        .withLimit(PAGE)
                                        .runnableInformer(0),
                        Lease::new,
                        new OfLeases(),
                        () -> {});
        groupReader = new Groups(reader.installation());
        groups =
                new KindWatch<>(
                        () ->
                                client.genericKubernetesResources(OperatorKinds.POD_GROUPS)
                                        .inAnyNamespace()
                                        .withLimit(PAGE)
                                        .runnableInformer(0),
                        GenericKubernetesResource::new,
                        new OfGroups(),
                        () -> {});
        restartReader = new RestartRequests(reader);
        restarts =
                new KindWatch<>(
                        () ->
                                client.genericKubernetesResources(OperatorKinds.RESTART_REQUESTS)
                                        .inAnyNamespace()
                                        .withLabel(
                                                RestartRequests.INSTALLATION, reader.installation())
                                        .withLimit(PAGE)
                                        .runnableInformer(0),
                        GenericKubernetesResource::new,
                        new OfRestarts(),
                        () -> {});
        tries.tell("pods", pods);
        tries.tell("nodes", nodes);
        tries.tell("resourcequotas", quotas);
    }

    /** Begins to watch, and goes on until closed, whether or not the API server answers. */
    public void start() {
        pods.begin();
        nodes.begin();
        leases.begin();
        quotas.begin();
    }

    /**
     * Lists anew what counts as gone where it is not listed, if it was listed before: a watch may
     * be behind, and nothing of it says how far.
     */
    public void listAnew() {
        pods.beginAnew();
        nodes.beginAnew();
        quotas.beginAnew();
    }

    /** Something that counts as gone where it is not listed is not heard of. */
    public boolean isDeaf() {
        return pods.isRefused() || nodes.isRefused() || quotas.isRefused();
    }

    /**
     * Begins to watch Volcano's groups, if it has not yet; where the cluster does not have them, it
     * tries again and again.
     */
    public synchronized void watchGroups() {
        if (!groupsWatched) {
            groupsWatched = true;
            groups.begin();
        }
    }

    /** The same of requests to OpenKruise to start containers again. */
    public synchronized void watchRestarts() {
        if (!restartsWatched) {
            restartsWatched = true;
            restarts.begin();
        }
    }

    /** The pools are now these. */
    public void use(Pools now) {
        warn(others.use(now));
    }

    private static void warn(List<OtherInstallations.Finding> found) {
        for (var finding : found) {
            LOG.atWarn()
                    .addKeyValue("pool", finding.pool())
                    .addKeyValue("installation", finding.installation())
                    .addKeyValue("namespace", finding.pod().namespace())
                    .addKeyValue("name", finding.pod().name())
                    .log(
                            "a pod of a pool of ours is of another installation and counts as"
                                    + " foreign; if it should be ours, pod-manager.installation is"
                                    + " not watcher.installation");
        }
    }

    @Override
    public void close() {
        pods.close();
        nodes.close();
        leases.close();
        quotas.close();
        groups.close();
        restarts.close();
    }

    private void toShardOf(HasMetadata object, ShardEvent event) {
        listeners.get(shards.of(object.getMetadata().getNamespace())).accept(event);
    }

    /** The one that tells of nodes. */
    private void toFirst(ShardEvent event) {
        listeners.getFirst().accept(event);
    }

    private void toAll(ShardEvent event) {
        listeners.forEach(listener -> listener.accept(event));
    }

    /** An object that cannot be read must not end the watch of all others. */
    private static void reading(HasMetadata object, Runnable read) {
        try {
            read.run();
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("kind", object.getKind())
                    .addKeyValue("namespace", object.getMetadata().getNamespace())
                    .addKeyValue("name", object.getMetadata().getName())
                    .setCause(e)
                    .log("an object cannot be read and is left out");
        }
    }

    private final class OfPods implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            warn(others.heard(pod));
            if (reader.isUnreadable(pod)) {
                LOG.atWarn()
                        .addKeyValue("namespace", pod.getMetadata().getNamespace())
                        .addKeyValue("name", pod.getMetadata().getName())
                        .log(
                                "a pod says that it is ours but its name or labels do not; it"
                                        + " counts as foreign");
            }
            changed(pod);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            changed(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean finalStateUnknown) {
            toShardOf(pod, new ShardEvent.PodDeleted(Pods.nameOf(pod)));
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            toAll(new Listed(Kind.PODS));
        }

        private void changed(Pod pod) {
            reading(pod, () -> toShardOf(pod, new ShardEvent.PodChanged(reader.read(pod))));
        }
    }

    private final class OfNodes implements ResourceEventHandler<Node> {
        @Override
        public void onAdd(Node node) {
            reading(node, () -> toAll(new ShardEvent.NodeChanged(Nodes.read(node))));
        }

        @Override
        public void onUpdate(Node before, Node node) {
            onAdd(node);
        }

        @Override
        public void onDelete(Node node, boolean finalStateUnknown) {
            toAll(new ShardEvent.NodeDeleted(node.getMetadata().getName()));
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            toAll(new Listed(Kind.NODES));
        }
    }

    /** Nobody waits for their list: without the right to watch them, Ready alone tells. */
    private final class OfLeases implements ResourceEventHandler<Lease> {
        @Override
        public void onAdd(Lease lease) {
            reading(lease, () -> NodeLeases.read(lease).ifPresent(ClusterWatch.this::toFirst));
        }

        @Override
        public void onUpdate(Lease before, Lease lease) {
            onAdd(lease);
        }

        @Override
        public void onDelete(Lease lease, boolean finalStateUnknown) {
            toFirst(new ShardEvent.NodeLeaseDeleted(lease.getMetadata().getName()));
        }
    }

    private final class OfGroups implements ResourceEventHandler<GenericKubernetesResource> {
        @Override
        public void onAdd(GenericKubernetesResource group) {
            reading(
                    group,
                    () ->
                            groupReader
                                    .read(group)
                                    .ifPresent(report ->
                                            toShardOf(group, new ShardEvent.GroupChanged(report))));
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource group) {
            onAdd(group);
        }

        @Override
        public void onDelete(GenericKubernetesResource group, boolean finalStateUnknown) {
            var meta = group.getMetadata();
            toShardOf(group, new ShardEvent.GroupDeleted(meta.getNamespace(), meta.getName()));
        }
    }

    private final class OfRestarts implements ResourceEventHandler<GenericKubernetesResource> {
        @Override
        public void onAdd(GenericKubernetesResource request) {
            reading(
                    request,
                    () ->
                            restartReader
                                    .read(request)
                                    .ifPresent(failed ->
                                            toShardOf(
                                                    request,
                                                    new ShardEvent.RestartFailed(failed))));
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource request) {
            onAdd(request);
        }

        @Override
        public void onDelete(GenericKubernetesResource request, boolean finalStateUnknown) {
            var meta = request.getMetadata();
            toShardOf(
                    request,
                    new ShardEvent.RestartRequestDeleted(meta.getNamespace(), meta.getName()));
        }
    }

    private final class OfQuotas implements ResourceEventHandler<ResourceQuota> {
        @Override
        public void onAdd(ResourceQuota quota) {
            reading(quota, () -> toShardOf(quota, new ShardEvent.QuotaChanged(Quotas.read(quota))));
        }

        @Override
        public void onUpdate(ResourceQuota before, ResourceQuota quota) {
            onAdd(quota);
        }

        @Override
        public void onDelete(ResourceQuota quota, boolean finalStateUnknown) {
            var meta = quota.getMetadata();
            toShardOf(quota, new ShardEvent.QuotaDeleted(meta.getNamespace(), meta.getName()));
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            toAll(new Listed(Kind.QUOTAS));
        }
    }
}
