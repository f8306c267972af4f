package dev.muster.cli;

import java.util.Locale;

/** What operators set. */
public enum SettingKind {
    QUEUE,
    POOL;

    /** As in {@code queue research}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As in {@code kind: Queue}. */
    public String kind() {
        return name().charAt(0) + word().substring(1);
    }
}
