package dev.muster.deploy;

import dev.muster.sandbox.node.NodePart;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Small local nodes, each of which belongs to one job for a while: its workers go there, and once
 * they are let in elsewhere, to the node of {@link TheSystem}.
 *
 * @param owner their names, but for the number
 */
record SpareNodes(
        String owner,
        List<OwnNodes> all,
        Deque<String> free,
        Map<String, String> lent,
        Set<String> dead)
        implements AutoCloseable {
    private static final String COMMON = "local";

    SpareNodes(String owner) {
        this(owner, new ArrayList<>(), new ArrayDeque<>(), new HashMap<>(), new HashSet<>());
    }

    /** What the job's workers ask of a node, as YAML of a pod's spec. */
    static String only(String owner, String job) {
        return "nodeSelector: {%s: here}, tolerations: [{key: muster.test/only, operator: Exists}]"
                .formatted(label(owner, job));
    }

    private static String label(String owner, String job) {
        return "muster.test/" + owner + "-" + job;
    }

    /** Gives the job one; another one is only started if none is free. */
    void lend(String job) {
        if (free.isEmpty()) {
            var more = OwnNodes.mortal(owner, List.of("100m"), all.size());
            all.add(more);
            free.add(more.nodes().getFirst().name());
        }
        var node = free.remove();
        lent.put(job, node);
        letIn(job, node);
    }

    /** From now on the job's workers may go to the common node, too. */
    void letInElsewhere(String job) {
        letIn(job, COMMON);
    }

    private void letIn(String job, String node) {
        try (var client = TheSystem.administrator()) {
            client.nodes()
                    .withName(node)
                    .edit(known ->
                            new NodeBuilder(known)
                                    .editMetadata()
                                    .addToLabels(label(owner, job), "here")
                                    .endMetadata()
                                    .build());
        }
    }

    String of(String job) {
        return lent.getOrDefault(job, "");
    }

    /** Its node is about to go. */
    void announceEnd(String job) {
        try (var client = TheSystem.administrator()) {
            Notices.byTaint(client, of(job));
        }
    }

    /** Its node dies with all that runs there, and the cluster knows at once that it is silent. */
    void kill(String job) {
        var node = of(job);
        var _ = part(node).process().kill();
        dead.add(node);
        try (var client = TheSystem.administrator()) {
            client.nodes()
                    .withName(node)
                    .editStatus(known ->
                            new NodeBuilder(known)
                                    .editStatus()
                                    .editMatchingCondition(of -> "Ready".equals(of.getType()))
                                    .withStatus("Unknown")
                                    .endCondition()
                                    .endStatus()
                                    .build());
        }
    }

    private NodePart part(String node) {
        return all.stream()
                .flatMap(own -> own.nodes().stream())
                .filter(part -> part.name().equals(node))
                .findFirst()
                .orElseThrow();
    }

    /** Somebody says that its node does not come back, if it is dead. */
    void bury(String job) {
        if (dead.contains(of(job))) {
            try (var client = TheSystem.administrator()) {
                client.nodes().withName(of(job)).delete();
            }
        }
    }

    /** The job has ended; its node is as it was before, unless it is dead. */
    void giveBack(String job) {
        bury(job);
        var node = of(job);
        lent.remove(job);
        try (var client = TheSystem.administrator()) {
            lock(client, job, COMMON);
            if (!dead.contains(node)) {
                Notices.takeBack(client, node);
                lock(client, job, node);
                free.add(node);
            }
        }
    }

    private void lock(KubernetesClient client, String job, String node) {
        client.nodes()
                .withName(node)
                .edit(known ->
                        new NodeBuilder(known)
                                .editMetadata()
                                .removeFromLabels(label(owner, job))
                                .endMetadata()
                                .build());
    }

    @Override
    public void close() {
        all.forEach(OwnNodes::close);
    }
}
