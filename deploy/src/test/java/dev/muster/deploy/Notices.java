package dev.muster.deploy;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** How clouds say that a node is about to go, by the pool's settings as they are. */
final class Notices {
    private static final String TAINT = "cloud.google.com/impending-node-termination";
    private static final String CONDITION = "TerminateScheduled";

    private Notices() {}

    static void byTaint(KubernetesClient client, String node) {
        client.nodes()
                .withName(node)
                .edit(known ->
                        new NodeBuilder(known)
                                .editSpec()
                                .addNewTaint("NoSchedule", TAINT, null, "")
                                .endSpec()
                                .build());
    }

    /** What a taint said. */
    static void takeBack(KubernetesClient client, String node) {
        client.nodes()
                .withName(node)
                .edit(known ->
                        new NodeBuilder(known)
                                .editSpec()
                                .removeMatchingFromTaints(taint -> TAINT.equals(taint.getKey()))
                                .endSpec()
                                .build());
    }

    static void byCondition(KubernetesClient client, String node) {
        client.nodes()
                .withName(node)
                .editStatus(known ->
                        new NodeBuilder(known)
                                .editStatus()
                                .addNewCondition()
                                .withType(CONDITION)
                                .withStatus("True")
                                .endCondition()
                                .endStatus()
                                .build());
    }
}
