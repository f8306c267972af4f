package dev.muster.coordinator.stream;

import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.stream.PoolHost.Shared;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.v1.InboxEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** One hosted pool with stores in memory, a pretended registry and a clock set by hand. */
final class Stage implements AutoCloseable {
    static final int POOL = 5;
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    /** What was published. */
    record Sent(String topic, String key, @Nullable SpecificRecord value) {}

    /** The same as a broker has it. */
    record Published(String topic, Record<byte[], byte[]> record) {}

    final MeterRegistry meters = new SimpleMeterRegistry();
    final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    final KeyValueStore<String, byte[]> rows = store(Stores.inMemoryKeyValueStore(Rows.STORE));
    final KeyValueStore<String, byte[]> specs = store(Stores.inMemoryKeyValueStore(Specs.STORE));
    final TimeKeeper time;
    final Wire wire;
    final Counters counters;
    final FakeRegistry registry = new FakeRegistry();
    private Duration slice = Duration.ofMinutes(1);

    /** What a pool that was told of no version takes for its own: so it is told of none. */
    private String coreVersion = "";

    /** All that was sent to the pool. */
    final List<Received> inbox = new ArrayList<>();

    /** All that was published. */
    final List<Published> published = new ArrayList<>();

    private final List<Sent> sent = new ArrayList<>();
    private final Map<String, AvroDeserializer<? extends SpecificRecord>> readers = new HashMap<>();
    private long nanos;
    private Instant now = NOON;
    private long offset;
    private PoolHost host;

    Stage() {
        wire = new Wire(registry.config());
        time = new TimeKeeper(producer, wire, () -> now, () -> nanos);
        counters = new Counters(meters);
        host = newHost();
    }

    private PoolHost newHost() {
        return new PoolHost(POOL, rows, specs, shared(), this::note);
    }

    /** As the processes of the pool have it now. */
    Shared shared() {
        return new Shared(wire, time, counters, slice, coreVersion);
    }

    /** As after a crash: the stores are all that is left. */
    void restart() {
        host.close();
        host = newHost();
    }

    /** Another version of the core takes over. */
    void upgrade(String version) {
        coreVersion = version;
        restart();
    }

    /**
     * As after a crash, on a thread that has no time: the pool is made a few hundred rows at a
     * time.
     */
    void restartSlowly() {
        slice = Duration.ZERO;
        restart();
    }

    /** Does what cannot be done at once; returns in how many pieces. */
    int work() {
        int pieces = 0;
        for (; host.hasWork(); pieces++) {
            host.work();
        }
        return pieces;
    }

    /** With a queue and nodes of so many cores. */
    Stage with(long... cores) {
        send(InboxRecords.poolPut());
        send(InboxRecords.queuePut());
        send(InboxRecords.snapshotBegin());
        for (int i = 0; i < cores.length; i++) {
            send(InboxRecords.node("n" + (i + 1), cores[i]));
        }
        send(InboxRecords.snapshotEnd());
        sent.clear();
        return this;
    }

    /** All that was sent to the pool, as a log has it. */
    List<InboxRecord> records() {
        return inbox.stream()
                .map(in ->
                        new InboxRecord(
                                POOL,
                                in.offset(),
                                Instant.ofEpochMilli(in.record().timestamp()),
                                in.record().value()))
                .toList();
    }

    void send(InboxEvent event) {
        send(bytes(event));
    }

    byte[] bytes(InboxEvent event) {
        return wire.bytes(Topics.INBOX, event);
    }

    void send(byte @Nullable [] value) {
        sendAgain(offset++, value);
    }

    /** Comes under an offset that it may have had before. */
    void sendAgain(long offset, byte @Nullable [] value) {
        var key = InboxRecords.POOL.getBytes(StandardCharsets.UTF_8);
        var record = new Record<>(key, value, now.toEpochMilli(), new RecordHeaders());
        inbox.add(new Received(offset, record));
        host.on(inbox.getLast());
    }

    /** Both clocks go on. */
    void pass(Duration duration) {
        nanos += duration.toNanos();
        now = now.plus(duration);
    }

    /** The broker's clock alone goes on. */
    void jump(Duration duration) {
        now = now.plus(duration);
    }

    /** What the time keeper says now is given to the pool; returns how many messages that were. */
    int tellTime() {
        time.tellAll();
        var told = List.copyOf(producer.history());
        producer.clear();
        told.forEach(message -> send(message.value()));
        return told.size();
    }

    private void note(String topic, Record<byte[], byte[]> record) {
        published.add(new Published(topic, record));
        sent.add(
                new Sent(
                        topic,
                        new String(record.key(), StandardCharsets.UTF_8),
                        decoded(topic, record.value())));
    }

    private @Nullable SpecificRecord decoded(String topic, byte @Nullable [] value) {
        return value == null
                ? null
                : readers.computeIfAbsent(topic, this::reader).deserialize(topic, value);
    }

    private AvroDeserializer<? extends SpecificRecord> reader(String name) {
        var topic =
                Topics.all().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
        var reader = new AvroDeserializer<>(topic.value());
        reader.configure(registry.config(), false);
        return reader;
    }

    Map<String, String> registryConfig() {
        return registry.config();
    }

    List<Sent> takeSent() {
        var taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** What was published to a topic since the last look at any. */
    <T extends SpecificRecord> List<T> take(Topic<T> topic) {
        return takeSent().stream()
                .filter(output -> output.topic().equals(topic.name()))
                .map(output -> topic.value().cast(output.value()))
                .toList();
    }

    long count(String counter) {
        return (long) meters.get("muster.coordinator." + counter).counter().count();
    }

    long count(String counter, String tag, String value) {
        return (long) meters.get("muster.coordinator." + counter).tag(tag, value).counter().count();
    }

    double gauge(String name) {
        return meters.get("muster.coordinator." + name).gauge().value();
    }

    private static KeyValueStore<String, byte[]> store(KeyValueBytesStoreSupplier supplier) {
        var context = new MockProcessorContext<Void, Void>();
        var store =
                Stores.keyValueStoreBuilder(supplier, Serdes.String(), Serdes.ByteArray())
                        .withLoggingDisabled()
                        .withCachingDisabled()
                        .build();
        store.init(context.getStateStoreContext(), store);
        return store;
    }

    @Override
    public void close() {
        host.close();
        wire.close();
        readers.values().forEach(AvroDeserializer::close);
        registry.close();
    }
}
