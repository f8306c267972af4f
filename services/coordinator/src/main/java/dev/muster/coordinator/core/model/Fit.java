package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whether a gang goes into what is free: all of it, or nothing and why. */
public sealed interface Fit {
    /** A node for every pod, in the order of the shape's parts and their indices. */
    record Placed(List<Placement> pods) implements Fit {
        public Placed {
            pods = List.copyOf(pods);
        }

        /** What a job of this spec needs there, by node. */
        public SortedMap<String, Amounts> rooms(JobSpec spec) {
            var rooms = new TreeMap<String, Amounts>();
            for (var placement : pods) {
                var demand = spec.role(placement.rank().role()).demand();
                rooms.merge(placement.node(), demand, Amounts::plus);
            }
            return rooms;
        }
    }

    /**
     * @param spot as a spot pod
     */
    record Placement(RankId rank, String node, boolean spot) {}

    /**
     * @param never it would not fit the empty pool either
     * @param nearest the few nodes that come nearest to taking one more pod
     */
    record Short(
            WaitReason.Code code,
            String scope,
            WaitReason.@Nullable Shortage shortage,
            String remedy,
            String message,
            boolean never,
            List<NodeLack> nearest)
            implements Fit {
        public Short {
            nearest = List.copyOf(nearest);
        }

        public WaitReason reason(Instant now) {
            var lacks =
                    nearest.stream()
                            .map(near -> new WaitReason.Lack(near.node(), near.lack()))
                            .toList();
            return new WaitReason(code, scope, shortage, now, remedy, message, lacks);
        }
    }

    /**
     * Why a node takes no more pods.
     *
     * @param lack goes on where the node's name ends: {@code lacks 2 of cpu}
     */
    record NodeLack(String node, String lack) {
        @Override
        public String toString() {
            return node + " " + lack;
        }
    }
}
