package dev.muster.podmanager.kafka;

import dev.muster.podmanager.PodManagerConfig;
import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.Reconcile;
import dev.muster.podmanager.kubernetes.AgentFiles;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.podmanager.kubernetes.SshKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobPlan;
import dev.muster.v1.Parked;
import dev.muster.v1.PoolState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the parts together. */
@Configuration(proxyBeanMethods = false)
class KafkaSetup {
    @Bean
    Producer<String, InboxEvent> inboxProducer(KafkaProperties kafka) {
        var settings = kafka.buildProducerProperties();
        return new KafkaProducer<>(settings, new StringSerializer(), serializer(settings));
    }

    /** Whoever parks has to read meanwhile: what it does not take at once is sent another time. */
    @Bean
    Producer<String, byte[]> parkedProducer(KafkaProperties kafka) {
        var settings = kafka.buildProducerProperties();
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 100);
        return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }

    /**
     * For whoever reads plans: he waits once for what he reads and for what he parks, and so asks
     * as who may write.
     */
    @Bean
    RegistryClient hurriedRegistry(KafkaProperties kafka) {
        return hurried(kafka.buildProducerProperties());
    }

    @Bean
    ParkedRecords parkedRecords(
            KafkaProperties kafka,
            Producer<String, byte[]> producer,
            RegistryClient registry,
            Instance instance) {
        var settings = kafka.buildProducerProperties();
        return new ParkedRecords(producer, parkedEncoder(settings, registry), instance);
    }

    @Bean
    PoolTable poolTable(KafkaProperties kafka, ParkedRecords parked) {
        var settings = kafka.buildConsumerProperties();
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        return new PoolTable(
                consumer(settings, "earliest"),
                decoder(Topics.POOLS.name(), PoolState.class, hurried(settings)),
                parked);
    }

    @Bean
    Inbox inbox(
            Producer<String, InboxEvent> producer,
            PoolTable pools,
            Discovery discovery,
            Instance instance) {
        return new Inbox(producer, pools, discovery, instance);
    }

    @Bean
    Discovery discovery(PoolTable pools, Cluster cluster) {
        return new Discovery(pools::backends, cluster);
    }

    @Bean
    Tenure tenure(KafkaProperties kafka, InstantSource clock) {
        return new Tenure(session(kafka.buildConsumerProperties()), clock);
    }

    @Bean
    Work work(PodManagerConfig config, InstantSource clock) {
        return new Work(new Backoff(config.backoffInitial(), config.backoffMax()), clock);
    }

    @Bean
    Workers workers(
            PodManagerConfig config, Cluster cluster, Work work, Tenure tenure, Inbox inbox) {
        var writer = new Writer(cluster, tenure, config.podsAtOnce());
        var reconcile = new Reconcile(config.installation(), new AgentFiles(), new SshKeys());
        return new Workers(
                work, new Pass(reconcile, cluster, writer, inbox, tenure), config.workers());
    }

    @Bean
    Inventory inventory(Cluster cluster) {
        return new Inventory(cluster);
    }

    @Bean
    Seeding seeding(Inventory inventory, Work work, Tenure tenure, Inbox inbox) {
        return new Seeding(inventory, work, tenure, inbox);
    }

    @Bean
    PlanIntake planIntake(RegistryClient registry, ParkedRecords parked, Work work) {
        var reading = new PlanReading(decoder(Topics.JOB_PLANS.name(), JobPlan.class, registry));
        return new PlanIntake(reading, parked, work);
    }

    @Bean
    PlanFeed planFeed(
            KafkaProperties kafka,
            PlanIntake intake,
            Seeding seeding,
            Tenure tenure,
            InstantSource clock) {
        return new PlanFeed(
                plansConsumer(kafka.buildConsumerProperties()), intake, seeding, tenure, clock);
    }

    @Bean
    Sweeper sweeper(
            PodManagerConfig config,
            Cluster cluster,
            Inventory inventory,
            Work work,
            Tenure tenure) {
        return new Sweeper(
                cluster, inventory, work, tenure, config.sweepAtMost(), config.sweepCloselyFor());
    }

    @Bean
    Service service(BeanFactory made, PodManagerConfig config, ApplicationEventPublisher events) {
        var parts =
                new Service.Parts(
                        made.getBean(PoolTable.class),
                        made.getBean(PlanFeed.class),
                        made.getBean(Seeding.class),
                        made.getBean(Workers.class),
                        made.getBean(Sweeper.class),
                        made.getBean(Work.class),
                        made.getBean(Tenure.class),
                        made.getBean(Inbox.class),
                        made.getBean(Discovery.class));
        return new Service(parts, config, events);
    }

    /** It begins where it is told to, and is told when the log has no such place any more. */
    static KafkaConsumer<byte[], byte @Nullable []> plansConsumer(Map<String, Object> settings) {
        return consumer(settings, "none");
    }

    private static KafkaConsumer<byte[], byte @Nullable []> consumer(
            Map<String, Object> settings, String reset) {
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, reset);
        // One that the broker made would have a shape of its own.
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * The reader of a topic must poll meanwhile, and prove its tenure, which may last 0.75 s: a
     * registry that takes longer is asked behind its back.
     */
    static RegistryClient hurried(Map<String, ?> settings) {
        var hurried = RegistryConfig.hurried(settings, Duration.ofMillis(300));
        return new RegistryClient(RegistryConfig.from(hurried));
    }

    static <T extends SpecificRecord> Function<byte[], T> decoder(
            String topic, Class<T> type, RegistryClient registry) {
        var deserializer = new AvroDeserializer<>(type, registry);
        return bytes -> deserializer.deserialize(topic, bytes);
    }

    static Function<Parked, byte[]> parkedEncoder(
            Map<String, ?> settings, RegistryClient registry) {
        var serializer = new AvroSerializer<Parked>(registry);
        serializer.configure(settings, false);
        return parked -> serializer.serialize(Topics.PARKED.name(), parked);
    }

    private static <T extends SpecificRecord> AvroSerializer<T> serializer(
            Map<String, Object> settings) {
        var serializer = new AvroSerializer<T>();
        serializer.configure(settings, false);
        return serializer;
    }

    private static Duration session(Map<String, Object> settings) {
        var millis = settings.get(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
        return Duration.ofMillis(millis == null ? 45_000 : Long.parseLong(millis.toString()));
    }
}
