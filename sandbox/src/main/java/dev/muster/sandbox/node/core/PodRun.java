package dev.muster.sandbox.node.core;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the node knows of one pod.
 *
 * @param since when the node took it
 * @param containers by name, only those of which something is known
 * @param ending why and until when it is being ended, if it is
 */
public record PodRun(Instant since, Map<String, ContainerRun> containers, @Nullable Ending ending) {

    /** Why a pod is ended from outside. */
    public enum Why {
        DELETED("", ""),
        DEADLINE(
                "DeadlineExceeded",
                "Pod was active on the node longer than the specified deadline"),
        SHUTDOWN("Terminated", "Pod was terminated in response to imminent node shutdown.");

        final String reason;
        final String message;

        Why(String reason, String message) {
            this.reason = reason;
            this.message = message;
        }
    }

    /** The end that is being made of a pod: what lives at {@code killAt} is killed. */
    public record Ending(Why why, Instant killAt) {}

    public PodRun {
        containers = Collections.unmodifiableMap(new LinkedHashMap<>(containers));
    }

    public static PodRun taken(Instant now) {
        return new PodRun(now, Map.of(), null);
    }

    public ContainerRun of(String container) {
        return containers.getOrDefault(container, ContainerRun.NONE);
    }

    /** The same, but for one container. */
    public PodRun with(String container, UnaryOperator<ContainerRun> change) {
        var changed = new LinkedHashMap<>(containers);
        changed.put(container, change.apply(of(container)));
        return new PodRun(since, changed, ending);
    }

    /** The same, being ended; of two ends the first gives the reason and the earlier the time. */
    public PodRun ending(Why why, Instant killAt) {
        var known = ending;
        if (known == null) {
            return new PodRun(since, containers, new Ending(why, killAt));
        }
        return killAt.isBefore(known.killAt())
                ? new PodRun(since, containers, new Ending(known.why(), killAt))
                : this;
    }

    ContainerRun of(PodShape.Unit unit) {
        return of(unit.name());
    }

    /** The reason of its end, for the pod's own status; empty if its containers tell it all. */
    Why why() {
        return Objects.requireNonNullElse(ending, NO_ENDING).why();
    }

    private static final Ending NO_ENDING = new Ending(Why.DELETED, Instant.MAX);
}
