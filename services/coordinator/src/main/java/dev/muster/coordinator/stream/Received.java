package dev.muster.coordinator.stream;

import java.time.Instant;
import org.apache.kafka.streams.processor.api.Record;

/** One inbox record as it came. */
record Received(long offset, Record<byte[], byte[]> record) {
    Instant appended() {
        return Instant.ofEpochMilli(record.timestamp());
    }
}
