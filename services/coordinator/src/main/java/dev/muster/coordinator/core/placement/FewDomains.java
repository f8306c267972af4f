package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.placement.Domains.Domain;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** In which order domains are filled so that a gang lies in few of them. */
final class FewDomains {
    /** So many sums are compared; a search that goes on then would take too long. */
    private static final long MOST = 2_000_000;

    private final List<Seats> parts;

    /** By domain and part, how many pods there is room for while nothing is placed there. */
    private final List<long[]> sums;

    private final BitSet done = new BitSet();
    private long compared;

    FewDomains(List<Seats> parts, List<Domain> domains) {
        this.parts = parts;
        sums = domains.stream().map(this::sums).toList();
        // Who has no room for any must not count to what is too many.
        for (int at = 0; at < sums.size(); at++) {
            done.set(at, Arrays.stream(sums.get(at)).allMatch(sum -> sum == 0));
        }
    }

    private long[] sums(Domain domain) {
        return parts.stream().mapToLong(part -> part.sum(domain.nodes())).toArray();
    }

    /** It has looked at more than it may: the rest goes anywhere. */
    boolean areTooMany() {
        return compared > MOST;
    }

    /**
     * The place of the domain that holds all that is left with the least to spare, else of the one
     * that holds the most; -1: none holds any. None comes twice.
     */
    int next() {
        int best = -1;
        long most = 0;
        long least = 0;
        long left = parts.stream().mapToLong(Seats::left).sum();
        for (int at = done.nextClearBit(0); at < sums.size(); at = done.nextClearBit(at + 1)) {
            compared += parts.size();
            long held = 0;
            long spare = 0;
            for (int i = 0; i < parts.size(); i++) {
                held += Math.min(sums.get(at)[i], parts.get(i).left());
                spare += sums.get(at)[i] - parts.get(i).left();
            }
            if (held > most || (held == most && held == left && best >= 0 && spare < least)) {
                best = at;
                most = held;
                least = spare;
            }
        }
        if (best >= 0) {
            done.set(best);
        }
        return best;
    }
}
