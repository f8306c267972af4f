package dev.muster.coordinator.stream.avro;

import dev.muster.schemas.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One record to publish.
 *
 * @param value null: what the key said before is over
 */
public record Output(Topic<?> topic, String key, @Nullable SpecificRecord value) {}
