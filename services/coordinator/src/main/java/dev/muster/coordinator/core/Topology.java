package dev.muster.coordinator.core;

import org.jspecify.annotations.Nullable;

/**
 * How the pods of a gang are to lie to each other. A domain is all nodes with one value of the
 * label {@code key}; nodes without the label are in none. Only {@link Policy#REQUIRE} ever keeps a
 * gang from starting.
 *
 * @param key null: every node is a domain of its own
 */
public record Topology(Policy policy, @Nullable String key) {
    public static final Topology NONE = new Topology(Policy.NONE, null);

    /** Null: the node is in none. */
    @Nullable String domainOf(Node node) {
        return key == null ? node.name() : node.labels().get(key);
    }

    public enum Policy {
        /** Few nodes, wherever they are. */
        NONE,
        /** Evenly over the domains, with a difference of one where room allows. */
        SPREAD,
        /** As few domains as will do. */
        PACK,
        /** One domain if one has room for all, else as with {@link #NONE}. */
        PREFER,
        /** One domain or not at all. */
        REQUIRE
    }
}
