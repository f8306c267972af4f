package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.TreeMap;

/**
 * Queues of whose use something may have changed during a step, whatever the phases of their jobs:
 * that is told when the step ends.
 */
public final class QueueNews {
    private final Tables tables;

    /** What they used when the step began, by name. */
    private final TreeMap<String, Amounts> before = new TreeMap<>();

    QueueNews(Tables tables) {
        this.tables = tables;
    }

    /** The row is about to change; one that is only restored is no news. */
    void changing(Row row) {
        var job = row instanceof Rank rank ? tables.job(rank.job()) : null;
        if (job != null) {
            before.computeIfAbsent(job.spec().queue(), this::used);
        }
    }

    /** To be called at the end of each step. */
    public void tell() {
        before.forEach((queue, used) -> {
            if (tables.queue(queue) != null && !used.equals(used(queue))) {
                QueueStates.tell(tables, queue);
            }
        });
        before.clear();
    }

    private Amounts used(String queue) {
        return tables.ledger.account(queue).used();
    }
}
