package dev.muster.sandbox.node.kubernetes;

import dev.muster.sandbox.node.core.NodeShape;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;

/** A node's registration and its signs of life. */
public final class NodeApi {
    private static final String LEASES = "kube-node-lease";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final Duration LEASE = Duration.ofSeconds(40);

    /** How often one edit is tried when others write at the same time. */
    private static final int EDITS = 20;

    private final KubernetesClient client;
    private final NodeShape shape;
    private final int kubeletPort;

    public NodeApi(KubernetesClient client, NodeShape shape, int kubeletPort) {
        this.client = client;
        this.shape = shape;
        this.kubeletPort = kubeletPort;
    }

    /**
     * Makes the node known and ready. A node of that name is taken over, with what others wrote
     * into it.
     *
     * @throws KubernetesClientException when the API server cannot be reached or refuses
     */
    public void register(Instant now) {
        var wanted = shape.node();
        create(wanted);
        edit(node ->
                new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels(wanted.getMetadata().getLabels())
                        .endMetadata()
                        .build());
        beat(now);
        report(true, now);
        takeOffNotReady();
    }

    /** Says that the node lives: its lease. */
    public void beat(Instant now) {
        var at = ZonedDateTime.ofInstant(now.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
        var leases = client.leases().inNamespace(LEASES).withName(shape.name());
        var known = leases.get();
        if (known != null) {
            known.getSpec().setRenewTime(at);
            client.resource(known).update();
            return;
        }
        // The API server makes the namespace by itself, but not at once.
        var namespace = client.namespaces().withName(LEASES);
        if (namespace.get() == null) {
            ifAbsent(() ->
                    client.resource(
                                    new NamespaceBuilder()
                                            .withNewMetadata()
                                            .withName(LEASES)
                                            .endMetadata()
                                            .build())
                            .create());
        }
        ifAbsent(() ->
                client.resource(
                                new LeaseBuilder()
                                        .withNewMetadata()
                                        .withNamespace(LEASES)
                                        .withName(shape.name())
                                        .endMetadata()
                                        .withNewSpec()
                                        .withHolderIdentity(shape.name())
                                        .withLeaseDurationSeconds((int) LEASE.toSeconds())
                                        .withRenewTime(at)
                                        .endSpec()
                                        .build())
                        .create());
    }

    /** Reports the node's status. */
    public void report(boolean ready, Instant now) {
        againWhileOthersWrite(() -> {
            var node = read();
            var status = shape.status(kubeletPort, ready, conditions(node), now);
            client.resource(new NodeBuilder(node).withStatus(status).build()).updateStatus();
        });
    }

    private void create(Node node) {
        ifAbsent(() -> client.resource(node).create());
    }

    /**
     * New nodes get this taint from the API server. The node lifecycle controller takes it off a
     * ready node, some time later; where there is none, nobody would.
     */
    private void takeOffNotReady() {
        edit(node ->
                new NodeBuilder(node)
                        .editSpec()
                        .removeMatchingFromTaints(taint -> NOT_READY.equals(taint.getKey()))
                        .endSpec()
                        .build());
    }

    /**
     * The whole node as it was read, and not a patch of what differs: a patch says which of the
     * taints by its place in the list, and others change that list.
     */
    void edit(UnaryOperator<Node> change) {
        againWhileOthersWrite(() -> client.resource(change.apply(read())).update());
    }

    private Node read() {
        var node = client.nodes().withName(shape.name()).get();
        if (node == null) {
            throw new KubernetesClientException("node " + shape.name() + " was deleted");
        }
        return node;
    }

    /** The controller-manager writes into nodes too; whoever comes second reads again. */
    private static void againWhileOthersWrite(Runnable edit) {
        for (int tries = 1; ; tries++) {
            try {
                edit.run();
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || tries == EDITS) {
                    throw e;
                }
            }
        }
    }

    private static List<NodeCondition> conditions(Node node) {
        NodeStatus status = node.getStatus();
        return status == null ? List.of() : status.getConditions();
    }

    private static void ifAbsent(Runnable creation) {
        try {
            creation.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }
}
