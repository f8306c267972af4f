package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What is to happen in a simulation, by its time, and of one time in the order in which it came.
 */
final class Agenda {
    /** An event, and when. */
    record Due(Instant at, long order, Event event) {}

    private final PriorityQueue<Due> coming =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::order));
    private final Play play;
    private long order;

    Agenda(Play play) {
        this.play = play;
    }

    Play play() {
        return play;
    }

    /** So long from now. */
    void later(long millis, Event event) {
        coming.add(new Due(play.now().plusMillis(millis), order++, event));
    }

    boolean isEmpty() {
        return coming.isEmpty();
    }

    Due next() {
        return coming.remove();
    }

    /** How much was ever added. */
    long order() {
        return order;
    }
}
