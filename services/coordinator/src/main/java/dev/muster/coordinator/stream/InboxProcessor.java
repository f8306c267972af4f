package dev.muster.coordinator.stream;

import dev.muster.streams.PacedClients;
import dev.muster.streams.Prompt;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Kafka Streams' side of one hosted pool. Streams makes a new one after every assignment and fence,
 * or begins anew with this one after a rollback, when the stores are back at the last commit.
 */
final class InboxProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private final PoolHost.Shared shared;
    private final PacedClients clients;
    private @Nullable Open open;

    /** Between init and close. */
    private record Open(PoolHost host, ProcessorContext<byte[], byte[]> context, Prompt prompt) {}

    private @Nullable Cancellable work;

    InboxProcessor(PoolHost.Shared shared, PacedClients clients) {
        this.shared = shared;
        this.clients = clients;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        var prompt = clients.prompt(context);
        var host =
                new PoolHost(
                        context.taskId().partition(),
                        context.getStateStore(Rows.STORE),
                        context.getStateStore(Specs.STORE),
                        shared,
                        (topic, record) -> {
                            context.forward(record, topic);
                            // Stamped with the pool's time: when the inbox record was appended.
                            prompt.commit(record.timestamp());
                        });
        open = new Open(host, context, prompt);
        workIfNeeded(open);
    }

    @Override
    public void process(Record<byte[], byte[]> in) {
        if (open == null) {
            throw new IllegalStateException("init() comes first");
        }
        var offset = open.context().recordMetadata().orElseThrow().offset();
        open.host().on(new Received(offset, in));
        workIfNeeded(open);
    }

    /** A slow pool works between the records of the others. */
    private void workIfNeeded(Open open) {
        if (work == null && open.host().hasWork()) {
            work = clients.eachRound(open.context(), () -> work(open));
        }
    }

    private void work(Open open) {
        open.host().work();
        if (work != null && !open.host().hasWork()) {
            work.cancel();
            work = null;
        }
    }

    @Override
    public void close() {
        if (work != null) {
            work.cancel();
            work = null;
        }
        if (open != null) {
            open.prompt().close();
            open.host().close();
            open = null;
        }
    }
}
