package dev.muster.cli.kafka;

import dev.muster.cli.Context;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** What happened to one submission of a job, in its order, from topic job-events. */
public final class JobNews implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    /** The broker's index of times is that of records; jobs tell the pool's time. */
    private static final Duration APART = Duration.ofMinutes(1);

    private final Context context;
    private final String key;
    private final TopicPartition partition;
    private final Consumer<String, JobEvent> consumer;

    private JobNews(Context context, String key, Consumer<String, JobEvent> consumer) {
        this.context = context;
        this.key = key;
        this.partition =
                new TopicPartition(
                        Topics.JOB_EVENTS.name(), Partitions.ofKey(Topics.JOB_EVENTS, key));
        this.consumer = consumer;
    }

    /** Begins where the submission came; what is older than the topic keeps is not there. */
    public static JobNews of(Context context, JobStatus job) {
        var news = new JobNews(context, JobKeys.of(job.getJob()), Kafka.consumer(context));
        try {
            news.beginAt(job.getTimes().getSubmitted().minus(APART));
            return news;
        } catch (KafkaException e) {
            news.close();
            throw Kafka.trouble(context, e);
        }
    }

    private void beginAt(Instant time) {
        consumer.assign(List.of(partition));
        var first = consumer.offsetsForTimes(Map.of(partition, time.toEpochMilli())).get(partition);
        if (first == null) {
            consumer.seekToEnd(List.of(partition));
        } else {
            consumer.seek(partition, first.offset());
        }
    }

    /** All up to now. */
    public List<JobEvent> all() {
        try {
            var events = new ArrayList<JobEvent>();
            var ends = consumer.endOffsets(List.of(partition));
            Kafka.readTo(consumer, ends, records -> events.addAll(ours(records)));
            return events;
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    /** Waits for more, at most some hundred milliseconds. */
    public List<JobEvent> next() {
        try {
            return ours(consumer.poll(POLL));
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    private List<JobEvent> ours(ConsumerRecords<String, JobEvent> records) {
        var events = new ArrayList<JobEvent>();
        for (var record : records) {
            if (record.key().equals(key) && record.value() != null) {
                events.add(record.value());
            }
        }
        return events;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
