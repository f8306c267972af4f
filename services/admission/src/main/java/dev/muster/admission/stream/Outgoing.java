package dev.muster.admission.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record on its way to a partition. */
record Outgoing(Target target, byte @Nullable [] value, List<Arrival.Header> headers) {
    Outgoing {
        headers = List.copyOf(headers);
    }

    Outgoing(Target target, byte[] value) {
        this(target, value, List.of());
    }

    /** Where a record goes; said with its key, since that is what the sink is shown. */
    record Target(String topic, int partition, byte @Nullable [] key) {}
}
