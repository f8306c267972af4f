package dev.muster.watcher.core;

import dev.muster.watcher.core.NodeReport.Effect;
import dev.muster.watcher.core.NodeReport.Taint;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what is published of a node. */
public final class Nodes {
    private static final int MOST = 128;

    private Nodes() {}

    public static NodeReport read(Node node) {
        var meta = node.getMetadata();
        var spec = node.getSpec();
        var status = node.getStatus();
        var labels = meta.getLabels();
        var allocatable = status == null ? null : status.getAllocatable();
        return new NodeReport(
                meta.getName(),
                meta.getUid(),
                Long.parseLong(meta.getResourceVersion()),
                labels == null ? Map.of() : labels,
                spec == null ? List.of() : spec.getTaints().stream().map(Nodes::taint).toList(),
                spec != null && Boolean.TRUE.equals(spec.getUnschedulable()),
                isReady(node),
                Quantities.inUnits(allocatable),
                conditions(node),
                meta.getAnnotations() == null
                        ? List.of()
                        : first(meta.getAnnotations().keySet().stream()));
    }

    private static List<String> conditions(Node node) {
        return node.getStatus() == null
                ? List.of()
                : first(
                        node.getStatus().getConditions().stream()
                                .filter(condition -> "True".equals(condition.getStatus()))
                                .map(NodeCondition::getType)
                                .filter(type -> !type.equals("Ready")));
    }

    /** So that no node makes a record of any size. */
    private static List<String> first(Stream<String> all) {
        return all.sorted().limit(MOST).toList();
    }

    private static boolean isReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType())
                                        && "True".equals(condition.getStatus()));
    }

    private static Taint taint(io.fabric8.kubernetes.api.model.Taint taint) {
        var value = taint.getValue();
        return new Taint(taint.getKey(), value == null ? "" : value, effect(taint.getEffect()));
    }

    /**
     * An effect that this Kubernetes does not have yet is taken as the one that keeps pods away.
     */
    private static Effect effect(@Nullable String effect) {
        return switch (effect == null ? "" : effect) {
            case "PreferNoSchedule" -> Effect.PREFER_NO_SCHEDULE;
            case "NoExecute" -> Effect.NO_EXECUTE;
            default -> Effect.NO_SCHEDULE;
        };
    }
}
