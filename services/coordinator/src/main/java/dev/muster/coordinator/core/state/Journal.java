package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one event changes and causes, in order. */
public final class Journal {
    private final Map<Row.Key, Step.Change> changes = new LinkedHashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final SortedMap<Decision.Why, Integer> stays = new TreeMap<>();

    void put(Row row) {
        var key = row.key();
        changes.put(key, new Step.Change(key, row));
    }

    void remove(Row.Key key) {
        changes.put(key, new Step.Change(key, null));
    }

    public void publish(Effect effect) {
        effects.add(effect);
    }

    public void stays(Decision.Why why) {
        stays.merge(why, 1, Integer::sum);
    }

    /** How many so far. */
    public int effects() {
        return effects.size();
    }

    public Step close(boolean more) {
        var step =
                new Step(
                        List.copyOf(changes.values()),
                        List.copyOf(effects),
                        new TreeMap<>(stays),
                        more);
        changes.clear();
        effects.clear();
        stays.clear();
        return step;
    }
}
