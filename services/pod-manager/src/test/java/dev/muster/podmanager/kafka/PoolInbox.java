package dev.muster.podmanager.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Topics;
import dev.muster.v1.Backend;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of pool {@code default}, which takes all, and of {@link #AWAY}, which takes nothing.
 */
final class PoolInbox extends MockProducer<String, InboxEvent> {
    /** Of what this pool is told nothing is heard any more. */
    static final String AWAY = "away";

    final BlockingQueue<InboxEvent> events = new LinkedBlockingQueue<>();

    /** Who waits to hear what became of what {@link #AWAY} was told. */
    final BlockingQueue<Callback> lost = new LinkedBlockingQueue<>();

    /** Nothing can be sent to {@link #AWAY}, as when there is no room to keep it. */
    volatile boolean full;

    final AtomicInteger refused = new AtomicInteger();

    PoolInbox() {
        super(true, null, new StringSerializer(), (_, _) -> new byte[0]);
    }

    @Override
    public synchronized Future<RecordMetadata> send(
            ProducerRecord<String, InboxEvent> record, @Nullable Callback callback) {
        var event = record.value();
        if (event.getPool().equals(AWAY)) {
            if (full) {
                refused.incrementAndGet();
                throw new TimeoutException("no room in the buffer");
            }
            lost.add(callback == null ? (_, _) -> {} : callback);
            return new CompletableFuture<>();
        }
        if (event.getKind() != InboxKind.POD_MANAGER_ALIVE) {
            events.add(event);
        }
        return super.send(record, callback);
    }

    /** The pool, as whoever writes to its inbox has to know it. */
    static PoolTable pools() {
        return pools("default");
    }

    static PoolTable pools(String... names) {
        var consumer = new MockConsumer<byte[], byte[]>("earliest");
        var partition = new TopicPartition(Topics.POOLS.name(), 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, (long) names.length));
        var pools = new PoolTable(consumer, PoolInbox::pool, null);
        for (int i = 0; i < names.length; i++) {
            var name = names[i].getBytes(UTF_8);
            var record = new ConsumerRecord<>(Topics.POOLS.name(), 0, i, name, name);
            consumer.schedulePollTask(() -> consumer.addRecord(record));
        }
        consumer.schedulePollTask(pools::stop);
        pools.run();
        return pools;
    }

    private static PoolState pool(byte[] name) {
        var state = new PoolState();
        state.setName(new String(name, UTF_8));
        state.setSpec(new PoolSpec());
        state.getSpec().setBackend(Backend.NONE);
        return state;
    }
}
