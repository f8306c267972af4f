package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.state.Tables;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the pool's holder is short of, whatever lies where: where less comes free on nodes that it
 * may use, it cannot start.
 */
final class HolderShortage {
    private final Shape shape;
    private final Amounts need;
    private final long[] amounts;
    private final Tables tables;

    /** What is free, or comes free, by node that it may use. */
    private final SortedMap<String, Amounts> left = new TreeMap<>();

    /** What all its pods that a node could take would need there, by node; as far as asked for. */
    private final Map<String, Amounts> most = new LinkedHashMap<>();

    /**
     * @param leaving what comes free in any case
     */
    HolderShortage(Tables tables, Job holder, Freed leaving) {
        this.tables = tables;
        shape = tables.makeup(holder).start();
        need = shape.total();
        amounts = new long[need.size()];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = need.amount(i);
        }
        var extra = new TreeMap<>(tables.held.amounts());
        leaving.room().forEach((node, amounts) -> extra.merge(node, amounts, Amounts::plus));
        for (var node : tables.capacity.nodes()) {
            if (isUsable(node)) {
                var free = tables.capacity.free(node);
                left.put(node.name(), free.plus(extra.getOrDefault(node.name(), Amounts.NONE)));
                take(left.get(node.name()));
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
        return left.containsKey(rank.making().node());
    }

    /** What it needs. */
    Amounts need() {
        return need;
    }

    /** More of its pods could lie where this one does if there were more of the resource. */
    boolean isShortWhere(Rank rank, String resource) {
        var node = rank.making().node();
        var there = left.get(node);
        return there != null
                && there.get(resource) < most.computeIfAbsent(node, this::most).get(resource);
    }

    private Amounts most(String name) {
        var node = Objects.requireNonNull(tables.capacity.node(name));
        var room = tables.capacity.leftByOthers(node);
        var all = Amounts.NONE;
        for (var part : shape.parts()) {
            if (part.filter().accepts(node)) {
                long pods =
                        Math.min(
                                part.group().isAlone() ? 1 : part.pods(),
                                part.demand().timesIn(room));
                all = all.plus(part.demand().times(pods));
            }
        }
        return all;
    }

    /** What of it comes free so. */
    long[] givenBy(Freed gone) {
        var given = Amounts.NONE;
        for (var node : gone.room().entrySet()) {
            if (left.containsKey(node.getKey())) {
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
