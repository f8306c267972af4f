package dev.muster.coordinator.core.hold;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fewest of many that are enough together, and of several such sets the one that comes first.
 * That is exact while it takes no more than {@link #TRIES} trials; where there is more to look at
 * it is as few as a quick search finds.
 *
 * @param <T> what is chosen from
 */
final class SmallestSubset<T> {
    /** How many sets are tried for being enough, before the quick search's is taken. */
    static final int TRIES = 400;

    /** How many sets are begun. */
    private static final int VISITS = 20_000;

    private final List<One<T>> all;
    private final Predicate<List<T>> areEnough;

    /** Of those from each place on, the most that one of them gives. */
    private final List<long[]> mostFrom = new ArrayList<>();

    private int tries;
    private int visits;

    /**
     * @param gives what it adds at most of each thing that is lacking, 0 or more
     */
    record One<T>(T it, long[] gives) {}

    /**
     * @param all whom to choose first comes first
     * @param areEnough is asked of sets in that order
     */
    SmallestSubset(List<One<T>> all, Predicate<List<T>> areEnough) {
        this.all = List.copyOf(all);
        this.areEnough = areEnough;
        var most = new long[0];
        for (var one : all.reversed()) {
            most = most(most, one.gives());
            mostFrom.add(most);
        }
        Collections.reverse(mostFrom);
    }

    private static long[] most(long[] before, long[] gives) {
        var most = gives.clone();
        for (int i = 0; i < before.length; i++) {
            most[i] = Math.max(most[i], before[i]);
        }
        return most;
    }

    /**
     * @param chain of all, in their order, who are tried together, one more each time
     * @param lack nothing is enough that gives less
     * @return null: none that was tried is enough
     */
    @Nullable List<T> find(List<T> chain, long[] lack) {
        var quick = quick(chain);
        int most = quick == null ? all.size() : quick.size();
        for (int size = 1; size <= most && !isTired(); size++) {
            var found = of(size, 0, new ArrayList<>(), lack);
            if (found != null) {
                return found;
            }
        }
        return quick;
    }

    private boolean isTired() {
        return tries >= TRIES || visits >= VISITS;
    }

    /** Those of {@code size} that begin with the chosen ones and go on from there. */
    private @Nullable List<T> of(int size, int from, List<T> chosen, long[] lack) {
        int more = size - chosen.size();
        if (more == 0) {
            tries++;
            return areEnough.test(chosen) ? List.copyOf(chosen) : null;
        }
        for (int at = from; at + more <= all.size() && !isTired(); at++) {
            if (!isCovered(lack, mostFrom.get(at), more)) {
                return null;
            }
            visits++;
            chosen.add(all.get(at).it());
            var found = of(size, at + 1, chosen, less(lack, all.get(at).gives()));
            if (found != null) {
                return found;
            }
            chosen.removeLast();
        }
        return null;
    }

    private static boolean isCovered(long[] lack, long[] each, int times) {
        for (int i = 0; i < lack.length; i++) {
            if (Math.ceilDiv(lack[i], times) > each[i]) {
                return false;
            }
        }
        return true;
    }

    private static long[] less(long[] lack, long[] gives) {
        var less = lack.clone();
        for (int i = 0; i < less.length; i++) {
            less[i] = Math.max(0, less[i] - gives[i]);
        }
        return less;
    }

    /** As many from the first on as it takes, less those that turn out not to be needed. */
    private @Nullable List<T> quick(List<T> chain) {
        if (chain.isEmpty() || !areEnough.test(chain)) {
            return null;
        }
        int tooFew = 0;
        int enough = chain.size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            if (areEnough.test(chain.subList(0, middle))) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return PreemptionOrder.needed(chain.subList(0, enough), areEnough);
    }
}
