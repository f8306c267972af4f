package dev.muster.watcher;

import static dev.muster.watcher.RealParts.API;

import dev.muster.schemas.contract.PodNames;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.Map;

/** Makes and changes objects as users, the scheduler and the kubelet would. */
final class ApiObjects {
    static final String NAMESPACE = "default";
    private static final String ANNOUNCES = "TerminateScheduled";

    private ApiObjects() {}

    /** A node that is ready, with 4 cpu and 8Gi. */
    static void makeNode(String name, Map<String, String> labels) {
        API.resource(
                        new NodeBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .withLabels(labels)
                                .endMetadata()
                                .build())
                .create();
        API.nodes()
                .withName(name)
                .editStatus(node ->
                        new NodeBuilder(node)
                                .editOrNewStatus()
                                .addToAllocatable("cpu", new Quantity("4"))
                                .addToAllocatable("memory", new Quantity("8Gi"))
                                .addNewCondition()
                                .withType("Ready")
                                .withStatus("True")
                                .endCondition()
                                .endStatus()
                                .build());
    }

    /** A condition by which some clouds say that a node is about to go. */
    static void announce(String node, String status) {
        API.nodes()
                .withName(node)
                .editStatus(known ->
                        new NodeBuilder(known)
                                .editStatus()
                                .removeMatchingFromConditions(
                                        condition -> condition.getType().equals(ANNOUNCES))
                                .addNewCondition()
                                .withType(ANNOUNCES)
                                .withStatus(status)
                                .endCondition()
                                .endStatus()
                                .build());
    }

    static void annotateNode(String node, String key, String value) {
        API.nodes()
                .withName(node)
                .edit(known ->
                        new NodeBuilder(known)
                                .editMetadata()
                                .addToAnnotations(key, value)
                                .endMetadata()
                                .build());
    }

    /** Makes the pod of rank worker-0 of a job as pod-manager does; the answer is its name. */
    static String makeRank(String job, String installation, String pool) {
        var name = PodNames.of(job, "worker", 0);
        makePod(name, ours(job, installation, pool));
        return name;
    }

    private static Map<String, String> ours(String job, String installation, String pool) {
        var labels = new HashMap<String, String>();
        labels.put("muster.dev/installation", installation);
        labels.put("muster.dev/pool", pool);
        labels.put("muster.dev/queue", "default");
        labels.put("muster.dev/job", job);
        labels.put("muster.dev/uid", "3-4711");
        labels.put("muster.dev/role", "worker");
        labels.put("muster.dev/index", "0");
        labels.put("muster.dev/attempt", "1");
        labels.put("muster.dev/incarnation", "2");
        labels.put("muster.dev/plan", "3");
        return labels;
    }

    /** A pod that asks for 1 cpu and is not bound. */
    static void makePod(String name, Map<String, String> labels) {
        API.resource(
                        new PodBuilder()
                                .withNewMetadata()
                                .withNamespace(NAMESPACE)
                                .withName(name)
                                .withLabels(labels)
                                .endMetadata()
                                .withNewSpec()
                                .withTerminationGracePeriodSeconds(0L)
                                .addNewContainer()
                                .withName("main")
                                .withImage("none")
                                .withNewResources()
                                .addToRequests("cpu", new Quantity("1"))
                                .endResources()
                                .endContainer()
                                .endSpec()
                                .build())
                .create();
    }

    static void bind(String pod, String node) {
        API.bindings()
                .inNamespace(NAMESPACE)
                .resource(
                        new BindingBuilder()
                                .withNewMetadata()
                                .withName(pod)
                                .endMetadata()
                                .withNewTarget()
                                .withKind("Node")
                                .withName(node)
                                .endTarget()
                                .build())
                .create();
    }

    static void setStatus(String pod, PodStatus status) {
        API.pods()
                .inNamespace(NAMESPACE)
                .withName(pod)
                .editStatus(found -> new PodBuilder(found).withStatus(status).build());
    }

    static void annotate(String pod, String text) {
        API.pods()
                .inNamespace(NAMESPACE)
                .withName(pod)
                .edit(found ->
                        new PodBuilder(found)
                                .editMetadata()
                                .addToAnnotations("note", text)
                                .endMetadata()
                                .build());
    }

    static void deletePod(String name) {
        API.pods().inNamespace(NAMESPACE).withName(name).withGracePeriod(0).delete();
    }
}
