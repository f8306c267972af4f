package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which ports of its nodes' networks the pool has given to ranks. A rank keeps its port for the
 * whole attempt, since the others were told it.
 */
public final class Ports {
    /** Below what kernels and node ports take for themselves. */
    static final int FIRST = 20_000;

    static final int COUNT = 10_000;

    /** By port, how many makings have it on each node: two, while one replaces another. */
    private final Map<Integer, SortedMap<String, Integer>> taken = new LinkedHashMap<>();

    /**
     * A port for a rank that is about to be placed; null: it needs none, or none is left.
     *
     * <p>Each attempt begins its search elsewhere, so that nobody who is late speaks to a later
     * gang. Whose node its backend will choose may come to any: its port is nobody's anywhere, as
     * long as there are such.
     */
    public @Nullable Integer choose(Job job, RankId rank, String node) {
        if (!job.spec().role(rank.role()).pod().onHost()) {
            return null;
        }
        var nobodys = node.isEmpty() ? first(job, port -> !taken.containsKey(port)) : null;
        return nobodys == null ? first(job, port -> !nodes(port).containsKey(node)) : nobodys;
    }

    private static @Nullable Integer first(Job job, IntPredicate isFree) {
        long seed = job.id().uid().offset() * 7 + job.id().uid().partition() * 1009L;
        int from = (int) Math.floorMod(seed + job.fences().attempt() * 389L, (long) COUNT);
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + (from + i) % COUNT;
            if (isFree.test(port)) {
                return port;
            }
        }
        return null;
    }

    /** Nodes to which this rank cannot go with its port, since another one has it there. */
    public SortedSet<String> takenFrom(Rank rank) {
        var port = rank.making().port();
        if (port == null) {
            return new TreeSet<>();
        }
        var closed = new TreeSet<>(nodes(port).keySet());
        boolean isItsAlone = nodes(port).getOrDefault(rank.making().node(), 0) == 1;
        if (has(rank) && isItsAlone) {
            closed.remove(rank.making().node());
        }
        return closed;
    }

    /** What ended listens no more, but the next making of it will, where it keeps its room. */
    private static boolean has(Rank rank) {
        return rank.making().port() != null && !rank.sight().released();
    }

    /** One making more has its port, or one less. */
    public void count(Rank rank, int sign) {
        if (sign > 0) {
            take(rank);
        } else {
            giveBack(rank);
        }
    }

    private void take(Rank rank) {
        var port = rank.making().port();
        if (port != null && has(rank)) {
            taken.computeIfAbsent(port, _ -> new TreeMap<>())
                    .merge(rank.making().node(), 1, Integer::sum);
        }
    }

    private void giveBack(Rank rank) {
        var port = rank.making().port();
        if (port != null && has(rank)) {
            var nodes = nodes(port);
            nodes.merge(rank.making().node(), -1, Integer::sum);
            nodes.values().removeIf(count -> count == 0);
            if (nodes.isEmpty()) {
                taken.remove(port);
            }
        }
    }

    private SortedMap<String, Integer> nodes(int port) {
        return taken.getOrDefault(port, new TreeMap<>());
    }
}
