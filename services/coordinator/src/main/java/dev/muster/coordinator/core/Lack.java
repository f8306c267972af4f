package dev.muster.coordinator.core;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the pool's holder is short of, whatever lies where: where less comes free on nodes that it
 * may use, it cannot start.
 */
final class Lack {
    private final Tables tables;
    private final Shape shape;
    private final Amounts need;
    private final long[] amounts;
    private final SortedSet<String> usable = new TreeSet<>();

    /**
     * @param leaving ranks whose room comes free in any case
     */
    Lack(Tables tables, Job holder, List<Rank> leaving) {
        this.tables = tables;
        shape = tables.makeup(holder).start();
        need = shape.total();
        amounts = new long[need.size()];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = need.amount(i);
        }
        var extra = new TreeMap<>(tables.held());
        for (var rank : leaving) {
            extra.merge(rank.making().node(), demand(rank), Amounts::plus);
        }
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

    private Amounts demand(Rank rank) {
        var job = tables.job(rank.job());
        return job == null ? Amounts.NONE : job.spec().podOf(rank).demand();
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

    /** What these ranks give of it once they are gone. */
    long[] givenBy(List<Rank> ranks) {
        var given = Amounts.NONE;
        for (var rank : ranks) {
            if (usable.contains(rank.making().node())) {
                given = given.plus(demand(rank));
            }
        }
        var gives = new long[amounts.length];
        for (int i = 0; i < gives.length; i++) {
            gives[i] = given.get(need.name(i));
        }
        return gives;
    }
}
