package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.QueuePolicy.Contender;
import java.math.BigInteger;

/**
 * Who has least of what he uses most, by weight (Ghodsi et al., Dominant Resource Fairness, 2011):
 * the largest of used / total over the resources, divided by the weight. A resource of which the
 * pool has nothing does not count.
 */
final class DominantShare {
    private DominantShare() {}

    /**
     * A fraction; compared by cross-multiplication, since rounding would let order depend on it.
     */
    private record Share(long used, long total) {
        static final Share NONE = new Share(0, 1);

        boolean isAbove(Share other) {
            return product(used, other.total).compareTo(product(other.used, total)) > 0;
        }
    }

    static int compare(Contender a, Contender b, Amounts total) {
        var ofA = dominant(a.used(), total);
        var ofB = dominant(b.used(), total);
        return product(ofA.used, ofB.total)
                .multiply(BigInteger.valueOf(b.weight()))
                .compareTo(product(ofB.used, ofA.total).multiply(BigInteger.valueOf(a.weight())));
    }

    private static Share dominant(Amounts used, Amounts total) {
        var largest = Share.NONE;
        for (var resource : used.byName().entrySet()) {
            long all = total.get(resource.getKey());
            var share = new Share(resource.getValue(), all);
            if (all > 0 && share.isAbove(largest)) {
                largest = share;
            }
        }
        return largest;
    }

    private static BigInteger product(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }
}
