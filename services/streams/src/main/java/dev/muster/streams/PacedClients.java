package dev.muster.streams;

import dev.muster.schemas.clock.WallClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.jspecify.annotations.Nullable;

/**
 * Kafka Streams' clients, and what follows from them: of the producers, which say how long commits
 * take, when a thread commits; of the consumer, which waits for records, when its next round comes,
 * and when tasks are taken over, of which the former owner may have left a transaction open.
 */
public final class PacedClients implements KafkaClientSupplier {
    /** A thread has one producer, and several tasks. */
    private final ThreadLocal<CommitPace> pace =
            ThreadLocal.withInitial(() -> new CommitPace(System::nanoTime));

    private final ThreadLocal<Rounds> rounds = ThreadLocal.withInitial(Rounds::new);

    /** By transactional id, which is a thread's. */
    private final Map<String, TransactionTime> times = new ConcurrentHashMap<>();

    /** By the thread's name. */
    private final Map<String, String> transactionalIds = new ConcurrentHashMap<>();

    private final Runnable committing;
    private final Runnable committed;
    private final WallClock clock;
    private volatile @Nullable LeftTransactions left;

    /** For whom none of it is news. */
    public PacedClients() {
        this(() -> {}, () -> {}, () -> {});
    }

    /**
     * @param committing called on a stream's thread when all of a transaction is written
     * @param committed called there when it is committed
     * @param clockSetBack called there once, when the machine's clock was set back by so much that
     *     only a new process goes on at once
     */
    public PacedClients(Runnable committing, Runnable committed, Runnable clockSetBack) {
        this.committing = committing;
        this.committed = committed;
        this.clock = WallClock.ofThisMachine(clockSetBack);
    }

    /** For a processor, from its {@code init}, on the thread that it works on. */
    public Prompt prompt(ProcessingContext context) {
        return new Prompt(context, pace.get(), rounds.get());
    }

    /**
     * For a processor that has work although no record comes, on the thread that it works on: until
     * the answer is cancelled, does this in each round of the thread, of which the next comes soon.
     */
    public Cancellable eachRound(ProcessingContext context, Runnable work) {
        return rounds.get().each(context, work);
    }

    /** Kafka Streams asks for one, before it asks for anything else, and closes it in the end. */
    @Override
    public Admin getAdmin(Map<String, Object> config) {
        var admin = Admin.create(config);
        left = new LeftTransactions(admin, times::containsKey);
        return admin;
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        if (config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) instanceof String id) {
            transactionalIds.put(thread(config), id);
        }
        return new PacedProducer(patient(config), pace::get, committing, committed);
    }

    /**
     * With the time that this try's transactions have. A thread gets another producer of the same
     * id when the broker has fenced the one that it had.
     */
    Map<String, Object> patient(Map<String, Object> config) {
        if (!(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) instanceof String id)) {
            return config;
        }
        // As a setting it may be text.
        var millis = config.get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
        var first = Duration.ofMillis(Long.parseLong(String.valueOf(millis)));
        var time = times.computeIfAbsent(id, _ -> new TransactionTime(first, System::nanoTime));
        var patient = new HashMap<>(config);
        patient.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) time.next().toMillis());
        return patient;
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        var id = transactionalIds.get(thread(config));
        var ending = left;
        if (id == null || ending == null) {
            return new PacedConsumer(config, rounds::get, clock, () -> {});
        }
        var application = String.valueOf(config.get(ConsumerConfig.GROUP_ID_CONFIG));
        var telling = new HashMap<>(config);
        var name = String.valueOf(config.get(ConsumerConfig.CLIENT_ID_CONFIG));
        telling.put(ConsumerConfig.CLIENT_ID_CONFIG, TransactionalIds.told(name, id));
        return new PacedConsumer(telling, rounds::get, clock, () -> ending.end(application, id));
    }

    /** Kafka Streams calls a thread's clients by the thread's name and by what they are. */
    private static String thread(Map<String, Object> config) {
        var name = String.valueOf(config.get(CommonClientConfigs.CLIENT_ID_CONFIG));
        return name.substring(0, Math.max(0, name.lastIndexOf('-')));
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new ChangelogConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
