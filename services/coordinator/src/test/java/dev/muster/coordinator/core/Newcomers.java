package dev.muster.coordinator.core;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which ranks were placed since it was asked last. */
final class Newcomers {
    private Map<String, Row> before = new TreeMap<>();

    /** A rank, and how it was before; null: it was not. */
    record Came(@Nullable Rank before, Rank now) {
        /** Its room is another one. */
        boolean isElsewhere() {
            return before == null || !before.making().node().equals(now.making().node());
        }

        /** It uses room that it did not use before. */
        boolean takesMore() {
            return before == null || before.sight().released();
        }
    }

    List<Came> of(Play play) {
        var ranks = play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>());
        var came =
                ranks.entrySet().stream()
                        .map(entry ->
                                new Came(
                                        (Rank) before.get(entry.getKey()), (Rank) entry.getValue()))
                        .filter(Newcomers::isNew)
                        .toList();
        before = new TreeMap<>(ranks);
        return came;
    }

    private static boolean isNew(Came one) {
        var was = one.before() == null ? null : one.before().making();
        var is = one.now().making();
        return was == null
                || was.incarnation() != is.incarnation()
                || was.attempt() != is.attempt();
    }
}
