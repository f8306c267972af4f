package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.Node.Trust;
import dev.muster.coordinator.core.model.PoolSpec.NodeHealth;
import dev.muster.schemas.contract.Limits;
import java.time.Duration;
import java.time.Instant;

/**
 * What the pool holds against a node: failures that were its own, whatever the job. Each weighs 1,
 * and half of the weight is forgotten in each half-life, evenly within one. A node is suspect from
 * its first failure until half a failure is left, so for one half-life after one failure, two after
 * two and three after four. It is excluded once the weight, rounded, is as many failures as the
 * settings say, until half as many are left.
 *
 * @param weight in thousandths of a failure
 * @param at when it weighed so much
 * @param last when something failed there last
 * @param reason a code, of that
 * @param message one sentence for people, of that
 */
public record Suspicion(
        String node,
        int weight,
        Instant at,
        Trust trust,
        Instant last,
        String reason,
        String message)
        implements Row {
    /** What follows within this is the same failure, though more pods or jobs see it. */
    public static final Duration SAME_FAILURE_WITHIN = Duration.ofMinutes(1);

    private static final int ONE = 1_000;
    private static final int MOST = Limits.NODE_HEALTH_EXCLUDE_AT * ONE;

    /** The first failure that is remembered. */
    public static Suspicion first(
            String node, String reason, String message, NodeHealth rule, Instant now) {
        return new Suspicion(node, ONE, now, trust(ONE, Trust.TRUSTED, rule), now, reason, message);
    }

    /** One more failure, or one that is known already. */
    public Suspicion failed(String reason, String message, NodeHealth rule, Instant now) {
        if (Duration.between(last, now).compareTo(SAME_FAILURE_WITHIN) < 0) {
            return this;
        }
        int next = Math.min(MOST, weight(now, rule.halfLife()) + ONE);
        return new Suspicion(node, next, now, trust(next, trust, rule), now, reason, message);
    }

    /**
     * As it is now.
     *
     * @param before by what it was forgotten until now
     * @param rule by what it is judged from now on
     */
    public Suspicion at(Instant now, NodeHealth before, NodeHealth rule) {
        int left = weight(now, before.halfLife());
        return new Suspicion(node, left, now, trust(left, trust, rule), last, reason, message);
    }

    private static Trust trust(int weight, Trust before, NodeHealth rule) {
        int limit = rule.excludeAt() * ONE;
        boolean isExcluded =
                limit > 0
                        && (weight > limit - ONE / 2
                                || before == Trust.EXCLUDED && weight > limit / 2);
        return isExcluded ? Trust.EXCLUDED : weight > ONE / 2 ? Trust.SUSPECT : Trust.TRUSTED;
    }

    /** What is left of it. */
    public int weight(Instant now, Duration halfLife) {
        long millis = Math.max(0, Duration.between(at, now).toMillis());
        long half = halfLife.toMillis();
        long halvings = millis / half;
        if (halvings >= Integer.SIZE) {
            return 0;
        }
        int begun = weight >> halvings;
        return (int) (begun - (begun - (begun >> 1)) * (millis % half) / half);
    }

    /** When it is relied on more than now, if nothing else fails there. */
    public Instant until(NodeHealth rule) {
        int enough = (trust == Trust.EXCLUDED ? rule.excludeAt() * ONE : ONE) / 2;
        long half = rule.halfLife().toMillis();
        var from = at;
        int begun = weight;
        while (begun >> 1 > enough) {
            begun >>= 1;
            from = from.plusMillis(half);
        }
        long gone = Math.max(0, begun - enough);
        return from.plusMillis(Math.ceilDiv(gone * half, Math.max(1, begun - (begun >> 1))));
    }

    @Override
    public Key key() {
        return new Key(Table.SUSPICION, node);
    }
}
