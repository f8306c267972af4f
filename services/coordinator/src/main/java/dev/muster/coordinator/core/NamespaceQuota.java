package dev.muster.coordinator.core;

/**
 * What the cluster's own quotas allow in a namespace.
 *
 * @param hard by the names of ResourceQuota, the least of several
 * @param othersUse what pods that are not this pool's count there, by the same names
 * @param shard that saw it last
 * @param seenAt the pool's tick of the last sight
 */
public record NamespaceQuota(
        String namespace, Amounts hard, Amounts othersUse, int shard, long seenAt) implements Row {
    @Override
    public Key key() {
        return new Key(Table.NAMESPACE, namespace);
    }
}
