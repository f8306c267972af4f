package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.schemas.KeptRecord;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.Parked;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** An inbox record that is put aside: the decision that says so, the record, and the answer. */
public final class Parking {
    private Parking() {}

    /**
     * The decision first, then the record, and then what is said to whoever asked for something.
     *
     * @param message what the record says; null: it cannot be read
     * @param isKnown which submissions the pool has
     * @param at the pool's time
     */
    public static List<Output> of(
            Origin origin,
            Record<byte[], byte[]> raw,
            @Nullable InboxEvent message,
            Predicate<JobId> isKnown,
            Instant at,
            String error) {
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
        var record = new Output(Topics.PARKED, key == null ? origin.pool() : key, parked);
        var answers =
                message == null
                        ? Stream.<Output>empty()
                        : new ParkedRequest(origin, envelopes, at, error)
                                .answers(message, isKnown).stream();
        return Stream.concat(Stream.of(decision, record), answers).toList();
    }
}
