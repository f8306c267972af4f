package dev.muster.coordinator.stream;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * All that can be set in the coordinator, under {@code coordinator.} in application.yaml, where the
 * defaults stand. (What decides about jobs is never configuration: it reaches the pool as events.)
 *
 * @param applicationId under which its group, transactions and changelogs go
 * @param stateDir should survive a restart of the process, else the next start reads the changelogs
 *     anew
 * @param threads each with its own producer, 1 or more: a slow pool delays those that share its
 *     thread
 * @param standbyReplicas how many other processes keep a pool's rows warm, 0 or more
 * @param instance name of this process that it keeps over restarts; empty: none. A restarted one
 *     then takes its pools back at once, but while it is down nobody else does before the session
 *     timeout, and nobody else ends the transaction that it left
 * @param commitInterval what was taken in is committed after so long at most, 1 ms or more and
 *     shorter than {@code transactionTimeout}; outputs sooner, as long as commits take a small part
 *     of the time
 * @param transactionTimeout what takes longer is done again, and given twice as long each time, up
 *     to a minute; a dead process's transaction is ended by whoever takes over, and if nobody does,
 *     or some process has an {@code instance}, by the broker after so long
 * @param sessionTimeout a dead process's pools are taken over after so long; not below the broker's
 *     {@code group.min.session.timeout.ms}, else it is refused when it joins its group
 */
@ConfigurationProperties(value = "coordinator", ignoreUnknownFields = false)
public record CoordinatorConfig(
        String applicationId,
        Path stateDir,
        int threads,
        int standbyReplicas,
        String instance,
        Duration commitInterval,
        Duration transactionTimeout,
        Duration sessionTimeout) {
    public CoordinatorConfig {
        if (requireNonNull(applicationId, "coordinator.application-id is not set").isBlank()) {
            throw new IllegalArgumentException("coordinator.application-id must not be empty");
        }
        requireNonNull(stateDir, "coordinator.state-dir is not set");
        if (threads < 1) {
            throw new IllegalArgumentException(
                    "coordinator.threads must be 1 or more, was " + threads);
        }
        if (standbyReplicas < 0) {
            throw new IllegalArgumentException(
                    "coordinator.standby-replicas must not be negative, was " + standbyReplicas);
        }
        requireNonNull(instance, "coordinator.instance is not set (empty: none)");
        atLeastOneMilli(commitInterval, "commit-interval");
        atLeastOneMilli(transactionTimeout, "transaction-timeout");
        atLeastOneMilli(sessionTimeout, "session-timeout");
        if (commitInterval.compareTo(transactionTimeout) >= 0) {
            throw new IllegalArgumentException(
                    "coordinator.commit-interval (%s) must be shorter than transaction-timeout (%s)"
                            .formatted(commitInterval, transactionTimeout));
        }
    }

    private static void atLeastOneMilli(Duration duration, String name) {
        if (requireNonNull(duration, "coordinator." + name + " is not set").toMillis() < 1) {
            throw new IllegalArgumentException(
                    "coordinator.%s must be 1 ms or more, was %s".formatted(name, duration));
        }
    }
}
