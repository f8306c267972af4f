package dev.muster.watcher.kafka;

import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Backend;
import dev.muster.v1.PoolState;
import dev.muster.watcher.core.Pool;
import dev.muster.watcher.core.Pools;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the pools as they are, and says so whenever they change; for the first time when the topic
 * was read to the end that it had. A record that cannot be a pool changes nothing.
 */
public final class PoolsTopic implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PoolsTopic.class);
    private static final TopicPartition POOLS = new TopicPartition(Topics.POOLS.name(), 0);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Map<String, Object> settings;
    private final Consumer<Pools> onChange;
    private final AvroDeserializer<PoolState> deserializer =
            new AvroDeserializer<>(PoolState.class);
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable KafkaConsumer<String, byte[]> open;
    private @Nullable Pools told;

    /**
     * @param kafka the settings of the consumer and of the deserializer
     */
    public PoolsTopic(Map<String, Object> kafka, Consumer<Pools> onChange) {
        this.onChange = onChange;
        settings = new TreeMap<>(kafka);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        deserializer.configure(settings, false);
    }

    /** Reads until {@link #close}; begins anew when the broker refuses to go on. */
    @Override
    public void run() {
        while (closing.getCount() > 0) {
            try (var consumer = new KafkaConsumer<String, byte[]>(settings)) {
                open = consumer;
                read(consumer);
            } catch (WakeupException e) {
                LOG.atDebug().log("the pools are read no more");
            } catch (KafkaException e) {
                LOG.atWarn()
                        .addKeyValue("problem", e.toString())
                        .log("the pools cannot be read; trying again");
                isClosingWithin(PAUSE);
            }
        }
        deserializer.close();
    }

    @Override
    public void close() {
        closing.countDown();
        var consumer = open;
        if (consumer != null) {
            consumer.wakeup();
        }
    }

    private void read(KafkaConsumer<String, byte[]> consumer) {
        consumer.assign(List.of(POOLS));
        consumer.seekToBeginning(List.of(POOLS));
        var end = consumer.endOffsets(List.of(POOLS)).getOrDefault(POOLS, 0L);
        var pools = Pools.NONE;
        while (closing.getCount() > 0) {
            for (var in : consumer.poll(PAUSE)) {
                pools = with(pools, in);
            }
            if (consumer.position(POOLS) >= end && !pools.equals(told)) {
                told = pools;
                onChange.accept(pools);
            }
        }
    }

    private Pools with(Pools pools, ConsumerRecord<String, byte[]> in) {
        if (in.key() == null) {
            return refuse(pools, in, "it has no key");
        }
        if (in.value() == null) {
            return pools.without(in.key());
        }
        while (true) {
            try {
                var state = deserializer.deserialize(in.topic(), in.value());
                return with(pools, in, state);
            } catch (UnreadableRecordException e) {
                return refuse(pools, in, e.toString());
            } catch (RegistryUnavailableException e) {
                LOG.atWarn()
                        .addKeyValue("problem", e.toString())
                        .log("waiting for the schema registry, to read a pool");
                if (isClosingWithin(PAUSE)) {
                    throw new WakeupException();
                }
            }
        }
    }

    private static Pools with(Pools pools, ConsumerRecord<String, byte[]> in, PoolState state) {
        if (!in.key().equals(state.getName())) {
            return refuse(pools, in, "its key is not its name, " + state.getName());
        }
        var number = state.getNumber();
        if (number < 0 || number >= Limits.POOLS) {
            return refuse(pools, in, "its number is " + number);
        }
        var pool =
                new Pool(
                        state.getName(),
                        number,
                        state.getSpec().getNodeSelector(),
                        state.getSpec().getBackend() == Backend.VOLCANO,
                        state.getRecreates());
        var rival = pools.rivalOf(pool);
        if (rival.isPresent()) {
            return refuse(pools, in, "its number is that of pool " + rival.get().name());
        }
        return pools.with(pool);
    }

    private static Pools refuse(Pools pools, ConsumerRecord<String, byte[]> in, String why) {
        LOG.atError()
                .addKeyValue("pool", in.key())
                .addKeyValue("offset", in.offset())
                .addKeyValue("why", why)
                .log("a record of the pools is left out");
        return pools;
    }

    private boolean isClosingWithin(Duration pause) {
        try {
            return closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closing.countDown();
            return true;
        }
    }
}
