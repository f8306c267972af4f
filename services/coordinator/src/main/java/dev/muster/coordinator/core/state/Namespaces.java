package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Backlog;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Marks;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of namespaces. Each is that of all queues, but a matter only of those where jobs of
 * its namespace wait.
 */
final class Namespaces {
    private final Marks marks;
    private final Backlog backlog;
    private final Ledger ledger;
    private final SortedMap<String, NamespaceQuota> quotas = new TreeMap<>();

    Namespaces(Marks marks, Backlog backlog, Ledger ledger) {
        this.marks = marks;
        this.backlog = backlog;
        this.ledger = ledger;
    }

    void put(NamespaceQuota quota) {
        boolean isFirst = quotas.isEmpty();
        var before = quotas.put(quota.namespace(), quota);
        if (before == null || !quota.allowsAs(before)) {
            changed(quota, isFirst);
        }
    }

    void remove(NamespaceQuota quota) {
        quotas.remove(quota.namespace());
        changed(quota, quotas.isEmpty());
    }

    /**
     * @param forAll there was none before, or is none any more: quotas are kept for jobs of other
     *     namespaces, too, or no more
     */
    private void changed(NamespaceQuota quota, boolean forAll) {
        if (forAll) {
            marks.ofAll();
        } else {
            backlog.queuesOf(quota.namespace()).forEach(marks::of);
        }
    }

    /** What is used there was this much; not everything that becomes of a pod changes it. */
    void usedBefore(String namespace, Use before) {
        var now = ledger.inNamespace(namespace);
        if (!before.equals(now)) {
            used(namespace, !now.minus(before).isNowhereNegative());
        }
    }

    /**
     * What is used or kept there is another now.
     *
     * @param less others may use more
     */
    void used(String namespace, boolean less) {
        if (quotas.containsKey(namespace)) {
            backlog.queuesOf(namespace).forEach(queue -> marks.ofOthersUse(queue, less));
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
