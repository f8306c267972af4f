package dev.muster.coordinator.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.hold.Heads;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.ShapeFits;
import dev.muster.coordinator.core.turns.StartableQueues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows that change as those of a pool do, and what is kept of them. */
final class Mirror {
    private final Journal journal = new Journal();
    private final Tables tables = new Tables(journal);
    private final Eligibility eligibility = tables.eligibility;
    private final ShapeFits trials = new ShapeFits(tables);
    private final StartableQueues lanes = new StartableQueues(tables, trials);
    private final Heads heads = new Heads(tables);
    private Map<Row.Key, Row> known = new LinkedHashMap<>();
    int startable;
    int ripe;

    /** How many of those that could start would pass another one of their queue that could. */
    int passing;

    void follow(List<Row> rows) {
        var now = new LinkedHashMap<Row.Key, Row>();
        rows.forEach(row -> now.put(row.key(), row));
        for (var before : new ArrayList<>(known.values()).reversed()) {
            if (!now.containsKey(before.key())) {
                tables.remove(before);
            }
        }
        for (var row : rows) {
            if (!row.equals(known.get(row.key()))) {
                tables.put(row);
            }
        }
        journal.close(false);
        known = now;
    }

    void compare() {
        var naive = new NaiveQueues(List.copyOf(known.values()));
        trials.refresh();
        var found = new TreeMap<String, JobId>();
        lanes.contenders().forEach(lane -> found.put(lane.name(), lane.head()));
        assertThat(found).isEqualTo(naive.startable());
        startable += found.size();
        var first = naive.firstStartable();
        found.forEach((queue, job) -> passing += job.equals(first.get(queue)) ? 0 : 1);
        ripe += naive.nextHolder() == null ? 0 : 1;
        heads.catchUp();
        var head = heads.first();
        assertThat(head == null ? null : head.job()).isEqualTo(naive.nextHolder());
        assertThat(heads.nextRipe()).isEqualTo(naive.nextRipe());
    }
}
