package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.kubernetes.Cluster;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which of the backends that pools have chosen the cluster has, and how it starts
 * containers again in their pods; says it when it changes. What was found last is known without
 * asking: under load a request waits long for its turn, and pools must hear meanwhile that their
 * plans are being carried out.
 */
final class Discovery {
    private static final Logger log = LoggerFactory.getLogger(Discovery.class);

    private final Supplier<Set<Backend>> chosen;
    private final Cluster cluster;
    private volatile @Nullable Found found;
    private Restarting restarting = Restarting.NONE;

    /**
     * What the cluster said last.
     *
     * @param asked the backends that it was asked for
     * @param served those of them that it has
     */
    record Found(Set<Backend> asked, Set<Backend> served, Restarting restarting) {}

    /**
     * @param chosen the backends that pools have chosen now
     */
    Discovery(Supplier<Set<Backend>> chosen, Cluster cluster) {
        this.chosen = chosen;
        this.cluster = cluster;
    }

    /**
     * What was found last; empty as long as the cluster never answered. Asks the cluster only then,
     * and where a pool has chosen a backend that it was not asked for yet.
     */
    Optional<Found> last() {
        var known = found;
        if (known == null || !known.asked().containsAll(chosen.get())) {
            look();
        }
        return Optional.ofNullable(found);
    }

    /** Asks the cluster now; where it does not answer, what it said last holds. */
    synchronized void look() {
        var before = found;
        restarting = lookForRestarts();
        try {
            var asked = chosen.get();
            var served = cluster.served(asked);
            if (before == null
                    || !served.equals(before.served())
                    || !asked.equals(before.asked())) {
                tell(asked, served);
            }
            found = new Found(asked, served, restarting);
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("backends were not looked for");
            if (before != null) {
                found = new Found(before.asked(), before.served(), restarting);
            }
        }
    }

    private Restarting lookForRestarts() {
        try {
            var now = cluster.restarting();
            if (!now.equals(restarting)) {
                log.atInfo()
                        .addKeyValue("requests", now.requests())
                        .addKeyValue("rules", now.rules())
                        .log("containers start again in their pods");
            }
            return now;
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("restarts were not looked for");
            return restarting;
        }
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
