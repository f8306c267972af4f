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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
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
