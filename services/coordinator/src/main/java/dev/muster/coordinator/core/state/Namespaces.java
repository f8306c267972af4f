package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.queue.Marks;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The quotas of namespaces. Each is that of all queues. */
final class Namespaces {
    private final Marks marks;
    private final SortedMap<String, NamespaceQuota> quotas = new TreeMap<>();

    Namespaces(Marks marks) {
        this.marks = marks;
    }

    void put(NamespaceQuota quota) {
        quotas.put(quota.namespace(), quota);
        marks.ofAll();
    }

    void remove(NamespaceQuota quota) {
        quotas.remove(quota.namespace());
        marks.ofAll();
    }

    /**
     * What is used of them is another now.
     *
     * @param less others may use more
     */
    void used(boolean less) {
        if (isAny()) {
            marks.ofAllForUse(less);
        }
    }

    boolean isAny() {
        return !quotas.isEmpty();
    }

    @Nullable NamespaceQuota get(String name) {
        return quotas.isEmpty() ? null : quotas.get(name);
    }

    /** Of all, in order. */
    List<NamespaceQuota> all() {
        return List.copyOf(quotas.values());
    }
}
