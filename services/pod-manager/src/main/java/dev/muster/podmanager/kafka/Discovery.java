package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.kubernetes.Cluster;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which of the backends that pools have chosen the cluster has, and how it starts
 * containers again in their pods; says it when it changes.
 */
final class Discovery {
    private static final Logger log = LoggerFactory.getLogger(Discovery.class);

    private final PoolTable pools;
    private final Cluster cluster;
    private Set<Backend> wanted = EnumSet.noneOf(Backend.class);
    private @Nullable Set<Backend> served;
    private Restarting restarting = Restarting.NONE;

    Discovery(PoolTable pools, Cluster cluster) {
        this.pools = pools;
        this.cluster = cluster;
    }

    /**
     * Asks the cluster now; where it does not answer, what it said last holds. Empty as long as it
     * never answered.
     */
    synchronized Optional<Set<Backend>> served() {
        var asked = pools.backends();
        try {
            var found = cluster.served(asked);
            if (!found.equals(served) || !asked.equals(wanted)) {
                tell(asked, found);
            }
            wanted = asked;
            served = found;
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("backends were not looked for");
        }
        return Optional.ofNullable(served);
    }

    /** The same, of how it starts containers again in their pods. */
    synchronized Restarting restarting() {
        try {
            var found = cluster.restarting();
            if (!found.equals(restarting)) {
                log.atInfo()
                        .addKeyValue("requests", found.requests())
                        .addKeyValue("rules", found.rules())
                        .log("containers start again in their pods");
            }
            restarting = found;
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("restarts were not looked for");
        }
        return restarting;
    }

    private static void tell(Set<Backend> asked, Set<Backend> found) {
        for (var backend : asked) {
            if (found.contains(backend)) {
                log.atInfo().addKeyValue("backend", backend).log("backend found");
            } else {
                log.atError()
                        .addKeyValue("backend", backend)
                        .log(
                                "the cluster does not have the kinds of a pool's backend: its jobs"
                                        + " wait with PoolUnavailable until they are installed");
            }
        }
    }
}
