package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Backend;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reader of the pools, while what it reads cannot be taken in: nobody spins. */
@Timeout(30)
class PoolTableTest {
    private static final TopicPartition POOLS = new TopicPartition(Topics.POOLS.name(), 0);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private boolean isRegistryAway = true;
    private final ParkedRecords parked =
            new ParkedRecords(
                    producer,
                    _ -> {
                        askRegistry();
                        return new byte[1];
                    },
                    new Instance());

    PoolTableTest() {
        consumer.updateBeginningOffsets(Map.of(POOLS, 0L));
        consumer.updateEndOffsets(Map.of(POOLS, 1L));
    }

    private void askRegistry() {
        if (isRegistryAway) {
            throw new RegistryUnavailableException("the registry refuses our credentials");
        }
    }

    @Test
    void poolThatCannotBeReadNowIsLeftForOnePoll() {
        var pools =
                new PoolTable(
                        consumer,
                        _ -> {
                            askRegistry();
                            return pool();
                        },
                        parked);
        runs(pools, () -> isRegistryAway = false);

        assertThat(pools.number("default")).isEqualTo(7);
    }

    @Test
    void poolThatIsNeitherReadNorParkedNowIsLeftForOnePoll() {
        for (int i = 0; i < ParkedRecords.MOST; i++) {
            parked.park(record("p" + i), "makes no sense");
        }
        var pools =
                new PoolTable(
                        consumer,
                        _ -> {
                            throw new UnreadableRecordException("no pool");
                        },
                        parked);
        runs(
                pools,
                () -> {
                    isRegistryAway = false;
                    parked.parkWhatWaits();
                });

        assertThat(producer.history()).hasSize(1);
    }

    private void runs(PoolTable pools, Runnable back) {
        consumer.schedulePollTask(() -> consumer.addRecord(record("default")));
        consumer.schedulePollTask(() -> {
            assertThat(consumer.paused()).containsExactly(POOLS);
            assertThat(consumer.position(POOLS)).isZero();
        });
        consumer.schedulePollTask(() -> {
            assertThat(consumer.paused()).isEmpty();
            assertThat(pools.isLoaded()).isFalse();
            back.run();
            consumer.addRecord(record("default"));
        });
        consumer.schedulePollTask(() -> {
            assertThat(consumer.paused()).isEmpty();
            assertThat(consumer.position(POOLS)).isOne();
            pools.stop();
        });

        pools.run();

        assertThat(pools.isLoaded()).isTrue();
    }

    private static PoolState pool() {
        var state = new PoolState();
        state.setName("default");
        state.setNumber(7);
        state.setSpec(new PoolSpec());
        state.getSpec().setBackend(Backend.NONE);
        return state;
    }

    private static ConsumerRecord<byte[], byte[]> record(String key) {
        return new ConsumerRecord<>(POOLS.topic(), 0, 0, key.getBytes(UTF_8), new byte[1]);
    }
}
