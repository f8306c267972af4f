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
}
