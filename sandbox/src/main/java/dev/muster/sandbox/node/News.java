package dev.muster.sandbox.node;

import dev.muster.sandbox.node.process.RunFolder.Exit;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;

/** What a pod's worker is told. */
sealed interface News {
    /** The pod as the API server has it now. */
    record Seen(Pod pod) implements News {}

    /** The pod is not there any more. */
    record Gone() implements News {}

    /** A container's process ended. */
    record Ended(String container, int incarnation, Exit exit) implements News {}

    /** A container's readiness probe changed its mind. */
    record Probed(String container, int incarnation, boolean ready) implements News {}

    /** The node stops. */
    record Stopping(Instant killAt) implements News {}
}
