package dev.muster.admission.http;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.RequestResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Hears all answers from now on and gives each to whoever waits for it.
 *
 * <p>Every replica reads all partitions, without a group: an answer may be to a request that came
 * in at any of them.
 */
@Component("answers")
final class Answers implements SmartLifecycle, HealthIndicator {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final KafkaProperties kafka;
    private final Map<Asked, Set<BlockingQueue<RequestResult>>> waiting = new ConcurrentHashMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile @Nullable Consumer<String, byte[]> consumer;
    private volatile boolean hearing;
    private @Nullable Thread thread;

    /** What an answer is recognised by. */
    record Asked(String key, String requestId) {}

    /** A place in the line; to be closed, whether or not the answer came. */
    interface Ticket extends AutoCloseable {
        /** Null: not in time. */
        @Nullable RequestResult await(Duration patience) throws InterruptedException;

        @Override
        void close();
    }

    Answers(KafkaProperties kafka) {
        this.kafka = kafka;
    }

    /** Called before the question is sent, so that no answer is missed. */
    Ticket expect(String key, String requestId) {
        var asked = new Asked(key, requestId);
        var inbox = new ArrayBlockingQueue<RequestResult>(1);
        waiting.compute(
                asked,
                (_, others) -> {
                    var all =
                            others == null
                                    ? ConcurrentHashMap.<BlockingQueue<RequestResult>>newKeySet()
                                    : others;
                    all.add(inbox);
                    return all;
                });
        return new Ticket() {
            @Override
            public @Nullable RequestResult await(Duration patience) throws InterruptedException {
                return inbox.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            }

            @Override
            public void close() {
                waiting.computeIfPresent(
                        asked,
                        (_, all) -> {
                            all.remove(inbox);
                            return all.isEmpty() ? null : all;
                        });
            }
        };
    }

    @Override
    public void start() {
        thread = Thread.ofPlatform().name("answers").daemon().start(this::hear);
    }

    private void hear() {
        while (stopped.getCount() > 0) {
            try (var reading = newConsumer();
                    var reader = new AvroDeserializer<>(RequestResult.class)) {
                consumer = reading;
                reader.configure(kafka.buildConsumerProperties(), false);
                if (fromNowOn(reading)) {
                    hearing = true;
                    hear(reading, reader);
                }
            } catch (WakeupException | InterruptException e) {
                LOG.atDebug().setCause(e).log("asked to stop");
            } catch (KafkaException e) {
                LOG.atWarn().addKeyValue("why", e.getMessage()).log("answers cannot be heard");
            } finally {
                hearing = false;
            }
            pause();
        }
    }

    private KafkaConsumer<String, byte[]> newConsumer() {
        var settings = new HashMap<String, Object>(kafka.buildConsumerProperties());
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** False: the topic is not there yet. */
    private static boolean fromNowOn(Consumer<String, byte[]> reading) {
        List<TopicPartition> partitions =
                reading.partitionsFor(Topics.REQUEST_RESULTS.name()).stream()
                        .map(info -> new TopicPartition(info.topic(), info.partition()))
                        .toList();
        reading.assign(partitions);
        reading.seekToEnd(partitions);
        // The seek is lazy: asked for now, it counts from now.
        partitions.forEach(reading::position);
        return !partitions.isEmpty();
    }

    private void hear(Consumer<String, byte[]> reading, AvroDeserializer<RequestResult> reader) {
        while (stopped.getCount() > 0) {
            for (var record : reading.poll(POLL)) {
                hand(record, reader);
            }
        }
    }

    private void hand(
            ConsumerRecord<String, byte[]> record, AvroDeserializer<RequestResult> reader) {
        try {
            var result = reader.deserialize(record.topic(), record.value());
            var requestId = result == null ? null : result.getEnvelope().getRequestId();
            if (requestId != null) {
                waiting.getOrDefault(new Asked(record.key(), requestId), Set.of())
                        .forEach(inbox -> inbox.offer(result));
            }
        } catch (UnreadableRecordException e) {
            LOG.atWarn()
                    .addKeyValue("key", record.key())
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("why", e.getMessage())
                    .log("answer cannot be read");
        }
    }

    private void pause() {
        try {
            stopped.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stopped.countDown();
        }
    }

    @Override
    public void stop() {
        stopped.countDown();
        var reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null && stopped.getCount() > 0;
    }

    @Override
    public Health health() {
        return (hearing ? Health.up() : Health.outOfService()).build();
    }
}
