package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.kubernetes.Cluster;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which backends the cluster has, and how it starts containers again in their pods; says
 * it when it changes. Also backends that no pool has chosen are looked for, so that what was found
 * last is all that anybody can ask for: under load a request waits long for its turn, and pools
 * must hear meanwhile that their plans are being carried out.
 */
final class Discovery {
    private static final Logger log = LoggerFactory.getLogger(Discovery.class);
    private static final Set<Backend> ALL =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Backend.NONE)));
    private static final Look NOTHING = new Look(null, null);

    private final Supplier<Set<Backend>> chosen;
    private final Cluster cluster;
    private volatile Look last = NOTHING;
    private Set<Backend> told = Set.of();

    /** What the cluster said last: the backends that it has, and how it restarts. */
    record Found(Set<Backend> served, Restarting restarting) {}

    /** Null: that was never answered. */
    private record Look(@Nullable Set<Backend> served, @Nullable Restarting restarting) {}

    /**
     * @param chosen the backends that pools have chosen now
     */
    Discovery(Supplier<Set<Backend>> chosen, Cluster cluster) {
        this.chosen = chosen;
        this.cluster = cluster;
    }

    /**
     * What was found last, for a pool with this backend; never asks the cluster. Empty as long as
     * the cluster never said how it restarts, or which backends it has where that matters to the
     * pool: what another pod-manager told holds.
     */
    Optional<Found> last(Backend backend) {
        var look = last;
        var restarting = look.restarting();
        if (restarting == null || look.served() == null && backend != Backend.NONE) {
            return Optional.empty();
        }
        var served = Objects.requireNonNullElse(look.served(), Set.<Backend>of());
        return Optional.of(new Found(served, restarting));
    }

    /**
     * Asks the cluster now; where it does not answer, what it said last holds.
     *
     * @return something else is known than before
     */
    synchronized boolean look() {
        var before = last;
        var restarting = lookForRestarts(before.restarting());
        var now = new Look(lookForBackends(before.served()), restarting);
        last = now;
        return !now.equals(before);
    }

    private @Nullable Set<Backend> lookForBackends(@Nullable Set<Backend> before) {
        try {
            var served = cluster.served(ALL);
            var wanted = chosen.get();
            if (!served.equals(before) || !wanted.equals(told)) {
                tell(wanted, served);
                told = wanted;
            }
            return served;
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("backends were not looked for");
            return before;
        }
    }

    private @Nullable Restarting lookForRestarts(@Nullable Restarting before) {
        try {
            var now = cluster.restarting();
            if (!now.equals(before)) {
                log.atInfo()
                        .addKeyValue("requests", now.requests())
                        .addKeyValue("rules", now.rules())
                        .log("containers start again in their pods");
            }
            return now;
        } catch (IOException e) {
            log.atWarn().addKeyValue("why", e.getMessage()).log("restarts were not looked for");
            return before;
        }
    }

    private static void tell(Set<Backend> wanted, Set<Backend> found) {
        for (var backend : wanted) {
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
