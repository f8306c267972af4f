package dev.muster.admission.stream;

import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Keeps the newest record of each key, unread: what is restored is then the same. */
final class Keeping implements Processor<String, byte[], Void, Void> {
    private final String store;
    private @Nullable KeyValueStore<String, byte[]> rows;

    Keeping(String store) {
        this.store = store;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        rows = context.getStateStore(store);
    }

    @Override
    public void process(Record<String, byte[]> in) {
        if (rows != null && in.key() != null) {
            rows.put(in.key(), in.value());
        }
    }
}
