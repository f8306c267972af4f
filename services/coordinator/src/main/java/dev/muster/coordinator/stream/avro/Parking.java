package dev.muster.coordinator.stream.avro;

import dev.muster.schemas.Topics;
import dev.muster.streams.KeptRecord;
import dev.muster.v1.Parked;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/** An inbox record that is put aside: the decision that says so, and the record. */
public final class Parking {
    private Parking() {}

    /**
     * The decision first, then the record.
     *
     * @param at the pool's time
     */
    public static List<Output> of(
            Origin origin, Record<byte[], byte[]> raw, Instant at, String error) {
        var envelopes = new Envelopes(origin, at);
        var decision = new OutboundDecisions(origin, at, envelopes).parked(error);
        var kept = KeptRecord.of(raw.key(), raw.value(), raw.headers());
        var parked =
                Parked.newBuilder()
                        .setEnvelope(envelopes.plain())
                        .setTopic(Topics.INBOX.name())
                        .setPartition(origin.partition())
                        .setOffset(origin.offset())
                        .setTimestamp(Instant.ofEpochMilli(raw.timestamp()))
                        .setKey(kept.key())
                        .setValue(kept.value())
                        .setHeaders(kept.headers())
                        .setError(kept.because(error))
                        .build();
        var key = kept.parkedKey();
        return List.of(
                decision, new Output(Topics.PARKED, key == null ? origin.pool() : key, parked));
    }
}
