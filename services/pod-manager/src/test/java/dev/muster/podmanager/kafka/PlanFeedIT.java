package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.JobName;
import dev.muster.sandbox.TestParts;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.v1.JobPlan;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class PlanFeedIT {
    private static final Surroundings AROUND = Surroundings.shared();
    private static final JobName JOB = new JobName(Surroundings.NAMESPACE, "patient");

    private final InstantSource clock = InstantSource.system();
    private final Work work =
            new Work(new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)), clock);
    private final Tenure tenure = new Tenure(Duration.ofSeconds(6), clock);

    @Test
    void whatCannotBeReadWhileTheRegistryIsDownIsReadLater() throws InterruptedException {
        AROUND.publish(new Orders(JOB.namespace(), JOB.name(), "3-10").run(1, 1, 1));
        AROUND.reports(JOB.name(), 1);
        var down = new AtomicBoolean(true);
        var asked = new AtomicInteger();
        // Opens nothing by itself here: nobody runs it.
        var seeding = new Seeding(null, work, tenure, null);
        var plans = new AvroDeserializer<>(JobPlan.class);
        plans.configure(settings(), false);
        var reading =
                new PlanReading(bytes -> {
                    asked.incrementAndGet();
                    if (down.get()) {
                        throw new RegistryUnavailableException("down");
                    }
                    return plans.deserialize("muster.job-plans", bytes);
                });
        try (var producer = parkedProducer();
                var registry = KafkaSetup.hurried(settings())) {
            var encode = KafkaSetup.parkedEncoder(settings(), registry);
            var intake =
                    new PlanIntake(
                            reading, new ParkedRecords(producer, encode, new Instance()), work);
            var feed =
                    new PlanFeed(
                            KafkaSetup.plansConsumer(new HashMap<>(settings())),
                            intake,
                            seeding,
                            tenure,
                            clock);
            var thread = Thread.ofPlatform().start(feed);
            await().atMost(Surroundings.SOON).until(() -> asked.get() > 20 && tenure.isProven());
            // The other partitions do not wait for this one.
            await().atMost(Surroundings.SOON).until(() -> !seeding.isIdle());
            work.open(
                    List.of(Work.partitionOf(JOB)),
                    new Work.Seeds(Map.of(), Set.of(), work.nextOrder()));
            assertThat(work.plansOf(JOB)).isEmpty();

            down.set(false);
            await().atMost(Surroundings.SOON).until(() -> work.plansOf(JOB).size() == 1);

            // Whoever leaves keeps nothing: others go on from here.
            feed.stop();
            thread.join();
            assertThat(work.plansOf(JOB)).isEmpty();
        }
    }

    /** As where Kafka was put back: it does not go on from the end, as if it knew all before. */
    @Test
    void whoeverIsAheadOfTheLogIsTold() {
        var first = new TopicPartition(Topics.JOB_PLANS.name(), 0);
        try (var consumer = KafkaSetup.plansConsumer(new HashMap<>(settings()))) {
            consumer.assign(List.of(first));
            consumer.seek(first, 1_000_000);

            assertThatExceptionOfType(OffsetOutOfRangeException.class)
                    .isThrownBy(() -> consumer.poll(Surroundings.SOON))
                    .satisfies(told -> assertThat(told.partitions()).containsExactly(first));
        }
    }

    /** Else it would wait for the end of a log that is no more, and its jobs with it. */
    @Test
    void whoeverJoinsAnewHearsAnewWhereTheLogEnds() throws Exception {
        var only = new TopicPartition("plan-feed-it", 0);
        try (var admin = Admin.create(settings());
                var producer = parkedProducer();
                var consumer = KafkaSetup.plansConsumer(new HashMap<>(settings()))) {
            admin.createTopics(List.of(new NewTopic(only.topic(), 1, (short) 1))).all().get();
            var listener = new FromTheBeginning(consumer);
            consumer.subscribe(List.of(only.topic()), listener);
            write(2, only, producer);
            await().atMost(Surroundings.SOON).until(() -> end(only, consumer) == 2);
            write(1, only, producer);
            consumer.seekToBeginning(List.of(only));
            assertThat(consumer.position(only)).isZero();
            assertThat(consumer.currentLag(only)).hasValue(2);

            consumer.unsubscribe();
            consumer.subscribe(List.of(only.topic()), listener);

            await().atMost(Surroundings.SOON).until(() -> end(only, consumer) >= 0);
            assertThat(end(only, consumer)).isEqualTo(3);
        }
    }

    private static void write(
            int records, TopicPartition partition, KafkaProducer<String, byte[]> producer)
            throws Exception {
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>(partition.topic(), new byte[1])).get();
        }
    }

    /** As the consumer heard of it; -1 while it has not. */
    private static long end(TopicPartition partition, KafkaConsumer<?, ?> consumer) {
        consumer.poll(Duration.ofMillis(20));
        if (!consumer.assignment().contains(partition)) {
            return -1;
        }
        var behind = consumer.currentLag(partition);
        return behind.isEmpty() ? -1 : consumer.position(partition) + behind.getAsLong();
    }

    private record FromTheBeginning(KafkaConsumer<?, ?> consumer)
            implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            consumer.seekToBeginning(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // Nothing of it is kept.
        }
    }

    private static Map<String, Object> settings() {
        return Map.of(
                "bootstrap.servers",
                TestParts.bootstrapServers(),
                "schema.registry.url",
                TestParts.registryUrl(),
                "group.id",
                "plan-feed-it",
                "enable.auto.commit",
                false);
    }

    private static KafkaProducer<String, byte[]> parkedProducer() {
        return new KafkaProducer<>(settings(), new StringSerializer(), new ByteArraySerializer());
    }
}
