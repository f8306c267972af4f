package dev.muster.schemas.trainjob;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How what was read from a form is written as one again. */
final class Entries {
    private Entries() {}

    /** Leaves out what says nothing. */
    static void put(Map<String, Object> to, String name, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case String text when text.isEmpty() -> {}
            case Map<?, ?> map when map.isEmpty() -> {}
            case Collection<?> list when list.isEmpty() -> {}
            default -> to.put(name, value);
        }
    }

    /** {@code RESTART_POD} as {@code restart_pod}. */
    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** {@code RESTART_POD} as {@code RestartPod}. */
    static String words(Enum<?> value) {
        var words = new StringBuilder();
        for (var word : value.name().split("_", -1)) {
            words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return words.toString();
    }
}
