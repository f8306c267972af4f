package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.Collection;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whoever is on a node that is not heard of is given up with it sooner or later. */
final class SilencePromises {
    private SilencePromises() {}

    static void areKept(Play play) {
        var patient = new TreeSet<String>();
        for (var row : rows(play, Row.Table.ALARM)) {
            var alarm = (Alarm) row;
            if (alarm.kind() == Alarm.Kind.NODE_LOST) {
                patient.add(alarm.subject());
            }
        }
        for (var row : rows(play, Row.Table.RANK)) {
            var rank = (Rank) row;
            var node = (Node) play.rows.get(Row.Table.NODE).get(rank.whereabouts());
            boolean isHeldUp = node != null && !node.ready() && !rank.state().hasEnded();
            if (isHeldUp
                    && play.job(rank.job()).state().isUp()
                    && !rank.isLeaving()
                    && !patient.contains(subject(rank))) {
                throw new AssertionError(rank + " is never given up");
            }
        }
    }

    private static String subject(Rank rank) {
        return "%s %s %s".formatted(rank.job(), rank.whereabouts(), rank.id().role());
    }

    private static Collection<Row> rows(Play play, Row.Table table) {
        return play.rows.getOrDefault(table, new TreeMap<>()).values();
    }
}
