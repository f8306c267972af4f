package dev.muster.sandbox.node.core;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as Kubernetes writes them. */
public final class Times {
    private Times() {}

    /** Whole seconds, as in most fields. */
    public static String kubernetes(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
