package dev.muster.schemas.crash;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What a broker has left of a process on Kafka Streams that died in the middle of a transaction.
 */
public final class DeadProcess implements AutoCloseable {
    /** As long as a broker allows; whoever waits for it does not come through a test. */
    public static final Duration OPEN_FOR = Duration.ofMinutes(15);

    private final KafkaProducer<String, String> producer;

    private DeadProcess(KafkaProducer<String, String> producer) {
        this.producer = producer;
    }

    /**
     * Leaves a transaction open in every partition of the topic.
     *
     * @param kafka settings of a client
     * @param application id of the streams that it was part of
     */
    public static DeadProcess leaving(Map<String, ?> kafka, String application, String topic)
            throws ExecutionException, InterruptedException {
        var settings = new HashMap<String, Object>(kafka);
        settings.put("transactional.id", "%s-%s-1".formatted(application, UUID.randomUUID()));
        settings.put("transaction.timeout.ms", (int) OPEN_FOR.toMillis());
        var producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        producer.initTransactions();
        producer.beginTransaction();
        for (var partition : producer.partitionsFor(topic)) {
            producer.send(new ProducerRecord<>(topic, partition.partition(), "key", "never seen"));
        }
        producer.flush();
        return new DeadProcess(producer);
    }

    /** Whether somebody ended its transaction; if nobody did, it is committed now. */
    public boolean isFenced() {
        try {
            producer.commitTransaction();
            return false;
        } catch (ProducerFencedException
                | InvalidProducerEpochException
                | InvalidTxnStateException e) {
            return true;
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
