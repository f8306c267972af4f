package dev.muster.podmanager.kubernetes;

import dev.muster.podmanager.kubernetes.Cluster.Written;
import java.io.IOException;

/**
 * Whether a write may go out: asked when its turn within the rate limit has come, since it may have
 * waited long for it.
 */
@FunctionalInterface
public interface Guard {
    /**
     * Sends the write, or does not.
     *
     * @throws IOException when it was not sent, or has no answer
     */
    Written pass(Sending<Written> write) throws IOException;

    /** What goes to the API server, and what may go wrong with it. */
    @FunctionalInterface
    interface Sending<T> {
        T send() throws IOException;
    }
}
