package dev.muster.streams;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Tells the thread's pace when a commit begins and ends. */
final class PacedProducer extends KafkaProducer<byte[], byte[]> {
    private final Supplier<CommitPace> pace;

    /**
     * @param pace of the thread that asks
     */
    PacedProducer(Map<String, Object> config, Supplier<CommitPace> pace) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.pace = pace;
    }

    /** With this Kafka Streams begins a commit. */
    @Override
    public void flush() {
        pace.get().begins();
        super.flush();
    }

    @Override
    public void commitTransaction() {
        pace.get().begins();
        super.commitTransaction();
        pace.get().ends();
    }
}
