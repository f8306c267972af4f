package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Whose pods stay on nodes where those of the pool's holder may not lie beside them. */
final class RepellingTenants {
    private final Tables tables;
    private final FitAfterRelease foresight;

    RepellingTenants(Tables tables, FitAfterRelease foresight) {
        this.tables = tables;
        this.foresight = foresight;
    }

    /** What is held is free, or comes free, and nobody stays there who keeps the holder off. */
    boolean comes(Job holder) {
        return foresight.comes(tables.held.all()) && !areInHeldRooms(tables.makeup(holder).start());
    }

    /** On one of the nodes that are held for a gang of this shape. */
    boolean areInHeldRooms(Shape shape) {
        return tables.held.all().stream().anyMatch(room -> stay(room, shape, foresight::mayGo));
    }

    /** The same of those who were not asked to leave, either. */
    boolean haveComeToHeldRooms(Shape shape) {
        return tables.held.all().stream().anyMatch(room -> stay(room, shape, this::isAsked));
    }

    /** It may yet stay: nobody asks it again for that. */
    private boolean isAsked(Job job, Rank rank) {
        return rank.isLeaving() || foresight.mayGo(job, rank);
    }

    private boolean stay(Hold.Room room, Shape shape, BiPredicate<Job, Rank> goes) {
        return shape.parts().stream()
                .filter(part -> room.parts().contains(part.name()))
                .anyMatch(part -> stay(room.node(), part.repulsion(), goes));
    }

    private boolean stay(String node, Repulsion repulsion, BiPredicate<Job, Rank> goes) {
        return tables.capacity.keepsOff(node, repulsion, Collections.emptySortedSet())
                && tables.capacity.keepsOff(node, repulsion, leavers(node, goes));
    }

    /** Jobs all of whose pods there go. */
    private SortedSet<JobId> leavers(String node, BiPredicate<Job, Rank> goes) {
        var leavers = new TreeSet<JobId>();
        for (var id : tables.residents.of(node)) {
            var job = tables.job(id);
            if (job != null
                    && tables.gang(job).nodesLeft(rank -> goes.test(job, rank)).contains(node)) {
                leavers.add(id);
            }
        }
        return leavers;
    }

    /** A room to wait for on other nodes than theirs; null: there is no such choice. */
    @Nullable Placed placedApart(Shape shape) {
        var avoided = avoided(shape);
        return avoided.avoided().isEmpty()
                ? null
                : tables.capacity.placedEventually(shape, avoided);
    }

    private Extra avoided(Shape shape) {
        var avoided = Extra.NONE;
        for (var part : shape.parts()) {
            if (!part.repulsion().isNone()) {
                var theirs =
                        tables.capacity.nodes().stream()
                                .map(Node::name)
                                .filter(node -> stay(node, part.repulsion(), foresight::mayGo))
                                .toList();
                avoided = theirs.isEmpty() ? avoided : avoided.avoiding(part.role(), theirs);
            }
        }
        return avoided;
    }
}
