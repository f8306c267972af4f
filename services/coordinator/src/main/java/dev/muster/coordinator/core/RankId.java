package dev.muster.coordinator.core;

import java.util.Comparator;

/** One place in a job's gang: a role and an index from 0; written {@code role-index}. */
public record RankId(String role, int index) implements Comparable<RankId> {
    private static final Comparator<RankId> ORDER =
            Comparator.comparing(RankId::role).thenComparingInt(RankId::index);

    @Override
    public int compareTo(RankId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role + "-" + index;
    }
}
