package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.SchemaRefusedException;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Parked;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class ParkedRecordsTest {
    private static final TopicPartition POOLS = new TopicPartition(Topics.POOLS.name(), 0);

    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final List<Parked> told = new ArrayList<>();
    private boolean isRegistryAway;
    private boolean isRefused;

    /** What happens while a record is encoded. */
    private Runnable meanwhile = () -> {};

    private boolean hasNotWaited;
    private final ParkedRecords parked = new ParkedRecords(producer, this::encode, new Instance());

    private byte[] encode(Parked record) {
        if (isRegistryAway) {
            throw new RegistryUnavailableException("down");
        }
        if (isRefused) {
            throw new SchemaRefusedException("the registry lacks a schema for muster.parked-value");
        }
        told.add(record);
        meanwhile.run();
        return new byte[1];
    }

    @Test
    void recordIsParkedWholeUnderItsKey() {
        parked.park(record("ml/a", new byte[] {1, 2}), "makes no sense");

        assertThat(producer.history()).extracting(ProducerRecord::key).containsExactly("ml/a");
        assertThat(told.getFirst().getValue()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(told.getFirst().getError()).isEqualTo("makes no sense");
    }

    /** More than that, and what is said about it, its topic would not take. */
    @Test
    void ofALargeRecordTheBeginningIsParked() {
        parked.park(record("ml/a", new byte[4_000_000]), "makes no sense");

        assertThat(told.getFirst().getValue().remaining()).isEqualTo(3 << 20);
        assertThat(told.getFirst().getError())
                .isEqualTo("makes no sense; a part of it is kept here");
    }

    @Test
    void poolThatCannotBeParkedNowKeepsNoOtherFromBeingRead() {
        var consumer = new MockConsumer<byte[], byte[]>("earliest");
        consumer.updateBeginningOffsets(Map.of(POOLS, 0L));
        consumer.updateEndOffsets(Map.of(POOLS, 1L));
        var pools =
                new PoolTable(
                        consumer,
                        _ -> {
                            throw new UnreadableRecordException("no pool");
                        },
                        parked);
        isRegistryAway = true;
        consumer.schedulePollTask(() -> consumer.addRecord(record("default", new byte[1])));
        consumer.schedulePollTask(pools::stop);

        pools.run();

        assertThat(pools.isLoaded()).isTrue();
        assertThat(producer.history()).isEmpty();
        isRegistryAway = false;
        parked.parkWhatWaits();
        assertThat(producer.history()).hasSize(1);
    }

    /** Whoever reads goes on: the record stands in its topic, and its loss is said. */
    @Test
    void recordWhoseParkingIsRefusedKeepsNoOtherFromBeingParked() {
        isRefused = true;
        parked.park(record("ml/a", new byte[1]), "makes no sense");
        assertThat(producer.history()).isEmpty();

        isRefused = false;
        parked.park(record("ml/b", new byte[1]), "makes no sense");
        assertThat(producer.history()).extracting(ProducerRecord::key).containsExactly("ml/b");
    }

    /** Kafka's producer would wait for it, and whoever reads with it. */
    @Test
    void recordWaitsForATopicThatIsNotThere() {
        producer.partitionsForException = new TimeoutException("no topic parked in metadata");
        parked.park(record("ml/a", new byte[1]), "makes no sense");
        assertThat(producer.history()).isEmpty();

        producer.partitionsForException = null;
        parked.parkWhatWaits();
        assertThat(producer.history()).extracting(ProducerRecord::key).containsExactly("ml/a");
    }

    /** They are kept in memory: a reader whose records all are unreadable waits, too. */
    @Test
    void onlySoManyWaitToBeParked() {
        isRegistryAway = true;
        for (int i = 0; i < ParkedRecords.MOST; i++) {
            parked.park(record("ml/a" + i, new byte[1]), "makes no sense");
        }
        assertThatExceptionOfType(RegistryUnavailableException.class)
                .isThrownBy(() -> parked.park(record("ml/b", new byte[1]), "makes no sense"));

        isRegistryAway = false;
        parked.parkWhatWaits();
        assertThat(producer.history()).hasSize(1);
        parked.park(record("ml/b", new byte[1]), "makes no sense");
        for (int i = 0; i < ParkedRecords.MOST; i++) {
            parked.parkWhatWaits();
        }
        assertThat(producer.history())
                .extracting(ProducerRecord::key)
                .startsWith("ml/a0", "ml/a1")
                .endsWith("ml/b")
                .hasSize(ParkedRecords.MOST + 1);
    }

    /** The registry and the broker may take their time, and there are two readers. */
    @Test
    void whoParksWhileAnotherRecordIsSentDoesNotWait() throws InterruptedException {
        var other =
                Thread.ofVirtual()
                        .unstarted(
                                () -> parked.park(record("ml/b", new byte[1]), "makes no sense"));
        meanwhile =
                () -> {
                    other.start();
                    hasNotWaited = hasEnded(other);
                };
        parked.park(record("ml/a", new byte[1]), "makes no sense");
        assertThat(hasNotWaited).isTrue();
        other.join();
        meanwhile = () -> {};
        parked.parkWhatWaits();
        assertThat(producer.history())
                .extracting(ProducerRecord::key)
                .containsExactly("ml/a", "ml/b");
    }

    private static boolean hasEnded(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(String key, byte[] value) {
        return new ConsumerRecord<>(POOLS.topic(), 0, 0, key.getBytes(UTF_8), value);
    }
}
