package dev.muster.podmanager.kubernetes;

import static dev.muster.podmanager.kubernetes.KindPaths.group;
import static dev.muster.podmanager.kubernetes.KindPaths.plural;

import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Plan.Backend;
import dev.muster.podmanager.core.Restarting;
import dev.muster.podmanager.kubernetes.ApiServer.Reply;
import dev.muster.podmanager.kubernetes.Cluster.ApiServerBusyException;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster has besides what all have: kinds of backends, and ways to start containers again.
 */
final class ServedKinds {
    /** Since then the kubelet honours restart rules of containers unless it is told not to. */
    private static final int RULES_SINCE = 35;

    private final ApiServer api;
    private volatile @Nullable Restarting restarting;
    private volatile boolean isHidden;

    ServedKinds(ApiServer api) {
        this.api = api;
    }

    /**
     * Asks how the cluster can start containers again in their pods; from now on that holds. Where
     * the cluster's roles hide it once more, and it was never said, it counts as none: an API
     * server that has just started does not know them yet.
     */
    Restarting restarting() throws IOException {
        try {
            return asked();
        } catch (ApiServerBusyException e) {
            if (e.isDenial()) {
                if (isHidden && restarting == null) {
                    restarting = Restarting.NONE;
                    return Restarting.NONE;
                }
                isHidden = true;
            }
            throw e;
        }
    }

    private Restarting asked() throws IOException {
        boolean isServed = serves(Kind.RESTART_REQUEST);
        var version = Cluster.expected(api.get("/version", Map.of(), ApiServer.WHOLE));
        var minor = version.path("minor").asText("").replaceAll("\\D", "");
        boolean hasRules = !minor.isEmpty() && Integer.parseInt(minor) >= RULES_SINCE;
        var found = new Restarting(isServed, hasRules);
        restarting = found;
        return found;
    }

    /** What was said last; asked for where nothing was yet: pods keep for life what they get. */
    Restarting knownRestarting() throws IOException {
        var known = restarting;
        return known == null ? asked() : known;
    }

    /**
     * The backends whose kinds the cluster has.
     *
     * @throws IOException when the API server does not say it: that is no word of absence
     */
    Set<Backend> served(Collection<Backend> wanted) throws IOException {
        var served = EnumSet.noneOf(Backend.class);
        for (var backend : wanted) {
            boolean isThere =
                    switch (backend) {
                        case NONE -> true;
                        case VOLCANO -> serves(Kind.VOLCANO_GROUP);
                    };
            if (isThere) {
                served.add(backend);
            }
        }
        return served;
    }

    private boolean serves(Kind kind) throws IOException {
        return lists(api.get(group(kind), Map.of(), ApiServer.WHOLE), plural(kind));
    }

    /**
     * Whether the list of a group's resources names one. Only that there is no such group says that
     * it is not there: a server that is busy or starts says nothing of it.
     */
    static boolean lists(Reply group, String plural) throws IOException {
        if (group.code() == 404) {
            return false;
        }
        for (var resource : Cluster.expected(group).path("resources")) {
            if (resource.path("name").asText("").equals(plural)) {
                return true;
            }
        }
        return false;
    }
}
