package dev.muster.cli.kafka;

import dev.muster.cli.Context;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobScaling;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * How far commands of scale come, from a job's events: they tell every stage, where a status tells
 * the newest command alone.
 */
public final class ScaleNews implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Context context;
    private final Consumer<String, JobEvent> consumer;

    private ScaleNews(Context context, Consumer<String, JobEvent> consumer) {
        this.context = context;
        this.consumer = consumer;
    }

    /** Hears all that is published after this returns. */
    public static ScaleNews open(Context context) {
        var news = new ScaleNews(context, Kafka.consumer(context));
        try {
            var partitions = Kafka.assign(news.consumer, Topics.JOB_EVENTS);
            news.consumer.seekToEnd(partitions);
            // Seeking is lazy: what is published after this comes after these positions.
            partitions.forEach(news.consumer::position);
            return news;
        } catch (KafkaException e) {
            news.close();
            throw Kafka.trouble(context, e);
        }
    }

    /**
     * Waits for news, at most some hundred milliseconds.
     *
     * @param requestId of the command
     * @return the stages that it came to meanwhile, in their order
     */
    public List<JobScaling> next(String requestId) {
        try {
            return StreamSupport.stream(consumer.poll(POLL).spliterator(), false)
                    .map(ConsumerRecord::value)
                    .filter(Objects::nonNull)
                    .map(JobEvent::getScaling)
                    .filter(Objects::nonNull)
                    .filter(scaling -> scaling.getRequestId().equals(requestId))
                    .toList();
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
