package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;

/**
 * Makes the pod of one rank again, as a new incarnation of its job; the others stay as they are.
 */
public final class NextMaking {
    private final Tables tables;
    private final Journal journal;

    public NextMaking(Tables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
    }

    /**
     * The next plan is to say it: whoever asks for this publishes it, or has it gathered.
     *
     * @param avoided nodes on which it could not be placed
     * @param forced what there is of it before this incarnation is forced; 0: nothing is
     */
    public void make(Job job, Rank rank, String node, List<String> avoided, int forced) {
        var fences = job.fences().nextIncarnation();
        var was = rank.making();
        var role = job.spec().role(rank.id().role());
        var making =
                new Rank.Making(fences, node, avoided, was.port(), role.pod().grown(), forced)
                        .spot(rank.isSpot(role));
        JobAlarms.noHindrance(tables, rank);
        tables.put(rank.again(making));
        boolean moves = !node.equals(was.node());
        var then = moves ? job.comingTo(node) : job;
        var told = then.with(fences).nextSeq().with(Job.Due.PLAN_AND_STATUS);
        tables.put(told);
        journal.publish(Effect.RankPlaced.of(told, rank.id(), node));
        if (moves) {
            tables.startsAreDue();
        }
    }
}
