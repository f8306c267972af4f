package dev.muster.watcher.core;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.WatchedPod.PodName;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Installations whose pods are of pools with names of ours. If pod-manager's is among them, nobody
 * tells of its pods: that is worth a word, once of each. Any thread may ask.
 */
public final class OtherInstallations {
    /** A label may say anything. */
    private static final int MOST = 64;

    private final String ours;
    private final Map<Other, PodName> seen = new LinkedHashMap<>();
    private final Set<Other> told = new HashSet<>();
    private Pools pools = Pools.NONE;

    /**
     * @param ours the installation that is watched
     */
    public OtherInstallations(String ours) {
        this.ours = ours;
    }

    private record Other(String pool, String installation) {}

    /**
     * What is to be told.
     *
     * @param pod the first of them that was seen
     */
    public record Finding(String pool, String installation, PodName pod) {}

    /** A pod of the cluster is there. */
    public synchronized List<Finding> heard(Pod pod) {
        var labels = pod.getMetadata().getLabels();
        if (labels == null) {
            return List.of();
        }
        var pool = labels.get(LabelNames.POOL);
        var installation = labels.get(LabelNames.INSTALLATION);
        if (pool == null || installation == null || installation.equals(ours)) {
            return List.of();
        }
        if (seen.size() < MOST) {
            seen.putIfAbsent(new Other(pool, installation), Pods.nameOf(pod));
        }
        return news();
    }

    /** The pools are now these. */
    public synchronized List<Finding> use(Pools now) {
        pools = now;
        return news();
    }

    private List<Finding> news() {
        var news = new ArrayList<Finding>();
        seen.forEach((other, pod) -> {
            if (pools.named(other.pool()).isPresent() && told.add(other)) {
                news.add(new Finding(other.pool(), other.installation(), pod));
            }
        });
        return List.copyOf(news);
    }
}
