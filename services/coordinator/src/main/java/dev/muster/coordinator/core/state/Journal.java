package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one event changes and causes, in order. */
public final class Journal {
    /** So many rows are changed for each effect, at most, as a rule. */
    static final int ROWS = 5;

    private final Map<Row.Key, Step.Change> changes = new LinkedHashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final SortedMap<Decision.Why, Integer> stays = new TreeMap<>();
    private final SortedMap<Integer, String> askers = new TreeMap<>();
    private Step.Own own = Step.Own.NONE;

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

    /**
     * Those from there on came of the event itself.
     *
     * @param from how many there were before it was taken
     */
    public void ofEvent(int from) {
        own = new Step.Own(from, effects.size());
    }

    /**
     * Moves of a job from there on came of what was asked of many.
     *
     * @param from how many effects there were before the job was changed
     */
    public void askedBy(String asker, JobId job, int from) {
        for (int i = from; i < effects.size(); i++) {
            if (effects.get(i) instanceof Effect.Moved moved && moved.job().equals(job)) {
                askers.put(i, asker);
            }
        }
    }

    /**
     * The step is to end, and what is left goes on with the next: it has that many effects, or so
     * many rows as go with them. Some work changes rows alone.
     */
    public boolean isFull(int most) {
        return effects.size() >= most || changes.size() >= ROWS * most;
    }

    public Step close(boolean more) {
        var step =
                new Step(
                        List.copyOf(changes.values()),
                        List.copyOf(effects),
                        own,
                        new TreeMap<>(askers),
                        new TreeMap<>(stays),
                        more);
        changes.clear();
        effects.clear();
        askers.clear();
        stays.clear();
        own = Step.Own.NONE;
        return step;
    }
}
