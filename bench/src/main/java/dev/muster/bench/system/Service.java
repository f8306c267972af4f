package dev.muster.bench.system;

import java.util.Locale;

/** The services, each of which may have several processes. */
public enum Service {
    COORDINATOR,
    ADMISSION,
    POD_MANAGER,
    WATCHER;

    /** As its processes, image and manifests are called. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return title();
    }
}
