package dev.muster.coordinator.core.model;

/** One place in a job's gang: a role and an index from 0; written {@code role-index}. */
public record RankId(String role, int index) implements Comparable<RankId> {
    /**
     * @throws IllegalArgumentException when the text is not {@code role-index}
     */
    public static RankId parse(String text) {
        int dash = text.lastIndexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("not a rank (role-index): " + text);
        }
        return new RankId(text.substring(0, dash), Integer.parseInt(text.substring(dash + 1)));
    }

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
