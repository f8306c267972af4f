package dev.muster.admission.stream;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.SettingsRules.Sent;
import dev.muster.admission.core.SpeedWindow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Admission's own rows as JSON, so that releases before and after can read what one wrote. */
final class Rows {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    private Rows() {}

    static byte[] entry(Entry entry) {
        return JSON.writeValueAsBytes(entry);
    }

    static @Nullable Entry entry(byte @Nullable [] row) {
        return row == null ? null : JSON.readValue(row, Entry.class);
    }

    static byte[] window(SpeedWindow window) {
        return JSON.writeValueAsBytes(window);
    }

    static @Nullable SpeedWindow window(byte @Nullable [] row) {
        return row == null ? null : JSON.readValue(row, SpeedWindow.class);
    }

    static byte[] sent(Sent sent) {
        return JSON.writeValueAsBytes(sent);
    }

    static @Nullable Sent sent(byte @Nullable [] row) {
        return row == null ? null : JSON.readValue(row, Sent.class);
    }
}
