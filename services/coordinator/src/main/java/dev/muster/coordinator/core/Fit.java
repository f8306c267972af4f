package dev.muster.coordinator.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a gang goes into what is free: all of it, or nothing and why. */
sealed interface Fit {
    /** A node for every pod, in the order of roles and indices. */
    record Placed(List<Placement> pods) implements Fit {
        public Placed {
            pods = List.copyOf(pods);
        }
    }

    record Placement(RankId rank, String node) {}

    /**
     * @param never it would not fit the empty pool either
     */
    record Short(
            WaitReason.Code code,
            String scope,
            WaitReason.@Nullable Shortage shortage,
            String remedy,
            String message,
            boolean never)
            implements Fit {}
}
