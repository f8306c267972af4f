package dev.muster.coordinator.history.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record of a pool's inbox as it lies in the log.
 *
 * @param appended when the broker appended it
 * @param value null: somebody wrote a record without one
 */
public record InboxRecord(int partition, long offset, Instant appended, byte @Nullable [] value) {}
