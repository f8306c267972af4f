package dev.muster.watcher.core;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pools of an installation, each number given once, in the order in which they take nodes: who
 * names labels before who takes the rest, and then by number.
 */
public record Pools(List<Pool> inOrder) {
    private static final Comparator<Pool> ORDER =
            Comparator.comparing(Pool::takesTheRest).thenComparingInt(Pool::number);

    public static final Pools NONE = new Pools(List.of());

    public Pools {
        inOrder = inOrder.stream().sorted(ORDER).toList();
    }

    public Optional<Pool> named(String name) {
        return inOrder.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    /** The other pool that has this one's number, which makes it unusable. */
    public Optional<Pool> rivalOf(Pool pool) {
        return inOrder.stream()
                .filter(other -> other.number() == pool.number())
                .filter(other -> !other.name().equals(pool.name()))
                .findFirst();
    }

    public Pools with(Pool pool) {
        return new Pools(
                Stream.concat(without(pool.name()).inOrder.stream(), Stream.of(pool)).toList());
    }

    public Pools without(String name) {
        return new Pools(inOrder.stream().filter(pool -> !pool.name().equals(name)).toList());
    }

    /** The pool of a node: the first that matches. */
    Optional<Pool> takerOf(NodeReport node) {
        return inOrder.stream().filter(pool -> pool.matches(node)).findFirst();
    }

    /** Later pools that have as good a claim on this node, and do not get it. */
    List<Pool> overlapping(NodeReport node) {
        var claiming = inOrder.stream().filter(pool -> pool.matches(node)).toList();
        return claiming.stream()
                .skip(1)
                .filter(pool -> pool.takesTheRest() == claiming.getFirst().takesTheRest())
                .toList();
    }
}
