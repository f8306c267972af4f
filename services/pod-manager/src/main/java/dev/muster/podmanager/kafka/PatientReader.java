package dev.muster.podmanager.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records one after the other. What cannot be read now (the registry is down, or refuses us)
 * is read again with the poll after the next one, which waits: nobody spins. For one thread.
 */
final class PatientReader {
    private static final Logger log = LoggerFactory.getLogger(PatientReader.class);

    private final Consumer<byte[], byte @Nullable []> consumer;
    private final String waits;
    private final Intake intake;

    /** Why each partition waits, as it was said. */
    private final Map<TopicPartition, String> said = new HashMap<>();

    /** Where each record goes. */
    @FunctionalInterface
    interface Intake {
        /**
         * Takes in one.
         *
         * @throws RetriableException when it is to be given again
         */
        void take(ConsumerRecord<byte[], byte @Nullable []> in);
    }

    /**
     * @param waits is said, once for each reason, of a partition that waits
     */
    PatientReader(Consumer<byte[], byte @Nullable []> consumer, String waits, Intake intake) {
        this.consumer = consumer;
        this.waits = waits;
        this.intake = intake;
    }

    /** One poll, and all that came of it. */
    void read(Duration patience) {
        var records = consumer.poll(patience);
        consumer.resume(consumer.paused());
        for (var partition : records.partitions()) {
            read(partition, records.records(partition));
        }
    }

    /** Somebody else reads it now. */
    void forget(TopicPartition partition) {
        said.remove(partition);
    }

    private void read(
            TopicPartition partition, List<ConsumerRecord<byte[], byte @Nullable []>> records) {
        for (var record : records) {
            try {
                intake.take(record);
                said.remove(partition);
            } catch (RetriableException e) {
                say(record, String.valueOf(e.getMessage()));
                consumer.seek(partition, record.offset());
                consumer.pause(List.of(partition));
                return;
            }
        }
    }

    private void say(ConsumerRecord<?, ?> record, String why) {
        var partition = new TopicPartition(record.topic(), record.partition());
        if (!why.equals(said.put(partition, why))) {
            log.atWarn()
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("why", why)
                    .log(waits);
        }
    }
}
