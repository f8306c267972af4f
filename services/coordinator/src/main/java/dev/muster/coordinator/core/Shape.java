package dev.muster.coordinator.core;

import java.util.List;

/**
 * All that a gang needs of the nodes. Waiting jobs of one shape are tried once for all.
 *
 * @param parts one per role
 */
record Shape(List<Part> parts) {
    record Part(String role, int pods, Amounts demand, NodeFilter filter) {}

    Shape {
        parts = List.copyOf(parts);
    }

    Amounts total() {
        var total = Amounts.NONE;
        for (var part : parts) {
            total = total.plus(part.demand().times(part.pods()));
        }
        return total;
    }
}
