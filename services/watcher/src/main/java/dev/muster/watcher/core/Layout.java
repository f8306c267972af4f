package dev.muster.watcher.core;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import org.jspecify.annotations.Nullable;

/**
 * To how many shards the namespaces are shared out. The first shard's Lease says it, since every
 * watcher competes for that one, however it counts: whoever takes it and counts otherwise begins a
 * new layout, and the other shards' Leases are held only under the one that stands there.
 *
 * @param since which version of the first shard's Lease was taken by the first who counted so; of
 *     two layouts the newer one has the larger
 */
public record Layout(int shards, long since) {
    private static final String SHARDS = "muster.dev/shards";
    private static final String SINCE = "muster.dev/shards-since";

    /** What a Lease says; null: nothing that can be understood. */
    public static @Nullable Layout of(Lease lease) {
        var said = lease.getMetadata().getAnnotations();
        if (said == null || !said.containsKey(SHARDS) || !said.containsKey(SINCE)) {
            return null;
        }
        try {
            return new Layout(Integer.parseInt(said.get(SHARDS)), Long.parseLong(said.get(SINCE)));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * The layout once one who counts so many shards takes the first shard's Lease.
     *
     * @param first as it was read before
     */
    public static Layout onTaking(Lease first, int shards) {
        var now = of(first);
        return now != null && now.shards == shards
                ? now
                : new Layout(shards, Long.parseLong(first.getMetadata().getResourceVersion()));
    }

    /** The Lease, saying this. */
    public Lease saidBy(Lease lease) {
        return new LeaseBuilder(lease)
                .editMetadata()
                .addToAnnotations(SHARDS, Integer.toString(shards))
                .addToAnnotations(SINCE, Long.toString(since))
                .endMetadata()
                .build();
    }
}
