package dev.muster.cli;

import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import java.util.Locale;

/** What operators set. */
public enum SettingKind {
    QUEUE,
    POOL;

    /** Of what a file sets. */
    public static SettingKind of(Setting setting) {
        return switch (setting) {
            case QueueSetting _ -> QUEUE;
            case PoolSetting _ -> POOL;
        };
    }

    /** As in {@code queue research}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
