package dev.muster.coordinator.stream;

import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Kafka Streams' side of one hosted pool. Streams makes a new one after every assignment, fence and
 * rollback, when the stores are back at the last commit.
 */
final class InboxProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private final PoolHost.Shared shared;
    private @Nullable PoolHost host;
    private @Nullable ProcessorContext<byte[], byte[]> context;

    InboxProcessor(PoolHost.Shared shared) {
        this.shared = shared;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        host =
                new PoolHost(
                        context.taskId().partition(),
                        context.getStateStore(Rows.STORE),
                        context.getStateStore(Specs.STORE),
                        shared,
                        (topic, record) -> context.forward(record, topic));
    }

    @Override
    public void process(Record<byte[], byte[]> in) {
        if (host == null || context == null) {
            throw new IllegalStateException("init() comes first");
        }
        var offset = context.recordMetadata().orElseThrow().offset();
        host.on(new Received(offset, in));
    }

    @Override
    public void close() {
        if (host != null) {
            host.close();
        }
    }
}
