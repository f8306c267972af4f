package dev.muster.streams;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Tells the thread's pace when a commit begins and ends. */
final class PacedProducer extends KafkaProducer<byte[], byte[]> {
    private final Supplier<CommitPace> pace;
    private final Runnable committing;
    private final Runnable committed;

    /**
     * @param pace of the thread that asks
     */
    PacedProducer(
            Map<String, Object> config,
            Supplier<CommitPace> pace,
            Runnable committing,
            Runnable committed) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.pace = pace;
        this.committing = committing;
        this.committed = committed;
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
        committing.run();
        super.commitTransaction();
        committed.run();
        pace.get().ends();
    }
}
