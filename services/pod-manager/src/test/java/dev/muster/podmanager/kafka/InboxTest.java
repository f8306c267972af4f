package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.kubernetes.FakeApiServer;
import dev.muster.schemas.Topics;
import dev.muster.v1.Backend;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sign of life, while the inbox of the first pool is away, or what one of them asks for. */
class InboxTest {
    private static final Serializer<InboxEvent> NOTHING = (_, _) -> new byte[0];

    private final FakeApiServer server = new FakeApiServer();
    private final Discovery discovery =
            new Discovery(Set::of, server.cluster(InstantSource.system()));

    InboxTest() throws IOException {
        discovery.look();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @Timeout(30)
    void everyPoolHearsAtOnceWhileTheFirstDoesNotAnswer() {
        var producer = new MockProducer<>(false, null, new StringSerializer(), NOTHING);
        alive(producer);
        assertThat(told(producer)).containsExactly("a100", "h100");

        producer.errorNext(new TimeoutException("expired"));
        alive(producer);
        assertThat(told(producer)).containsExactly("a100", "h100", "a100", "h100");
    }

    @Test
    @Timeout(30)
    void everyOtherPoolHearsWhileNothingCanBeSentToTheFirst() {
        var producer = new WithoutFirst();
        alive(producer);
        assertThat(told(producer)).containsExactly("h100");
    }

    /** What it says of its other kinds is no matter to a pool without a backend. */
    @Test
    @Timeout(30)
    void poolsWithABackendWaitForTheClusterToSayWhichItHasAndTheOthersDoNot() {
        server.answers(exchange -> {
            boolean isVolcanos = exchange.getRequestURI().getPath().contains("volcano");
            FakeApiServer.answer(exchange, isVolcanos ? 503 : 200, "{}");
        });
        var pools = pools("a100", "volcano-h100");
        var unsure = new Discovery(pools::backends, server.cluster(InstantSource.system()));
        unsure.look();
        var producer = new MockProducer<>(true, null, new StringSerializer(), NOTHING);
        var inbox = new Inbox(producer, pools, unsure, new Instance());

        inbox.alive(List.of(0));
        assertThat(told(producer)).containsExactly("a100");

        server.answers(exchange -> FakeApiServer.answer(exchange, 200, "{}"));
        unsure.look();
        inbox.alive(List.of(0));
        assertThat(told(producer)).containsExactly("a100", "a100", "volcano-h100");
    }

    /** How containers start again in their pods is of use to all of them. */
    @Test
    @Timeout(30)
    void allPoolsWaitForTheClusterToSayAnything() {
        server.answers(exchange -> FakeApiServer.answer(exchange, 503, "{}"));
        var pools = pools("a100", "volcano-h100");
        var silent = new Discovery(pools::backends, server.cluster(InstantSource.system()));
        silent.look();
        var producer = new MockProducer<>(true, null, new StringSerializer(), NOTHING);
        var inbox = new Inbox(producer, pools, silent, new Instance());

        inbox.alive(List.of(0));
        assertThat(told(producer)).isEmpty();

        server.answers(exchange -> FakeApiServer.answer(exchange, 200, "{}"));
        silent.look();
        inbox.alive(List.of(0));
        assertThat(told(producer)).containsExactly("a100", "volcano-h100");
    }

    private void alive(MockProducer<String, InboxEvent> producer) {
        new Inbox(producer, pools("a100", "h100"), discovery, new Instance()).alive(List.of(0));
    }

    private static List<String> told(MockProducer<String, InboxEvent> producer) {
        assertThat(producer.history())
                .allMatch(record -> record.value().getKind() == InboxKind.POD_MANAGER_ALIVE);
        return producer.history().stream().map(ProducerRecord::key).toList();
    }

    private static PoolTable pools(String... names) {
        var consumer = new MockConsumer<byte[], byte[]>("earliest");
        var partition = new TopicPartition(Topics.POOLS.name(), 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, (long) names.length));
        var pools = new PoolTable(consumer, InboxTest::pool, null);
        for (int i = 0; i < names.length; i++) {
            var name = names[i].getBytes(UTF_8);
            long offset = i;
            consumer.schedulePollTask(() ->
                    consumer.addRecord(
                            new ConsumerRecord<>(Topics.POOLS.name(), 0, offset, name, name)));
        }
        consumer.schedulePollTask(pools::stop);
        pools.run();
        return pools;
    }

    private static PoolState pool(byte[] name) {
        var state = new PoolState();
        state.setName(new String(name, UTF_8));
        state.setSpec(new PoolSpec());
        boolean isBound = state.getName().startsWith("volcano");
        state.getSpec().setBackend(isBound ? Backend.VOLCANO : Backend.NONE);
        return state;
    }

    /** Of which the buffer is full, say, when the first pool is told. */
    private static final class WithoutFirst extends MockProducer<String, InboxEvent> {
        WithoutFirst() {
            super(true, null, new StringSerializer(), NOTHING);
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<String, InboxEvent> record, Callback callback) {
            if (record.key().equals("a100")) {
                throw new TimeoutException("no room in the buffer");
            }
            return super.send(record, callback);
        }
    }
}
