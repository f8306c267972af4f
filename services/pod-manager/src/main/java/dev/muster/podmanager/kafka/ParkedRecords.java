package dev.muster.podmanager.kafka;

import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.Parked;
import dev.muster.v1.ParkedHeader;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where records go that could not be taken in, whole, for an operator to see. */
final class ParkedRecords {
    private static final Logger log = LoggerFactory.getLogger(ParkedRecords.class);

    private final Producer<byte[], Parked> producer;
    private final Instance instance;

    ParkedRecords(Producer<byte[], Parked> producer, Instance instance) {
        this.producer = producer;
        this.instance = instance;
    }

    void park(ConsumerRecord<byte[], byte @Nullable []> in, String error) {
        log.atWarn()
                .addKeyValue("topic", in.topic())
                .addKeyValue("partition", in.partition())
                .addKeyValue("offset", in.offset())
                .addKeyValue("why", error)
                .log("parked");
        var parked =
                Parked.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId(instance.nextId())
                                        .setAt(Instant.now().truncatedTo(ChronoUnit.MICROS))
                                        .setActor("pod-manager")
                                        .build())
                        .setTopic(in.topic())
                        .setPartition(in.partition())
                        .setOffset(in.offset())
                        .setTimestamp(Instant.ofEpochMilli(in.timestamp()))
                        .setKey(bytes(in.key()))
                        .setValue(bytes(in.value()))
                        .setHeaders(headers(in))
                        .setError(error)
                        .build();
        var _ =
                producer.send(
                        new ProducerRecord<>(Topics.PARKED.name(), in.key(), parked),
                        (_, failure) -> {
                            if (failure != null) {
                                log.atError().setCause(failure).log("could not park a record");
                            }
                        });
    }

    private static @Nullable ByteBuffer bytes(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    private static List<ParkedHeader> headers(ConsumerRecord<?, ?> in) {
        var headers = new ArrayList<ParkedHeader>();
        for (var header : in.headers()) {
            headers.add(
                    ParkedHeader.newBuilder()
                            .setKey(header.key())
                            .setValue(bytes(header.value()))
                            .build());
        }
        return headers;
    }
}
