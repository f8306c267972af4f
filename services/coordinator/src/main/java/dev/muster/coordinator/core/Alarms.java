package dev.muster.coordinator.core;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All deadlines of a pool, in the order in which they fire; of one key there is one. */
final class Alarms {
    private static final Comparator<Alarm> ORDER =
            Comparator.comparing(Alarm::at)
                    .thenComparing(Alarm::kind)
                    .thenComparing(Alarm::subject);

    private final TreeSet<Alarm> inOrder = new TreeSet<>(ORDER);
    private final Map<Row.Key, Alarm> byKey = new LinkedHashMap<>();

    void put(Alarm alarm) {
        var before = byKey.put(alarm.key(), alarm);
        if (before != null) {
            inOrder.remove(before);
        }
        inOrder.add(alarm);
    }

    void remove(Alarm alarm) {
        byKey.remove(alarm.key());
        inOrder.remove(alarm);
    }

    @Nullable Alarm get(Alarm.Kind kind, String subject) {
        return byKey.get(Alarm.key(kind, subject));
    }

    Optional<Instant> next() {
        return inOrder.isEmpty() ? Optional.empty() : Optional.of(inOrder.first().at());
    }

    Optional<Alarm> due(Instant now) {
        return inOrder.isEmpty() || inOrder.first().at().isAfter(now)
                ? Optional.empty()
                : Optional.of(inOrder.first());
    }
}
