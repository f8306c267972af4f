package dev.muster.podmanager.kafka;

import dev.muster.schemas.Topics;
import dev.muster.v1.Backend;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** The inbox of pool {@code default}, which takes all. */
final class PoolInbox extends MockProducer<String, InboxEvent> {
    final BlockingQueue<InboxEvent> events = new LinkedBlockingQueue<>();

    PoolInbox() {
        super(true, null, new StringSerializer(), (_, _) -> new byte[0]);
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<String, InboxEvent> record) {
        events.add(record.value());
        return super.send(record);
    }

    /** The pool, as whoever writes to its inbox has to know it. */
    static PoolTable pools() {
        var consumer = new MockConsumer<byte[], byte[]>("earliest");
        var partition = new TopicPartition(Topics.POOLS.name(), 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, 1L));
        var state = new PoolState();
        state.setName("default");
        state.setSpec(new PoolSpec());
        state.getSpec().setBackend(Backend.NONE);
        var pools = new PoolTable(consumer, _ -> state, null);
        consumer.schedulePollTask(() ->
                consumer.addRecord(
                        new ConsumerRecord<>(Topics.POOLS.name(), 0, 0, new byte[0], new byte[0])));
        consumer.schedulePollTask(pools::stop);
        pools.run();
        return pools;
    }
}
