package dev.muster.podmanager.kafka;

import dev.muster.schemas.KeptRecord;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.v1.Envelope;
import dev.muster.v1.Parked;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Where records go that could not be taken in, for an operator to see. For any thread. */
final class ParkedRecords {
    private static final Logger log = LoggerFactory.getLogger(ParkedRecords.class);

    /** Records of up to 4 MiB that are kept in memory until the registry is back. */
    static final int MOST = 30;

    private final Producer<String, byte[]> producer;
    private final Function<Parked, byte[]> encode;
    private final Instance instance;
    private final Queue<Unparked> waiting = new ArrayBlockingQueue<>(MOST);

    /** Whoever has it sends the first of those that wait, and takes it away. */
    private final Lock sending = new ReentrantLock();

    private record Unparked(ConsumerRecord<byte[], byte @Nullable []> in, String error) {}

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
     * Parks it now, or else when {@link #parkWhatWaits} is called with the registry there: nobody
     * who reads waits for it.
     *
     * @throws RegistryUnavailableException when too many wait already: nothing is done, and it is
     *     to be given again
     */
    void park(ConsumerRecord<byte[], byte @Nullable []> in, String error) {
        var record = new Unparked(in, error);
        if (!waiting.offer(record)) {
            throw new RegistryUnavailableException(MOST + " records wait to be parked");
        }
        // Where others wait already the registry was asked a moment ago.
        if (waiting.size() == 1) {
            parkWhatWaits();
        }
        if (waiting.contains(record)) {
            said(in, error).log("will be parked");
        }
    }

    /**
     * One record, if it can be parked now; else it keeps those behind it. No more, since who calls
     * this has to read meanwhile, and each may be of some MiB; and none where another thread is
     * just doing it.
     */
    void parkWhatWaits() {
        if (!sending.tryLock()) {
            return;
        }
        try {
            var first = waiting.peek();
            if (first != null) {
                send(first.in(), first.error());
                waiting.remove();
            }
        } catch (RetriableException e) {
            // The registry is away or refuses us, or there is no such topic. Each assignment reads
            // them anew or, of pools, the next start.
        } finally {
            sending.unlock();
        }
    }

    private void send(ConsumerRecord<byte[], byte @Nullable []> in, String error) {
        try {
            var kept = KeptRecord.of(in.key(), in.value(), in.headers());
            // Not by the producer: to whoever sends, it says nothing of a registry that is away.
            var value = encode.apply(parked(in, kept, error));
            // Nor of a topic that is not there.
            producer.partitionsFor(Topics.PARKED.name());
            said(in, error).log("parked");
            var _ =
                    producer.send(
                            new ProducerRecord<>(Topics.PARKED.name(), kept.parkedKey(), value),
                            (_, failure) -> {
                                if (failure != null) {
                                    lost(in, failure);
                                }
                            });
        } catch (RetriableException e) {
            throw e;
        } catch (RuntimeException e) {
            // It must not end who reads: the record stands in its topic.
            lost(in, e);
        }
    }

    private static void lost(ConsumerRecord<?, ?> in, Exception why) {
        said(log.atError().setCause(why), in).log("could not park a record");
    }

    private static LoggingEventBuilder said(ConsumerRecord<?, ?> in, String error) {
        return said(log.atWarn(), in).addKeyValue("why", error);
    }

    private static LoggingEventBuilder said(LoggingEventBuilder line, ConsumerRecord<?, ?> in) {
        return line.addKeyValue("topic", in.topic())
                .addKeyValue("partition", in.partition())
                .addKeyValue("offset", in.offset());
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
