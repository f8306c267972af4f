package dev.muster.coordinator.core.state;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The last answers to requests of one kind, for who asks again. */
public final class LastAnswers<A> {
    /** So many are remembered. */
    public static final int KEPT = 32;

    private final SortedMap<Long, A> byTick = new TreeMap<>();

    void put(long tick, A answer) {
        byTick.put(tick, answer);
    }

    void remove(long tick) {
        byTick.remove(tick);
    }

    /** What is to be forgotten; null: nothing. */
    public @Nullable A superfluous() {
        return byTick.size() > KEPT ? byTick.firstEntry().getValue() : null;
    }

    /** What was answered to this request before; null: nothing that is remembered. */
    public @Nullable A to(Predicate<A> request) {
        return byTick.values().stream().filter(request).findFirst().orElse(null);
    }
}
