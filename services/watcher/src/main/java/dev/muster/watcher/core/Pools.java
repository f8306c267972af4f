package dev.muster.watcher.core;

import static java.util.Comparator.comparingInt;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The pools of an installation, in the order of their numbers, each number given once. */
public record Pools(List<Pool> inOrder) {
    public static final Pools NONE = new Pools(List.of());

    public Pools {
        inOrder = inOrder.stream().sorted(comparingInt(Pool::number)).toList();
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

    /** Later pools that name this node's labels too and do not get it. */
    List<Pool> overlapping(NodeReport node) {
        return inOrder.stream()
                .filter(pool -> pool.matches(node))
                .skip(1)
                .filter(pool -> !pool.nodeSelector().isEmpty())
                .toList();
    }
}
