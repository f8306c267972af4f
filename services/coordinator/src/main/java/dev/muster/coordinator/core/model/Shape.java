package dev.muster.coordinator.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * All that a gang needs of the nodes. Waiting jobs of one shape are tried once for all, so it is
 * made to be looked up: its hash is counted once.
 */
public final class Shape {
    private final List<Part> parts;
    private final Topology topology;
    private final int hash;

    /**
     * Pods of one role that are alike.
     *
     * @param first index of the first of them; several parts may share a role
     * @param group which others of the gang they keep apart from
     * @param spot they are spot pods
     * @param repulsion which pods of other jobs they keep apart from
     */
    public record Part(
            String role,
            int first,
            int pods,
            Amounts demand,
            NodeFilter filter,
            Separation.Group group,
            boolean spot,
            Repulsion repulsion) {
        /** Tells it from the other parts of its shape. */
        public String name() {
            return role + "/" + first;
        }

        private Part mixed() {
            return new Part(role, first, pods, demand, filter, group.mixed(), spot, repulsion);
        }

        private boolean has(RankId rank) {
            return rank.role().equals(role) && rank.index() >= first && rank.index() < first + pods;
        }

        /** All its pods on one node. */
        public List<Fit.Placement> on(String node) {
            var placements = new ArrayList<Fit.Placement>(pods);
            for (int index = first; index < first + pods; index++) {
                placements.add(new Fit.Placement(new RankId(role, index), node, spot));
            }
            return placements;
        }
    }

    public Shape(List<Part> parts, Topology topology) {
        this.parts = List.copyOf(parts);
        this.topology = topology;
        hash = 31 * this.parts.hashCode() + topology.hashCode();
    }

    public List<Part> parts() {
        return parts;
    }

    /** The one that a rank belongs to, which it must. */
    Part part(RankId rank) {
        return parts.stream().filter(part -> part.has(rank)).findFirst().orElseThrow();
    }

    public Topology topology() {
        return topology;
    }

    /** Whether it fits is found out by a search: it does not follow from what each node takes. */
    public boolean isSearched() {
        return parts.size() > 1 || topology.policy() == Topology.Policy.REQUIRE;
    }

    /** All its pods accept the same nodes. */
    public boolean isOfOneFilter() {
        return parts.stream().allMatch(part -> part.filter().equals(parts.getFirst().filter()));
    }

    /** The same gang, wherever its pods lie. */
    public Shape anywhere() {
        return topology.equals(Topology.NONE) ? this : new Shape(parts, Topology.NONE);
    }

    /** Pods of some of its roles keep apart from each other. */
    public boolean isSplit() {
        return parts.stream().anyMatch(part -> part.group().shunsOthers());
    }

    /** The same gang, whose roles may share nodes. */
    public Shape mixed() {
        return new Shape(parts.stream().map(Part::mixed).toList(), topology);
    }

    public long pods() {
        return parts.stream().mapToLong(Part::pods).sum();
    }

    /**
     * What all its pods need. A sum that is larger than a long ends there: no pool has as much, so
     * the gang is short of it either way.
     */
    public Amounts total() {
        var resources = new Resources();
        var total = new Sums();
        for (var part : parts) {
            total.add(resources, part.demand(), part.pods());
        }
        return total.amounts(resources);
    }

    @Override
    public boolean equals(Object object) {
        return this == object
                || (object instanceof Shape other
                        && hash == other.hash
                        && topology.equals(other.topology)
                        && parts.equals(other.parts));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "Shape[parts=%s, topology=%s]".formatted(parts, topology);
    }
}
