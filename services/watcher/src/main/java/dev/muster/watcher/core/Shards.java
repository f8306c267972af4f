package dev.muster.watcher.core;

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

    /**
     * The shard of a namespace: {@link String#hashCode()}, which the language fixes, modulo the
     * count. Whoever judges a watcher's word by its shards counts the same way.
     */
    public int of(String namespace) {
        return Math.floorMod(namespace.hashCode(), count);
    }
}
