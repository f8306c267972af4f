package dev.muster.coordinator.core.model;

import dev.muster.schemas.demand.GrownRequest;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a role's main container, which alone can grow; in bytes.
 *
 * @param asked what it was submitted with: its limit or, where it has none, its request
 * @param request what was submitted as its request beside a larger limit; null: as much as asked
 * @param requests of its pod
 * @param limits of its pod; null: the container has no limit, and gets none
 * @param grown its limit now, its request keeping its proportion to that, or its request where it
 *     has no limit; 0: what it was submitted with
 */
public record Memory(
        long asked, @Nullable Long request, Share requests, @Nullable Share limits, long grown) {
    public static final String RESOURCE = "memory";

    /**
     * One sum over a pod.
     *
     * @param least the whole, as submitted
     * @param besides what the others count that run beside the main container
     */
    public record Share(long least, long besides) {
        private long with(long main) {
            return main == 0 ? least : Math.max(least, Wide.sum(besides, main));
        }
    }

    /** What the container gets now. */
    public long now() {
        return grown == 0 ? asked : grown;
    }

    Memory grownTo(long main) {
        return new Memory(asked, request, requests, limits, main);
    }

    /** What a pod asks for whose main container gets so much; 0: as submitted. */
    public Amounts requested(Amounts now, long main) {
        return now.with(RESOURCE, requests.with(requestAt(main)));
    }

    private long requestAt(long main) {
        return request == null ? main : GrownRequest.of(request, asked, main);
    }

    /** The most that its main container may get where its pod may ask for so much. */
    public long most(long asking) {
        long own = asking - requests.besides();
        return request == null || own < 0 ? own : GrownRequest.limitWithin(own, request, asked);
    }

    /** What it may use at most then. */
    public Amounts limited(Amounts now, long main) {
        return limits == null ? now : now.with(RESOURCE, limits.with(main));
    }
}
