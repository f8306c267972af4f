package dev.muster.coordinator.core.model;

import org.jspecify.annotations.Nullable;

/**
 * How the pods of a gang are to lie to each other. A domain is all nodes with one value of the
 * label {@code key}; nodes without the label are in none. Only {@link Policy#REQUIRE} ever keeps a
 * gang from starting, and later pods from coming.
 *
 * <p>Pods that come later keep to those that stand ({@code Siblings}). Where a whole domain is
 * gone, a gang that restarts as a whole starts in any other; pods that are made again alone wait
 * while any of their gang stands, and else go to another domain together.
 *
 * @param key null: every node is a domain of its own
 */
public record Topology(Policy policy, @Nullable String key) {
    public static final Topology NONE = new Topology(Policy.NONE, null);

    /** Null: the node is in none. */
    public @Nullable String domainOf(Node node) {
        return key == null ? node.name() : node.labels().get(key);
    }

    public enum Policy {
        /** Few nodes, wherever they are. */
        NONE,
        /** Evenly over the domains, with a difference of one where room allows; later pods, too. */
        SPREAD,
        /** As few domains as will do: later pods go where some of the gang are, if they can. */
        PACK,
        /**
         * One domain if one has room for all, else as with {@link #NONE}: for later pods that where
         * most of the gang are.
         */
        PREFER,
        /** One domain or not at all: for later pods that of the gang. */
        REQUIRE
    }
}
