package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Restarts by the kubelet that are not charged yet. Ranks of one gang fall with each other: what
 * the kubelet starts again of each within one time is one incident; what it starts again of the
 * same rank for a second time is a second one.
 *
 * @param id of this gathering; ranks say by it in which of them they are counted
 * @param since when the first was seen
 * @param strongest of each incident the failure of the strongest cause, of equal ones the first
 * @param paid so many of the first are charged already, with what else failed
 */
public record Incidents(long id, Instant since, List<Failure> strongest, int paid) {
    /** Of one rank at most; what is more is charged at once. */
    private static final int MOST = 16;

    /**
     * What the kubelet started again of one rank.
     *
     * @param gathering which one
     * @param count how often within it
     */
    public record Again(long gathering, int count) {}

    public Incidents {
        strongest = List.copyOf(strongest);
    }

    /** How many more of a rank it takes of which there are so many already. */
    public int takes(int before, int times) {
        return Math.min(times, Math.max(0, MOST - before));
    }

    /** One rank was started again so often more, after it was so often before. */
    public Incidents and(int before, int times, Failure failure) {
        var next = new ArrayList<>(strongest);
        for (int i = before; i < before + times; i++) {
            if (i == next.size()) {
                next.add(failure);
            } else if (failure.cause().compareTo(next.get(i).cause()) < 0) {
                next.set(i, failure);
            }
        }
        return new Incidents(id, since, next, paid);
    }

    /** The first is charged together with what else failed. */
    public Incidents firstPaid() {
        return new Incidents(id, since, strongest, Math.max(paid, 1));
    }

    public List<Failure> unpaid() {
        return strongest.subList(Math.min(paid, strongest.size()), strongest.size());
    }
}
