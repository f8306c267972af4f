package dev.muster.admission.stream;

import dev.muster.admission.core.OtherJobs;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.Limits;
import dev.muster.streams.PacedClients;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** How topics, processors and stores hang together. */
final class AdmissionTopology {
    static final String DIRECTORY = "directory";
    private static final String ASIDE = "aside";
    private static final String SETTINGS = "settings";
    private static final String METRICS = "metrics";
    private static final String SIGNALS = "signals";
    private static final String WINDOWS = "speeds";

    /**
     * Of how many jobs in each partition samples are kept; beyond it, those not heard of longest
     * go.
     */
    private static final int MOST_WINDOWS = 10_000;

    /** What waits is kept as it came, and names have many answers. */
    private static final Map<String, String> CHANGELOG =
            Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(Limits.RECORD_BYTES));

    static final String QUEUES = "queues";
    static final String POOLS = "pools";

    private final Codec codec;
    private final OtherJobs others;
    private final Duration wait;
    private final Set<String> closed;
    private final PacedClients clients;
    private final Topology topology = new Topology();

    private AdmissionTopology(
            Codec codec,
            OtherJobs others,
            Duration wait,
            Set<String> closed,
            PacedClients clients) {
        this.codec = codec;
        this.others = others;
        this.wait = wait;
        this.closed = closed;
        this.clients = clients;
    }

    /**
     * @param others the names that other tasks have
     * @param wait how long a job may wait for its queue to appear, and a queue for its pool
     * @param closed the namespaces in which nobody may have jobs
     */
    static Topology build(
            Codec codec,
            OtherJobs others,
            Duration wait,
            Set<String> closed,
            PacedClients clients) {
        var building = new AdmissionTopology(codec, others, wait, closed, clients);
        building.keep(QUEUES, Topics.QUEUES.name());
        building.keep(POOLS, Topics.POOLS.name());
        building.jobs();
        building.settings();
        return building.topology;
    }

    private void jobs() {
        take(Topics.JOB_REQUESTS.name(), "jobs", DIRECTORY, ASIDE, this::jobClerk);
        take(Topics.JOB_STATUS.name(), "ends", DIRECTORY, ASIDE, this::statusClerk);
        take(Topics.TRAINING_METRICS.name(), METRICS, WINDOWS, ASIDE, this::metricsClerk);
        take(Topics.JOB_SIGNALS.name(), SIGNALS, DIRECTORY, ASIDE, this::signalClerk);
        topology.addStateStore(
                rows(Stores.persistentKeyValueStore(DIRECTORY)), "jobs", "ends", METRICS, SIGNALS);
        topology.addStateStore(aside(ASIDE), "jobs", "ends", METRICS, SIGNALS);
        // What a lost process had not summed up yet is no loss.
        topology.addStateStore(
                rows(Stores.lruMap(WINDOWS, MOST_WINDOWS)).withLoggingDisabled(), METRICS);
        deliver("jobs", "ends", METRICS, SIGNALS);
    }

    private void settings() {
        var desk = SETTINGS + "-desk";
        var aside = SETTINGS + "-" + ASIDE;
        take(Topics.QUEUE_REQUESTS.name(), desk, SETTINGS, aside, this::settingsClerk);
        topology.addStateStore(rows(Stores.inMemoryKeyValueStore(SETTINGS)), desk);
        topology.addStateStore(aside(aside), desk);
        deliver(desk);
    }

    private void take(
            String topic,
            String desk,
            String store,
            String aside,
            Function<ProcessorContext<Target, byte[]>, RecordHandler> clerks) {
        var parking = new Parking(codec);
        ProcessorSupplier<byte[], byte[], Target, byte[]> intake =
                () -> new Intake(topic, store, aside, clerks, parking, clients);
        topology.addSource(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer(), topic);
        topology.addProcessor(desk, intake, topic);
    }

    /** On disk: it may be all that comes in while the registry is silent, however long. */
    private static StoreBuilder<KeyValueStore<String, byte[]>> aside(String name) {
        return rows(Stores.persistentKeyValueStore(name));
    }

    /** One way out for all topics: a record names its own. */
    private void deliver(String... desks) {
        Serializer<Target> keys = (_, target) -> target.key();
        topology.addSink(
                desks[0] + "-out",
                (target, _, _) -> target.topic(),
                keys,
                new ByteArraySerializer(),
                (_, target, _, _) -> Optional.of(Set.of(target.partition())),
                desks);
    }

    private void keep(String store, String topic) {
        topology.addGlobalStore(
                rows(Stores.inMemoryKeyValueStore(store)).withLoggingDisabled(),
                topic,
                new StringDeserializer(),
                new ByteArrayDeserializer(),
                topic,
                "keep-" + store,
                () -> new Keeping(store));
    }

    private static StoreBuilder<KeyValueStore<String, byte[]>> rows(
            KeyValueBytesStoreSupplier where) {
        return Stores.keyValueStoreBuilder(where, Serdes.String(), Serdes.ByteArray())
                .withLoggingEnabled(CHANGELOG);
    }

    private RecordHandler jobClerk(ProcessorContext<Target, byte[]> context) {
        return new JobRequestHandler(
                context.getStateStore(DIRECTORY), shown(context), others, codec, wait, closed);
    }

    private RecordHandler statusClerk(ProcessorContext<Target, byte[]> context) {
        return new JobStatusHandler(context.getStateStore(DIRECTORY), codec);
    }

    private RecordHandler metricsClerk(ProcessorContext<Target, byte[]> context) {
        return new TrainingMetricsHandler(
                context.getStateStore(DIRECTORY), context.getStateStore(WINDOWS), codec);
    }

    private RecordHandler signalClerk(ProcessorContext<Target, byte[]> context) {
        return new JobSignalHandler(context.getStateStore(DIRECTORY), codec);
    }

    private RecordHandler settingsClerk(ProcessorContext<Target, byte[]> context) {
        return new SettingsRequestHandler(
                context.getStateStore(SETTINGS), shown(context), codec, wait);
    }

    private PublishedSettings shown(ProcessorContext<Target, byte[]> context) {
        KeyValueStore<String, byte[]> queues = context.getStateStore(QUEUES);
        KeyValueStore<String, byte[]> pools = context.getStateStore(POOLS);
        return new PublishedSettings(queues, pools, codec);
    }
}
