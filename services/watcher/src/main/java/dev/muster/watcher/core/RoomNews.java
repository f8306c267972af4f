package dev.muster.watcher.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Tells what room there is so seldom as can be: less room at once, more room at most once in {@code
 * moreRoomEvery}.
 *
 * @param <P> of which place
 * @param <R> the room that there is
 */
final class RoomNews<P extends Comparable<P>, R> {
    private final Duration moreRoomEvery;
    private final BiPredicate<R, R> isLess;

    private final Map<P, Told<R>> told = new TreeMap<>();
    private final Map<P, Instant> due = new TreeMap<>();

    private record Told<R>(R room, Instant at) {}

    /**
     * @param isLess whether the second has less than the first of anything
     */
    RoomNews(Duration moreRoomEvery, BiPredicate<R, R> isLess) {
        this.moreRoomEvery = moreRoomEvery;
        this.isLess = isLess;
    }

    boolean wasTold(P place) {
        return told.containsKey(place);
    }

    /** The room, to be told now whatever was told before. */
    R tell(P place, R room, Instant now) {
        told.put(place, new Told<>(room, now));
        due.remove(place);
        return room;
    }

    /** The room if it is to be told now; else nothing, and if it is news it falls due later. */
    Optional<R> news(P place, R room, Instant now) {
        var last = told.get(place);
        if (last != null && last.room().equals(room)) {
            due.remove(place);
            return Optional.empty();
        }
        if (last != null && !isLess.test(last.room(), room)) {
            var next = last.at().plus(moreRoomEvery);
            if (next.isAfter(now)) {
                due.put(place, next);
                return Optional.empty();
            }
        }
        return Optional.of(tell(place, room, now));
    }

    /** Nothing counts as told of the place any more. */
    void forget(P place) {
        told.remove(place);
        due.remove(place);
    }

    List<P> due(Instant now) {
        return due.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    Optional<Instant> nextDue() {
        return due.values().stream().min(Comparator.naturalOrder());
    }
}
