package dev.muster.watcher.core;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that is published of a node.
 *
 * @param allocatable cpu in milli, everything else in whole units
 * @param conditions types of those that are True, beside Ready
 * @param annotations their keys; what they say is nobody's matter here
 * @param silent it has ceased to renew its lease
 */
public record NodeReport(
        String name,
        String uid,
        long resourceVersion,
        Map<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        boolean ready,
        Map<String, Long> allocatable,
        List<String> conditions,
        List<String> annotations,
        boolean silent) {

    /** Of one that is heard, as far as anybody knows. */
    public NodeReport(
            String name,
            String uid,
            long resourceVersion,
            Map<String, String> labels,
            List<Taint> taints,
            boolean unschedulable,
            boolean ready,
            Map<String, Long> allocatable,
            List<String> conditions,
            List<String> annotations) {
        this(
                name,
                uid,
                resourceVersion,
                labels,
                taints,
                unschedulable,
                ready,
                allocatable,
                conditions,
                annotations,
                false);
    }

    public NodeReport {
        conditions = List.copyOf(conditions);
        annotations = List.copyOf(annotations);
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        taints = List.copyOf(taints);
        allocatable = Collections.unmodifiableMap(new TreeMap<>(allocatable));
    }

    /** A mark of a node that keeps pods away. */
    public record Taint(String key, String value, Effect effect) {}

    /** Which pods a taint keeps away. */
    public enum Effect {
        NO_SCHEDULE,
        PREFER_NO_SCHEDULE,
        NO_EXECUTE
    }

    /** Whether this is worth a record after {@code last}: a new resource version alone is not. */
    boolean tellsMoreThan(NodeReport last) {
        return !essence().equals(last.essence());
    }

    private NodeReport essence() {
        return with(0, silent);
    }

    NodeReport silent(boolean silent) {
        return silent == this.silent ? this : with(resourceVersion, silent);
    }

    private NodeReport with(long resourceVersion, boolean silent) {
        return new NodeReport(
                name,
                uid,
                resourceVersion,
                labels,
                taints,
                unschedulable,
                ready,
                allocatable,
                conditions,
                annotations,
                silent);
    }
}
