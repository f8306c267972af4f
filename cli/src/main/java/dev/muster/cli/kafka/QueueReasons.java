package dev.muster.cli.kafka;

import dev.muster.cli.Context;
import dev.muster.cli.text.QueueFacts;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobStatus;
import dev.muster.v1.QueueState;
import dev.muster.v1.WaitReason;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;

/** What holds for every waiting job of a queue, from topic queues. */
public final class QueueReasons implements AutoCloseable {
    private final Context context;
    private final Consumer<String, QueueState> consumer;
    private final Map<String, WaitReason> reasons = new TreeMap<>();

    private QueueReasons(Context context, Consumer<String, QueueState> consumer) {
        this.context = context;
        this.consumer = consumer;
    }

    /** Reads all that the topic has at this moment. */
    public static QueueReasons open(Context context) {
        var queues = new QueueReasons(context, Kafka.consumer(context));
        try {
            queues.readToTheEnd();
            return queues;
        } catch (KafkaException e) {
            queues.close();
            throw Kafka.trouble(context, e);
        } catch (RuntimeException e) {
            queues.close();
            throw e;
        }
    }

    private void readToTheEnd() {
        var partitions = Kafka.assign(consumer, Topics.QUEUES);
        consumer.seekToBeginning(partitions);
        Kafka.readTo(consumer, consumer.endOffsets(partitions), this::take);
    }

    private void take(ConsumerRecords<String, QueueState> records) {
        for (var record : records) {
            var reason = record.value() == null ? null : record.value().getReason();
            if (reason == null) {
                reasons.remove(record.key());
            } else {
                reasons.put(record.key(), reason);
            }
        }
    }

    /** Takes what has come since. */
    public void refresh() {
        try {
            take(consumer.poll(Duration.ZERO));
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    /** The job, with its queue's reason to wait where that is what it waits for. */
    public JobStatus explained(JobStatus job) {
        return QueueFacts.explained(job, reasons.get(job.getQueue()));
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
