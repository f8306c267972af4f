package dev.muster.coordinator.core.model;

/** One place in a job's gang: a role and an index from 0; written {@code role-index}. */
public record RankId(String role, int index) implements Comparable<RankId> {
    @Override
    public int compareTo(RankId other) {
        int order = role.compareTo(other.role);
        return order == 0 ? Integer.compare(index, other.index) : order;
    }

    @Override
    public String toString() {
        return role + "-" + index;
    }
}
