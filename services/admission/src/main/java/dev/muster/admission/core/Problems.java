package dev.muster.admission.core;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Collects everything that is wrong with one request, so that all of it can be told at once, once.
 */
final class Problems {
    private final Set<Problem> found = new LinkedHashSet<>();

    void add(String path, Object given, String message) {
        found.add(new Problem(path, String.valueOf(given), message));
    }

    void add(Problem problem) {
        found.add(problem);
    }

    /** Adds the problem unless {@code fine}. */
    void unless(boolean fine, String path, Object given, String message) {
        if (!fine) {
            add(path, given, message);
        }
    }

    /** As users write those of one word: HOROVOD is horovod. */
    static String asWritten(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    List<Problem> all() {
        return List.copyOf(found);
    }
}
