package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Backoff;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class PlanFeedTest {
    private static final TopicPartition PLANS = new TopicPartition(Topics.JOB_PLANS.name(), 3);

    private final InstantSource clock = InstantSource.system();
    private final Work work =
            new Work(new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)), clock);
    private final Tenure tenure = new Tenure(Duration.ofSeconds(6), clock);
    // Opens nothing by itself here: nobody runs it.
    private final Seeding seeding = new Seeding(null, work, tenure, null);
    private final Broker broker = new Broker();

    @Test
    void aBrokerThatIsSilentAboutPositionsProvesNothingAndEndsNothing() {
        var feed = new PlanFeed(broker, new PlanIntake(null, null, work), seeding, tenure, clock);
        broker.silent = true;
        broker.schedulePollTask(() -> broker.rebalance(List.of(PLANS)));
        broker.schedulePollTask(() -> assertThat(tenure.isProven()).isFalse());
        broker.schedulePollTask(() -> {
            assertThat(tenure.isProven()).isFalse();
            assertThat(seeding.isIdle()).isTrue();
            assertThat(feed.isReady()).isFalse();
            assertThat(broker.asked).isGreaterThan(1);
            broker.silent = false;
        });
        broker.schedulePollTask(() -> {
            assertThat(tenure.isProven()).isTrue();
            assertThat(seeding.isIdle()).isFalse();
            feed.stop();
        });

        feed.run();

        assertThat(broker.closed()).isTrue();
    }

    /** A poll of its own is waited out before it is read again: nobody spins. */
    @Test
    void planThatCannotBeReadNowIsLeftForOnePoll() {
        var reading =
                new PlanReading(bytes -> {
                    throw new TimeoutException("the registry refuses us");
                });
        var feed =
                new PlanFeed(broker, new PlanIntake(reading, null, work), seeding, tenure, clock);
        broker.schedulePollTask(() -> {
            broker.rebalance(List.of(PLANS));
            broker.addRecord(plan());
        });
        broker.schedulePollTask(() -> {
            assertThat(broker.paused()).containsExactly(PLANS);
            assertThat(broker.position(PLANS)).isZero();
        });
        broker.schedulePollTask(() -> {
            assertThat(broker.paused()).isEmpty();
            assertThat(broker.position(PLANS)).isZero();
            feed.stop();
        });

        feed.run();
    }

    /** Else its bytes would be nowhere, or nobody could write until the registry is back. */
    @Test
    void recordThatCannotBeParkedNowIsReadAgainWhileTheTenureStaysProven() {
        var registry = new AtomicBoolean();
        var producer =
                new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
        var parked =
                new ParkedRecords(
                        producer,
                        _ -> {
                            if (!registry.get()) {
                                throw new RegistryUnavailableException("down");
                            }
                            return new byte[1];
                        },
                        new Instance());
        var reading = new PlanReading(_ -> null);
        var intake = new PlanIntake(reading, parked, work);
        var feed = new PlanFeed(broker, intake, seeding, tenure, clock);
        broker.schedulePollTask(() -> {
            broker.rebalance(List.of(PLANS));
            broker.addRecord(keyless());
        });
        broker.schedulePollTask(() -> {
            assertThat(tenure.isProven()).isTrue();
            assertThat(broker.paused()).containsExactly(PLANS);
            assertThat(broker.position(PLANS)).isZero();
            assertThat(producer.history()).isEmpty();
            registry.set(true);
        });
        broker.schedulePollTask(() -> broker.addRecord(keyless()));
        broker.schedulePollTask(() -> {
            assertThat(broker.position(PLANS)).isOne();
            assertThat(producer.history()).hasSize(1);
            feed.stop();
        });

        feed.run();
    }

    private static ConsumerRecord<byte[], byte[]> keyless() {
        return new ConsumerRecord<>(PLANS.topic(), PLANS.partition(), 0, new byte[1], new byte[1]);
    }

    private static ConsumerRecord<byte[], byte[]> plan() {
        var key =
                IntStream.range(0, 1_000)
                        .mapToObj(i -> "ml/a%d@3-1".formatted(i))
                        .filter(each ->
                                Partitions.ofKey(Topics.JOB_PLANS, each) == PLANS.partition())
                        .findFirst()
                        .orElseThrow();
        return new ConsumerRecord<>(
                PLANS.topic(), PLANS.partition(), 0, key.getBytes(UTF_8), new byte[1]);
    }

    /** Kafka's own stand-in for a consumer, with a broker that sometimes does not answer. */
    private static final class Broker extends MockConsumer<byte[], byte[]> {
        private boolean silent;
        private int asked;

        Broker() {
            super("earliest");
            updateBeginningOffsets(Map.of(PLANS, 0L));
            updateEndOffsets(Map.of(PLANS, 0L));
        }

        @Override
        public synchronized long position(TopicPartition partition, Duration timeout) {
            answer();
            return super.position(partition, timeout);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
                Collection<TopicPartition> partitions, Duration timeout) {
            answer();
            return super.endOffsets(partitions, timeout);
        }

        private void answer() {
            asked++;
            if (silent) {
                throw new TimeoutException("silent");
            }
        }
    }
}
