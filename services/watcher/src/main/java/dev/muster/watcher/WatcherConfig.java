package dev.muster.watcher;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * All that can be set of the watcher, under {@code watcher.} in application.yaml, where the
 * defaults stand.
 *
 * @param installation whose pods are ours, by their label: pod-manager's
 * @param shards how many shards the namespaces are shared out to, from 1 to 64, the same in every
 *     watcher
 * @param leaseNamespace where the shards' Leases stand; it has to be there
 * @param leaseDuration how long a Lease outlives its holder, in whole seconds; longer, up to 15 s,
 *     while the API server is slow
 * @param leaseRenewal how often a Lease is renewed, and tried for; less than half its duration
 * @param moreRoomEvery how often at most a pool hears that others use less of a node, more than 0
 * @param aliveEvery how often every pool hears that a shard is watched, more than 0
 * @param webSockets whether the API server is watched by web sockets, else by plain HTTP: for a
 *     proxy before it that does not let them through
 */
@ConfigurationProperties(value = "watcher", ignoreUnknownFields = false)
public record WatcherConfig(
        String installation,
        int shards,
        String leaseNamespace,
        Duration leaseDuration,
        Duration leaseRenewal,
        Duration moreRoomEvery,
        Duration aliveEvery,
        boolean webSockets) {

    /** More would be more Leases than a cluster likes to renew. */
    private static final int MOST_SHARDS = 64;

    public WatcherConfig {
        named(installation, "watcher.installation");
        named(leaseNamespace, "watcher.lease-namespace");
        positive(leaseDuration, "watcher.lease-duration");
        positive(leaseRenewal, "watcher.lease-renewal");
        positive(moreRoomEvery, "watcher.more-room-every");
        positive(aliveEvery, "watcher.alive-every");
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException(
                    "watcher.shards must be from 1 to " + MOST_SHARDS + ", was " + shards);
        }
        if (!leaseDuration.equals(Duration.ofSeconds(leaseDuration.toSeconds()))) {
            throw new IllegalArgumentException(
                    "watcher.lease-duration must be in whole seconds, was " + leaseDuration);
        }
        if (leaseRenewal.multipliedBy(2).compareTo(leaseDuration) >= 0) {
            throw new IllegalArgumentException(
                    "watcher.lease-renewal must be less than half of watcher.lease-duration ("
                            + leaseDuration
                            + "), was "
                            + leaseRenewal);
        }
    }

    private static void named(String value, String name) {
        requireNonNull(value, name + " is not set");
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " must not be empty");
        }
    }

    private static void positive(Duration value, String name) {
        requireNonNull(value, name + " is not set");
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be more than 0, was " + value);
        }
    }
}
