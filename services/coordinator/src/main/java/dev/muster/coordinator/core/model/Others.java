package dev.muster.coordinator.core.model;

/**
 * What pods of others use of a node, in the namespaces of one watcher shard; or in those of all the
 * shards that there were before, as far as no shard of now has counted it.
 */
public record Others(String node, int shard, Amounts used, long seenAt) implements Row {
    @Override
    public Key key() {
        return new Key(Table.OTHERS, node + "/" + shard);
    }
}
