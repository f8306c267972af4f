package dev.muster.coordinator.core;

import org.jspecify.annotations.Nullable;

/**
 * What holds for the whole pool.
 *
 * @param name null until the pool was put
 * @param coreVersion whose rules decide; empty until said
 * @param startsDue something may be startable that was not tried
 * @param watchEpoch the newest epoch of any watcher
 * @param shards how many shards that watcher counts
 */
public record Settings(
        @Nullable String name,
        PoolSpec spec,
        String coreVersion,
        boolean startsDue,
        long watchEpoch,
        int shards)
        implements Row {
    static final Settings NONE = new Settings(null, PoolSpec.PLAIN, "", false, -1, 1);

    Settings named(String name, PoolSpec spec) {
        return new Settings(name, spec, coreVersion, startsDue, watchEpoch, shards);
    }

    Settings ofCore(String version) {
        return new Settings(name, spec, version, startsDue, watchEpoch, shards);
    }

    Settings due(boolean startsDue) {
        return new Settings(name, spec, coreVersion, startsDue, watchEpoch, shards);
    }

    Settings watched(long epoch, int shards) {
        return new Settings(name, spec, coreVersion, startsDue, epoch, shards);
    }

    @Override
    public Key key() {
        return new Key(Table.SETTINGS, "");
    }
}
