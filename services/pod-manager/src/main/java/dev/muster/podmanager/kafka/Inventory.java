package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.kubernetes.Cluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All objects of the installation, as far as the cluster's roles show them; says once what they
 * hide. For any thread.
 */
final class Inventory {
    private static final Logger log = LoggerFactory.getLogger(Inventory.class);

    private final Cluster cluster;

    /** What was said of each kind. */
    private final Map<Kind, String> told = new ConcurrentHashMap<>();

    Inventory(Cluster cluster) {
        this.cluster = cluster;
    }

    /** See {@link Cluster#listAll}. */
    Cluster.All of(List<Kind> kinds, boolean phases) throws IOException {
        var all = cluster.listAll(kinds, phases);
        for (var kind : kinds) {
            tell(kind, all.hidden().getOrDefault(kind, ""));
        }
        return all;
    }

    /**
     * @param why empty: nothing hides them
     */
    private void tell(Kind kind, String why) {
        var before = told.put(kind, why);
        if (!why.isEmpty() && !why.equals(before)) {
            log.atWarn()
                    .addKeyValue("kind", kind.words())
                    .addKeyValue("why", "a right is missing: " + why)
                    .log("what is of such a kind is not looked at");
        }
    }
}
