package dev.muster.schemas.contract;

/** How watchers share the namespaces out; whoever judges a watcher's word counts the same way. */
public final class NamespaceShard {
    private NamespaceShard() {}

    /**
     * The shard of a namespace: {@link String#hashCode()}, which the language fixes, modulo the
     * count.
     *
     * @param shards how many there are, 1 or more
     */
    public static int of(String namespace, int shards) {
        return Math.floorMod(namespace.hashCode(), shards);
    }
}
