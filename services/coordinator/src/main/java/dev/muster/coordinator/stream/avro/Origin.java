package dev.muster.coordinator.stream.avro;

import org.jspecify.annotations.Nullable;

/**
 * The inbox record from which outputs come: so a replay gives them the same ids.
 *
 * @param pool whose inbox it is
 * @param partition the pool's number
 * @param cause the record's own id; null: it could not be read
 */
public record Origin(String pool, int partition, long offset, @Nullable String cause) {}
