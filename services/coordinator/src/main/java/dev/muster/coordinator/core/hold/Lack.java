package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.state.Tables;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the pool's holder is short of, whatever lies where: where less comes free on nodes that it
 * may use, it cannot start.
 */
final class Lack {
    private final Shape shape;
    private final Amounts need;
    private final long[] amounts;
    private final SortedSet<String> usable = new TreeSet<>();

    /**
     * @param leaving what comes free in any case
     */
    Lack(Tables tables, Job holder, Freed leaving) {
        shape = tables.makeup(holder).start();
        need = shape.total();
        amounts = new long[need.size()];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = need.amount(i);
        }
        var extra = new TreeMap<>(tables.held());
        leaving.room().forEach((node, amounts) -> extra.merge(node, amounts, Amounts::plus));
        for (var node : tables.capacity.nodes()) {
            if (isUsable(node)) {
                usable.add(node.name());
                take(
                        tables.capacity
                                .free(node)
                                .plus(extra.getOrDefault(node.name(), Amounts.NONE)));
            }
        }
    }

    private boolean isUsable(Node node) {
        return node.takesPods() && shape.parts().stream().anyMatch(p -> p.filter().accepts(node));
    }

    private void take(Amounts free) {
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = Math.max(0, amounts[i] - Math.max(0, free.get(need.name(i))));
        }
    }

    /** By resource that it needs; 0 where there is enough of it. */
    long[] amounts() {
        return amounts;
    }

    /** It lies where a pod of the holder may go. */
    boolean isInTheWay(Rank rank) {
        return usable.contains(rank.making().node());
    }

    /** What of it comes free so. */
    long[] givenBy(Freed gone) {
        var given = Amounts.NONE;
        for (var node : gone.room().entrySet()) {
            if (usable.contains(node.getKey())) {
                given = given.plus(node.getValue());
            }
        }
        var gives = new long[amounts.length];
        for (int i = 0; i < gives.length; i++) {
            gives[i] = given.get(need.name(i));
        }
        return gives;
    }
}
