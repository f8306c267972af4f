package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.SettingsAnswer;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The last answers to who set queues or the pool. */
public final class AnswerMemory {
    /** So many are remembered for who asks again. */
    public static final int KEPT = 32;

    private final SortedMap<Long, SettingsAnswer> byTick = new TreeMap<>();

    void put(SettingsAnswer answer) {
        byTick.put(answer.tick(), answer);
    }

    void remove(SettingsAnswer answer) {
        byTick.remove(answer.tick());
    }

    /** What is to be forgotten; null: nothing. */
    public @Nullable SettingsAnswer superfluous() {
        return byTick.size() > KEPT ? byTick.firstEntry().getValue() : null;
    }

    /** What was answered to this request before; null: nothing that is remembered. */
    public @Nullable SettingsAnswer of(SettingsAnswer.Asked asked, Event.Request request) {
        for (var answer : byTick.values()) {
            if (answer.asked() == asked && answer.request().equals(request)) {
                return answer;
            }
        }
        return null;
    }
}
