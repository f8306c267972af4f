package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What queues use and what our jobs leave of nodes, where it may have changed during a step,
 * whatever the phases of the jobs: that is told when the step ends.
 */
public final class UseNews {
    private final Tables tables;

    /** What they used when the step began, by name. */
    private final TreeMap<String, Amounts> ofQueues = new TreeMap<>();

    /** What was free of them when the step began, by name. */
    private final TreeMap<String, Amounts> ofNodes = new TreeMap<>();

    UseNews(Tables tables) {
        this.tables = tables;
    }

    /** The row is about to change; one that is only restored is no news. */
    void changing(Row row) {
        if (row instanceof Rank rank) {
            changing(rank);
        } else if (row instanceof HookRun run) {
            changing(run.making());
            var before = tables.hooks.of(run.job());
            changing(before == null ? null : before.making());
        } else if (row instanceof Hold.Room room) {
            changing(room.node());
        }
    }

    private void changing(Rank rank) {
        var job = tables.job(rank.job());
        if (job != null) {
            ofQueues.computeIfAbsent(job.spec().queue(), this::used);
            var before = tables.gang(job).get(rank.id());
            changing(rank.making().node());
            if (before != null) {
                changing(before.making().node());
            }
        }
    }

    private void changing(HookRun.@Nullable Making making) {
        if (making != null) {
            changing(making.node());
        }
    }

    private void changing(String node) {
        ofNodes.computeIfAbsent(node, this::free);
    }

    /** To be called at the end of each step. */
    public void tell() {
        ofQueues.forEach((queue, used) -> {
            if (tables.queue(queue) != null && !used.equals(used(queue))) {
                QueueStates.tell(tables, queue);
            }
        });
        if (ofNodes.entrySet().stream().anyMatch(of -> !of.getValue().equals(free(of.getKey())))) {
            PoolRoom.tell(tables);
        }
        ofQueues.clear();
        ofNodes.clear();
    }

    private Amounts used(String queue) {
        return tables.ledger.account(queue).used();
    }

    /** Nothing of a node that is not the pool's. */
    private Amounts free(String name) {
        var node = tables.capacity.node(name);
        return node == null ? Amounts.NONE : tables.capacity.free(node);
    }
}
