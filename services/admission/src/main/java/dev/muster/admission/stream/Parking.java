package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.KeptRecord;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Parked;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Puts a record that nobody can take in where operators find it. */
final class Parking {
    private static final int LONGEST_ERROR = 500;

    private final Codec codec;

    Parking(Codec codec) {
        this.codec = codec;
    }

    /** Schemas can be told at any length. */
    static String sentence(RuntimeException cause) {
        var message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return message.length() > LONGEST_ERROR
                ? message.substring(0, LONGEST_ERROR) + "…"
                : message;
    }

    /** False: a fault of ours, whose trace belongs into the log. */
    boolean isExpected(RuntimeException cause) {
        return cause instanceof UnreadableRecordException;
    }

    Step.Done park(Arrival arrival, String error, Instant now) {
        var kept = KeptRecord.of(arrival.keyBytes(), arrival.value(), arrival.headers());
        var parked =
                Parked.newBuilder()
                        .setEnvelope(Envelopes.of(arrival, "parked", now).build())
                        .setTopic(arrival.topic())
                        .setPartition(arrival.partition())
                        .setOffset(arrival.offset())
                        .setTimestamp(Instant.ofEpochMilli(arrival.timestamp()))
                        .setKey(kept.key())
                        .setValue(kept.value())
                        .setHeaders(kept.headers())
                        .setError(kept.because(error))
                        .build();
        var key = Objects.requireNonNullElse(kept.parkedKey(), "");
        return new Step.Done(
                List.of(
                        new Outgoing(
                                new Target(
                                        Topics.PARKED.name(),
                                        Partitions.ofKey(Topics.PARKED, key),
                                        key.getBytes(UTF_8)),
                                codec.write(Topics.PARKED, parked))),
                null,
                "parked");
    }
}
