package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Backoff;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UnreadableRecordException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanFeedTest {
    private static final TopicPartition PLANS = new TopicPartition(Topics.JOB_PLANS.name(), 3);

    private static final TopicPartition OTHERS = new TopicPartition(Topics.JOB_PLANS.name(), 4);

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private final InstantSource clock = () -> now;
    private final Work work =
            new Work(new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)), clock);
    private final Tenure tenure = new Tenure(Duration.ofSeconds(6), clock);
    // Opens nothing by itself here: nobody runs it.
    private final Seeding seeding = new Seeding(null, work, tenure, null);
    private final Broker broker = new Broker();
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private boolean isRegistryAway;
    private boolean isRefused;
    private final ParkedRecords parked =
            new ParkedRecords(
                    producer,
                    _ -> {
                        if (isRegistryAway) {
                            throw new RegistryUnavailableException("down");
                        }
                        return new byte[1];
                    },
                    new Instance());

    @Test
    void aBrokerThatIsSilentAboutPositionsProvesNothingAndEndsNothing() {
        var feed = new PlanFeed(broker, new PlanIntake(null, parked, work), seeding, tenure, clock);
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
                new PlanFeed(broker, new PlanIntake(reading, parked, work), seeding, tenure, clock);
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

    /** Its submission is held all the same, and all others go on. */
    @Test
    void recordThatCannotBeParkedNowIsParkedLaterAndNobodyWaits() {
        var reading =
                new PlanReading(_ -> {
                    throw new UnreadableRecordException("no plan");
                });
        var feed =
                new PlanFeed(broker, new PlanIntake(reading, parked, work), seeding, tenure, clock);
        broker.updateEndOffsets(Map.of(PLANS, 1L, OTHERS, 0L));
        isRegistryAway = true;
        broker.schedulePollTask(() -> {
            broker.rebalance(List.of(PLANS, OTHERS));
            broker.addRecord(plan());
        });
        broker.schedulePollTask(() -> {
            assertThat(tenure.isProven()).isTrue();
            assertThat(work.held()).isOne();
            assertThat(broker.paused()).isEmpty();
            assertThat(broker.position(PLANS)).isOne();
            assertThat(seeding.isIdle()).isFalse();
            assertThat(producer.history()).isEmpty();
            isRegistryAway = false;
        });
        broker.schedulePollTask(() -> {
            assertThat(producer.history()).hasSize(1);
            feed.stop();
        });

        feed.run();

        assertThat(producer.history()).hasSize(1);
    }

    /** One list serves all that are read about the same time. */
    @Test
    void partitionThatCannotBeReadNowKeepsTheOthersClosedForAMomentAlone() {
        var reading =
                new PlanReading(_ -> {
                    throw isRefused
                            ? new TimeoutException("the registry refuses us")
                            : new UnreadableRecordException("no plan");
                });
        var feed =
                new PlanFeed(broker, new PlanIntake(reading, parked, work), seeding, tenure, clock);
        broker.updateEndOffsets(Map.of(PLANS, 1L, OTHERS, 0L));
        isRefused = true;
        broker.schedulePollTask(() -> {
            broker.rebalance(List.of(PLANS, OTHERS));
            broker.addRecord(plan());
        });
        broker.schedulePollTask(() -> assertThat(seeding.isIdle()).isTrue());
        broker.schedulePollTask(() -> {
            assertThat(seeding.isIdle()).isTrue();
            now = now.plusSeconds(1);
        });
        broker.schedulePollTask(() -> {
            assertThat(broker.position(PLANS)).isZero();
            assertThat(seeding.isIdle()).isFalse();
            close(OTHERS);
            assertThat(seeding.isIdle()).isTrue();
            assertThat(feed.isReady()).isFalse();
            isRefused = false;
            broker.addRecord(plan());
        });
        broker.schedulePollTask(() -> {
            assertThat(broker.position(PLANS)).isOne();
            assertThat(seeding.isIdle()).isFalse();
            feed.stop();
        });

        feed.run();
    }

    /** Nobody can say its end or our place in it: the others are proven and opened all the same. */
    @Test
    void partitionWithoutALeaderKeepsTheOthersClosedForAMomentAlone() {
        var feed = new PlanFeed(broker, new PlanIntake(null, parked, work), seeding, tenure, clock);
        broker.leaderless = OTHERS;
        broker.schedulePollTask(() -> broker.rebalance(List.of(PLANS, OTHERS)));
        broker.schedulePollTask(() -> {
            assertThat(tenure.isProven()).isTrue();
            assertThat(seeding.isIdle()).isTrue();
            now = now.plusSeconds(1);
        });
        broker.schedulePollTask(() -> {
            assertThat(seeding.isIdle()).isFalse();
            close(PLANS);
            assertThat(seeding.isIdle()).isTrue();
            assertThat(feed.isReady()).isFalse();
            broker.leaderless = null;
        });
        broker.schedulePollTask(() -> {
            assertThat(seeding.isIdle()).isFalse();
            feed.stop();
        });

        feed.run();
    }

    /** As after Kafka was put back: what was known is of a log that is no more. */
    @Test
    void partitionWhoseLogWentBackIsReadFromItsBeginning() {
        var reading =
                new PlanReading(_ -> {
                    throw new UnreadableRecordException("no plan");
                });
        var feed =
                new PlanFeed(broker, new PlanIntake(reading, parked, work), seeding, tenure, clock);
        broker.updateEndOffsets(Map.of(PLANS, 1L, OTHERS, 0L));
        broker.schedulePollTask(() -> {
            broker.rebalance(List.of(PLANS, OTHERS));
            broker.addRecord(plan());
        });
        broker.schedulePollTask(() -> {
            assertThat(work.held()).isOne();
            close(OTHERS);
            broker.updateEndOffsets(Map.of(PLANS, 0L));
            broker.setPollException(new OffsetOutOfRangeException(Map.of(PLANS, 1L)));
        });
        broker.schedulePollTask(() -> {
            assertThat(work.held()).isZero();
            assertThat(seeding.isIdle()).isTrue();
            assertThat(feed.isReady()).isFalse();
            broker.rebalance(List.of(PLANS, OTHERS));
        });
        broker.schedulePollTask(() -> {
            assertThat(broker.position(PLANS)).isZero();
            assertThat(seeding.isIdle()).isFalse();
            feed.stop();
        });

        feed.run();

        assertThat(broker.closed()).isTrue();
    }

    private void close(TopicPartition partition) {
        try {
            seeding.close(List.of(partition.partition()), Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
        private @Nullable TopicPartition leaderless;
        private int asked;

        /** As they were heard of: a consumer forgets them with its assignment alone. */
        private final Map<TopicPartition, Long> ends = new HashMap<>();

        private @Nullable ConsumerRebalanceListener listener;

        Broker() {
            super("earliest");
            updateBeginningOffsets(Map.of(PLANS, 0L, OTHERS, 0L));
            updateEndOffsets(Map.of(PLANS, 0L, OTHERS, 0L));
        }

        @Override
        public synchronized long position(TopicPartition partition, Duration timeout) {
            answer(List.of(partition));
            return super.position(partition, timeout);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
                Collection<TopicPartition> partitions, Duration timeout) {
            answer(partitions);
            return super.endOffsets(partitions, timeout);
        }

        @Override
        public synchronized OptionalLong currentLag(TopicPartition partition) {
            asked++;
            if (!isKnown(partition)) {
                return OptionalLong.empty();
            }
            long at = position(partition);
            long end =
                    ends.computeIfAbsent(
                            partition, each -> at + super.currentLag(each).orElseThrow());
            return OptionalLong.of(end - at);
        }

        @Override
        public synchronized void subscribe(
                Collection<String> topics, ConsumerRebalanceListener listener) {
            this.listener = listener;
            super.subscribe(topics, listener);
        }

        @Override
        public synchronized void unsubscribe() {
            listener.onPartitionsRevoked(assignment());
            ends.clear();
            super.unsubscribe();
        }

        private void answer(Collection<TopicPartition> partitions) {
            asked++;
            if (!partitions.stream().allMatch(this::isKnown)) {
                throw new TimeoutException("silent");
            }
        }

        private boolean isKnown(TopicPartition partition) {
            return !silent && !partition.equals(leaderless);
        }
    }
}
