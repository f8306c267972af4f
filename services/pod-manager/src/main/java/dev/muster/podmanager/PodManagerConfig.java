package dev.muster.podmanager;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * All that can be set in pod-manager, under {@code pod-manager.} in application.yaml, where the
 * defaults stand. (What decides about jobs is never configuration.)
 *
 * @param installation only objects with this label value are ours; the watcher's has to be the same
 * @param apiQps how many requests a second may go to the API server, more than 0
 * @param apiBurst how many of them at once after a rest, 1 or more
 * @param apiRequestsAtOnce how many may wait for their answer, 1 or more
 * @param apiTimeout how long an answer is waited for, more than 0
 * @param podsAtOnce how many pods of one job are made or deleted at a time, 1 or more
 * @param workers how many jobs are worked on at a time, 1 or more
 * @param backoffInitial how long what failed once waits, more than 0
 * @param backoffMax the longest that anything waits for its next try, also if the API server asks
 *     for longer, {@code backoffInitial} or more
 * @param aliveEvery how often each pool is told that somebody carries out plans, more than 0
 * @param sweepEvery how often leftovers, and host lists that somebody deleted, are looked for, more
 *     than 0
 * @param sweepCloselyEvery the same for pods that somebody made late who was replaced, more than 0
 * @param sweepCloselyFor how long after a takeover they are expected, 0 or more
 * @param sweepAtMost how many of them are deleted at a time, 0 or more
 * @param drainTimeout how long a stopping pod-manager may finish its work, 0 or more; zero stops at
 *     once. A request to the API server that is under way then, which may take up to {@code
 *     apiTimeout}, is given up: it may have been carried out, and whoever takes the plan over lists
 *     the job's objects before it makes or deletes any
 */
@ConfigurationProperties(value = "pod-manager", ignoreUnknownFields = false)
public record PodManagerConfig(
        String installation,
        double apiQps,
        int apiBurst,
        int apiRequestsAtOnce,
        Duration apiTimeout,
        int podsAtOnce,
        int workers,
        Duration backoffInitial,
        Duration backoffMax,
        Duration aliveEvery,
        Duration sweepEvery,
        Duration sweepCloselyEvery,
        Duration sweepCloselyFor,
        int sweepAtMost,
        Duration drainTimeout) {
    public PodManagerConfig {
        if (!requireNonNull(installation, "pod-manager.installation is not set")
                .matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "pod-manager.installation must be a DNS label, was '" + installation + "'");
        }
        if (!(apiQps > 0)) {
            throw new IllegalArgumentException(
                    "pod-manager.api-qps must be more than 0, was " + apiQps);
        }
        atLeastOne(apiBurst, "api-burst");
        atLeastOne(apiRequestsAtOnce, "api-requests-at-once");
        positive(apiTimeout, "api-timeout");
        atLeastOne(podsAtOnce, "pods-at-once");
        atLeastOne(workers, "workers");
        positive(backoffInitial, "backoff-initial");
        positive(backoffMax, "backoff-max");
        if (backoffMax.compareTo(backoffInitial) < 0) {
            throw new IllegalArgumentException(
                    "pod-manager.backoff-max must not be shorter than backoff-initial (%s), was %s"
                            .formatted(backoffInitial, backoffMax));
        }
        positive(aliveEvery, "alive-every");
        positive(sweepEvery, "sweep-every");
        positive(sweepCloselyEvery, "sweep-closely-every");
        notNegative(sweepCloselyFor, "sweep-closely-for");
        if (sweepAtMost < 0) {
            throw new IllegalArgumentException(
                    "pod-manager.sweep-at-most must not be negative, was " + sweepAtMost);
        }
        notNegative(drainTimeout, "drain-timeout");
    }

    private static void atLeastOne(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "pod-manager.%s must be 1 or more, was %d".formatted(name, value));
        }
    }

    private static void notNegative(Duration value, String name) {
        requireNonNull(value, "pod-manager." + name + " is not set");
        if (value.isNegative()) {
            throw new IllegalArgumentException(
                    "pod-manager.%s must not be negative, was %s".formatted(name, value));
        }
    }

    private static void positive(Duration value, String name) {
        requireNonNull(value, "pod-manager." + name + " is not set");
        if (!value.isPositive()) {
            throw new IllegalArgumentException(
                    "pod-manager.%s must be more than 0, was %s".formatted(name, value));
        }
    }
}
