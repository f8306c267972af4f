package dev.muster.watcher.kafka;

import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.watcher.core.Term;
import java.time.InstantSource;
import org.apache.kafka.clients.producer.Producer;

/** An inbox for tests in which nothing is told. */
public final class TestInbox {
    private TestInbox() {}

    public static InboxWriter open(Producer<String, byte[]> producer, Term term) {
        return new InboxWriter(
                producer, new AvroSerializer<>(), 0, term, InstantSource.system(), () -> {});
    }
}
