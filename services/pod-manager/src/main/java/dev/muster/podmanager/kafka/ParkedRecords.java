package dev.muster.podmanager.kafka;

import dev.muster.schemas.KeptRecord;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.Parked;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where records go that could not be taken in, for an operator to see. */
final class ParkedRecords {
    private static final Logger log = LoggerFactory.getLogger(ParkedRecords.class);

    private final Producer<String, byte[]> producer;
    private final Function<Parked, byte[]> encode;
    private final Instance instance;

    /**
     * @param encode throws a RetriableException when it should be tried again
     */
    ParkedRecords(
            Producer<String, byte[]> producer, Function<Parked, byte[]> encode, Instance instance) {
        this.producer = producer;
        this.encode = encode;
        this.instance = instance;
    }

    /**
     * Returns when it is on its way.
     *
     * @throws org.apache.kafka.common.errors.RetriableException when it cannot be parked now:
     *     nothing is done, and it is to be given again
     */
    void park(ConsumerRecord<byte[], byte @Nullable []> in, String error) {
        var kept = KeptRecord.of(in.key(), in.value(), in.headers());
        // Not by the producer: to whoever sends, it says nothing of a registry that is away.
        var value = encode.apply(parked(in, kept, error));
        log.atWarn()
                .addKeyValue("topic", in.topic())
                .addKeyValue("partition", in.partition())
                .addKeyValue("offset", in.offset())
                .addKeyValue("why", error)
                .log("parked");
        var _ =
                producer.send(
                        new ProducerRecord<>(Topics.PARKED.name(), kept.parkedKey(), value),
                        (_, failure) -> {
                            if (failure != null) {
                                log.atError().setCause(failure).log("could not park a record");
                            }
                        });
    }

    private Parked parked(ConsumerRecord<?, ?> in, KeptRecord kept, String error) {
        return Parked.newBuilder()
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
                .setKey(kept.key())
                .setValue(kept.value())
                .setHeaders(kept.headers())
                .setError(kept.because(error))
                .build();
    }
}
