package dev.muster.watcher.core;

import dev.muster.schemas.contract.NamespaceShard;

/**
 * How the namespaces are shared out.
 *
 * @param count how many shards there are, 1 or more
 */
public record Shards(int count) {
    public Shards {
        if (count < 1) {
            throw new IllegalArgumentException("There must be a shard, were " + count);
        }
    }

    /** The shard of a namespace. */
    public int of(String namespace) {
        return NamespaceShard.of(namespace, count);
    }
}
