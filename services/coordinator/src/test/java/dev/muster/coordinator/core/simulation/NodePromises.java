package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Grown;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import java.util.Collection;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Nobody takes of a node what it does not have, what others use of it or what is held of it. */
final class NodePromises {
    private final Play play;

    private NodePromises(Play play) {
        this.play = play;
    }

    /**
     * What was taken just now was free. It is to be asked before anything else is heard: then
     * others may use more, and a node may be smaller.
     */
    static void areKept(Play play) {
        var grown = play.grown.takeNodes();
        if (!grown.isNone() && choosesNodes(play)) {
            new NodePromises(play).wereFree(grown);
        }
    }

    /** No backend does, which looks for room and ports itself, and not in our rows. */
    static boolean choosesNodes(Play play) {
        return !backing(play).choosesNodes();
    }

    /** A backend binds pods elsewhere than where the pool has reserved room and ports. */
    static boolean isObserved(Play play) {
        return backing(play).choosesNodes() && !backing(play).delegated();
    }

    private static PoolSpec.Backing backing(Play play) {
        return ((Settings) play.rows.get(Row.Table.SETTINGS).get("")).spec().backing();
    }

    /** What our jobs have of a node is there, whatever others use since. */
    static void fitTheirNodes(Play play) {
        var promises = new NodePromises(play);
        var ours = promises.ours();
        for (var row : promises.rows(Row.Table.NODE)) {
            var node = (Node) row;
            var sum = ours.getOrDefault(node.name(), Amounts.NONE);
            // The spare one shrinks while its pods run.
            if (choosesNodes(play)
                    && !node.name().equals("spare")
                    && !node.allocatable().minus(sum).isNowhereNegative()) {
                throw new AssertionError(
                        "%s of %s is taken: %s".formatted(sum, node.name(), node.allocatable()));
            }
        }
    }

    private Collection<Row> rows(Row.Table table) {
        return play.rows.getOrDefault(table, new TreeMap<>()).values();
    }

    private TreeMap<String, Amounts> ours() {
        var ours = new TreeMap<String, Amounts>();
        for (var row : rows(Row.Table.RANK)) {
            var rank = (Rank) row;
            var use = play.use(rank).requests();
            if (use.size() > 0) {
                ours.merge(rank.making().node(), use, Amounts::plus);
            }
        }
        return ours;
    }

    private void wereFree(Grown.OfNodes grown) {
        var ours = ours();
        var others = new TreeMap<String, Amounts>();
        for (var row : rows(Row.Table.OTHERS)) {
            var use = (Others) row;
            others.merge(use.node(), use.used(), Amounts::plus);
        }
        var held = new TreeMap<String, Amounts>();
        for (var row : rows(Row.Table.HOLD_ROOM)) {
            var room = (Hold.Room) row;
            if (grown.keepsWhatIsHeld(room.node())) {
                held.put(room.node(), room.amounts());
            }
        }
        for (var row : rows(Row.Table.NODE)) {
            var node = (Node) row;
            var parts =
                    Stream.of(ours, others, held)
                            .map(of -> of.getOrDefault(node.name(), Amounts.NONE))
                            .toList();
            var sum = parts.stream().reduce(Amounts.NONE, Amounts::plus);
            for (var resource : grown.of(node.name())) {
                if (sum.get(resource) > node.allocatable().get(resource)) {
                    throw new AssertionError(
                            "more %s was taken than there was: of %s ours, others', held %s"
                                    .formatted(resource, node, parts));
                }
            }
        }
    }
}
