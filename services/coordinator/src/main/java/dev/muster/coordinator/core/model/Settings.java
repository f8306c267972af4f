package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.PoolSpec.Backend;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for the whole pool.
 *
 * @param name null until the pool was put
 * @param coreVersion whose rules decide; empty until said
 * @param startsDue something may be startable that was not tried
 * @param watchEpoch the newest layout that a watcher spoke under
 * @param shards how many shards there are by that
 * @param served whose kinds the cluster has, as a pod-manager said last
 * @param recreates the cluster starts containers again in their pods when it is asked to
 */
public record Settings(
        @Nullable String name,
        PoolSpec spec,
        String coreVersion,
        boolean startsDue,
        long watchEpoch,
        int shards,
        List<Backend> served,
        boolean recreates)
        implements Row {
    public static final Settings NONE =
            new Settings(null, PoolSpec.PLAIN, "", false, -1, 1, List.of(), false);

    public Settings {
        served = served.stream().sorted().toList();
    }

    public Settings named(String name, PoolSpec spec) {
        return new Settings(
                name, spec, coreVersion, startsDue, watchEpoch, shards, served, recreates);
    }

    public Settings ofCore(String version) {
        return new Settings(name, spec, version, startsDue, watchEpoch, shards, served, recreates);
    }

    public Settings due(boolean startsDue) {
        return new Settings(
                name, spec, coreVersion, startsDue, watchEpoch, shards, served, recreates);
    }

    public Settings watched(long layout, int shards) {
        return new Settings(name, spec, coreVersion, startsDue, layout, shards, served, recreates);
    }

    public Settings serving(Collection<Backend> served, boolean recreates) {
        return new Settings(
                name,
                spec,
                coreVersion,
                startsDue,
                watchEpoch,
                shards,
                List.copyOf(served),
                recreates);
    }

    /** Whoever is to hold gangs together can be reached. */
    public boolean isServed() {
        return !spec.backing().choosesNodes() || served.contains(spec.backing().backend());
    }

    /** Whoever is on the node had better leave it: nothing new may come there, or it has an end. */
    public boolean isGoing(Node node) {
        return node.unschedulable() || hasEnd(node);
    }

    /** Somebody has announced that the node will not be there for long. */
    public boolean hasEnd(Node node) {
        var notices = spec.notices().taints();
        return node.notes().announced()
                || node.taints().stream().anyMatch(taint -> notices.contains(taint.key()));
    }

    @Override
    public Key key() {
        return new Key(Table.SETTINGS, "");
    }
}
