package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Members of a gang that are to be made again, each from its own time on. */
public final class ReturningRanks {
    private final SortedMap<RankId, Rank> all = new TreeMap<>();

    /** Those that failed together have the same time: there are few. */
    private final NavigableMap<Instant, SortedMap<RankId, Rank>> byTime = new TreeMap<>();

    void put(Rank rank) {
        all.put(rank.id(), rank);
        byTime.computeIfAbsent(time(rank), _ -> new TreeMap<>()).put(rank.id(), rank);
    }

    void remove(Rank rank) {
        all.remove(rank.id());
        byTime.computeIfPresent(
                time(rank),
                (_, ranks) -> {
                    ranks.remove(rank.id());
                    return ranks.isEmpty() ? null : ranks;
                });
    }

    private static Instant time(Rank rank) {
        var due = rank.sight().due();
        return due == null ? Instant.EPOCH : due;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public List<Rank> all() {
        return List.copyOf(all.values());
    }

    /** Those of one role, the first ones. */
    public List<Rank> of(String role, int most) {
        return ofRole(all, role).values().stream().limit(most).toList();
    }

    /** Of those of one role that failed the one whose delay is over first; null: there is none. */
    public @Nullable Rank firstFailed(String role) {
        return byTime.values().stream()
                .flatMap(ranks -> ofRole(ranks, role).values().stream())
                .filter(rank -> rank.sight().failure() != null)
                .findFirst()
                .orElse(null);
    }

    /** Those whose delay is over. */
    public List<Rank> due(Instant now) {
        return inOrder(
                upTo(now).values().stream().flatMap(ranks -> ranks.values().stream()).toList());
    }

    /** Those of them that are of one role, the first ones. */
    public List<Rank> due(String role, int most, Instant now) {
        var first = new ArrayList<Rank>();
        upTo(now)
                .values()
                .forEach(ranks ->
                        ofRole(ranks, role).values().stream().limit(most).forEach(first::add));
        return inOrder(first).stream().limit(most).toList();
    }

    public boolean isAnyDue(Instant now) {
        return !upTo(now).isEmpty();
    }

    /** Those whose delay goes on: whose is over first are first. */
    public Stream<Rank> delayed(Instant now) {
        return after(now).values().stream().flatMap(ranks -> ranks.values().stream());
    }

    /** When the next delay is over; null: none goes on. */
    public @Nullable Instant next(Instant now) {
        var later = after(now);
        return later.isEmpty() ? null : later.firstKey();
    }

    /** Where one step may not try them all, the next does not begin with the same. */
    public static List<Rank> inTurn(List<Rank> returning, int atOnce, Instant now) {
        int turns = Math.ceilDiv(returning.size(), atOnce);
        if (turns <= 1) {
            return returning;
        }
        long turn = now.getEpochSecond() / Alarm.RETRY_INTERVAL.toSeconds();
        var inTurn = new ArrayList<>(returning);
        Collections.rotate(inTurn, -atOnce * (int) (turn % turns));
        return inTurn;
    }

    private SortedMap<Instant, SortedMap<RankId, Rank>> upTo(Instant now) {
        return byTime.headMap(now, true);
    }

    private SortedMap<Instant, SortedMap<RankId, Rank>> after(Instant now) {
        return byTime.tailMap(now, false);
    }

    private static SortedMap<RankId, Rank> ofRole(SortedMap<RankId, Rank> ranks, String role) {
        return ranks.subMap(new RankId(role, 0), new RankId(role, Integer.MAX_VALUE));
    }

    private static List<Rank> inOrder(List<Rank> ranks) {
        return ranks.stream().sorted(Comparator.comparing(Rank::id)).toList();
    }
}
