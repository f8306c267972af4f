package dev.muster.watcher.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.watcher.core.Layout;
import dev.muster.watcher.core.Pool;
import dev.muster.watcher.core.Report;
import dev.muster.watcher.core.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes out when, with a producer that is told by hand what has arrived. */
class InboxWriterTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Pool A100 = pool("a100", 0);
    private static final Pool H100 = pool("h100", 1);
    private static final Report BEGIN = new Report.SnapshotBegin("0-1-1");
    private static final Report END = new Report.SnapshotEnd("0-1-1");
    private static final Report NODE = new Report.NodeReleased("node-a", false);

    private final FakeRegistry registry = new FakeRegistry();
    private final AvroSerializer<InboxEvent> serializer = new AvroSerializer<>();
    private final AvroDeserializer<InboxEvent> deserializer =
            new AvroDeserializer<>(InboxEvent.class);
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer()) {
                @Override
                public Future<RecordMetadata> send(
                        ProducerRecord<String, byte[]> out, Callback heard) {
                    tried++;
                    if (taken-- == 0) {
                        throw new TimeoutException("the buffer is full");
                    }
                    return super.send(out, heard);
                }

                @Override
                public void close(Duration patience) {
                    closing = patience;
                    super.close(patience);
                }
            };

    /** How long what is on its way was given when the producer was closed. */
    private @Nullable Duration closing;

    /** So many more records fit into its buffer, and not the one behind them. */
    private int taken = Integer.MAX_VALUE;

    private int tried;
    private Instant now = NOON;
    private final AtomicInteger news = new AtomicInteger();
    private final Term term = new Term(1, new Layout(1, 0), false, NOON.plusSeconds(1));
    private final InboxWriter writer;

    InboxWriterTest() {
        serializer.configure(registry.config(), false);
        deserializer.configure(registry.config(), false);
        writer = new InboxWriter(producer, serializer, 0, term, () -> now, news::incrementAndGet);
    }

    @AfterEach
    void close() {
        writer.close();
        serializer.close();
        deserializer.close();
        registry.close();
    }

    @Test
    void aSnapshotOfWhichAPartIsLostLateNeverEnds() {
        tell(A100, BEGIN, NODE, NODE, END);
        producer.completeNext();
        producer.errorNext(new TimeoutException("expired"));
        producer.completeNext();
        writer.goOn();

        assertThat(sent(A100))
                .containsExactly(
                        InboxKind.SNAPSHOT_BEGIN, InboxKind.NODE_RELEASED, InboxKind.NODE_RELEASED);
        assertThat(news).hasPositiveValue();
        assertThat(writer.nextFailed()).contains("a100");
        assertThat(writer.nextFailed()).isEmpty();
    }

    @Test
    void whatFollowsTheEndOfALostSnapshotIsNotToldEither() {
        tell(A100, BEGIN, END, NODE);
        producer.errorNext(new TimeoutException("expired"));
        assertThat(writer.nextFailed()).contains("a100");
        tell(A100, BEGIN);
        writer.goOn();

        assertThat(sent(A100)).containsExactly(InboxKind.SNAPSHOT_BEGIN, InboxKind.SNAPSHOT_BEGIN);
    }

    @Test
    void aSnapshotEndsOnceAllOfItHasArrivedAndChangesFollow() {
        tell(A100, BEGIN, NODE, END, NODE, BEGIN, END);
        producer.completeNext();
        writer.goOn();
        assertThat(sent(A100)).hasSize(2);
        assertThat(news).hasValue(0);

        producer.completeNext();
        assertThat(news).hasValue(1);
        writer.goOn();
        assertThat(sent(A100))
                .containsExactly(
                        InboxKind.SNAPSHOT_BEGIN,
                        InboxKind.NODE_RELEASED,
                        InboxKind.SNAPSHOT_END,
                        InboxKind.NODE_RELEASED,
                        InboxKind.SNAPSHOT_BEGIN);

        arrive(3);
        writer.goOn();
        assertThat(sent(A100)).hasSize(6).endsWith(InboxKind.SNAPSHOT_END);
    }

    /** Nobody else can have had the lease in between, so nothing was told but this. */
    @Test
    void whatIsToldWhileTheTermCoversNothingWaitsUntilItDoesAgain() {
        tell(A100, BEGIN, NODE);
        now = NOON.plusSeconds(2);
        tell(A100, NODE, END);
        arrive(2);
        writer.goOn();
        assertThat(sent(A100)).hasSize(2);

        term.extendTo(NOON.plusSeconds(3));
        writer.goOn();
        assertThat(sent(A100)).hasSize(3);
        arrive(1);
        writer.goOn();
        assertThat(sent(A100))
                .containsExactly(
                        InboxKind.SNAPSHOT_BEGIN,
                        InboxKind.NODE_RELEASED,
                        InboxKind.NODE_RELEASED,
                        InboxKind.SNAPSHOT_END);
    }

    @Test
    void whatWaitsIsNeverToldOnceTheTermHasEnded() {
        now = NOON.plusSeconds(2);
        tell(A100, BEGIN);
        term.end();
        term.extendTo(NOON.plusSeconds(3));
        writer.goOn();

        assertThat(sent(A100)).isEmpty();
    }

    /** Each of them would wait as long for a place in a full buffer, and leave a gap behind it. */
    @Test
    void nothingThatWaitedGoesOutBehindWhatCouldNotBeSent() {
        tell(A100, BEGIN, END, NODE, NODE);
        producer.completeNext();
        taken = 1;

        writer.goOn();

        assertThat(tried).isEqualTo(3);
        assertThat(sent(A100)).containsExactly(InboxKind.SNAPSHOT_BEGIN, InboxKind.SNAPSHOT_END);
        assertThat(writer.nextFailed()).contains("a100");
    }

    @Test
    void aPoolThatDoesNotAnswerHoldsNoOtherUp() {
        tell(A100, BEGIN, END);
        arrive(1);
        tell(H100, BEGIN, NODE, END);
        writer.goOn();
        tell(A100, NODE);

        assertThat(sent(H100)).containsExactly(InboxKind.SNAPSHOT_BEGIN, InboxKind.NODE_RELEASED);
        assertThat(sent(A100))
                .containsExactly(
                        InboxKind.SNAPSHOT_BEGIN, InboxKind.SNAPSHOT_END, InboxKind.NODE_RELEASED);
    }

    @Test
    void whatAPoolDoesNotAnswerHoldsNoOtherUpAndIsAwaited() {
        tell(H100, NODE);
        writer.awaitArrival("h100");
        tell(A100, NODE);
        writer.awaitArrival("a100");
        arrive(1);
        assertThat(news).hasValue(1);
        tell(H100, NODE);
        writer.goOn();

        assertThat(sent(H100)).hasSize(2);
        assertThat(writer.nextArrived()).contains("h100");
        assertThat(writer.nextArrived()).isEmpty();
        arrive(1);
        writer.goOn();
        assertThat(writer.nextArrived()).contains("a100");
    }

    @Test
    void whatHasArrivedWhenItIsAwaitedIsSaidAtOnce() {
        writer.awaitArrival("a100");
        assertThat(writer.nextArrived()).contains("a100");
    }

    @Test
    void whoAwaitsTheArrivalAgainHearsOfTheLastAlone() {
        tell(A100, NODE);
        writer.awaitArrival("a100");
        tell(A100, NODE);
        writer.awaitArrival("a100");
        arrive(1);
        writer.goOn();
        assertThat(writer.nextArrived()).isEmpty();
        arrive(1);
        writer.goOn();
        assertThat(writer.nextArrived()).contains("a100");
    }

    @Test
    void whoAwaitsTheArrivalAwaitsASnapshotThatWaitsAsWellAndTheNextEndsAfterIt() {
        tell(A100, BEGIN, END);
        writer.awaitArrival("a100");
        tell(A100, END);
        arrive(1);
        writer.goOn();
        assertThat(sent(A100)).hasSize(2);
        assertThat(writer.nextArrived()).isEmpty();
        arrive(1);
        writer.goOn();
        assertThat(writer.nextArrived()).contains("a100");
        assertThat(sent(A100)).hasSize(3);
    }

    @Test
    void whatDidNotArriveIsSaidToHaveFailedAndNoMore() {
        tell(A100, NODE);
        writer.awaitArrival("a100");
        producer.errorNext(new TimeoutException("expired"));
        writer.awaitArrival("a100");
        writer.goOn();
        assertThat(writer.nextFailed()).contains("a100");
        assertThat(writer.nextArrived()).isEmpty();
    }

    @Test
    void nothingThatWaitedIsSentOnceTheTermHasEnded() {
        tell(A100, BEGIN, END, NODE);
        term.end();
        arrive(1);
        writer.goOn();

        assertThat(sent(A100)).containsExactly(InboxKind.SNAPSHOT_BEGIN);
    }

    /** Though its term covers it. */
    @Test
    void whoIsAbortedTellsNothingMoreAndWaitsForNothing() {
        tell(A100, NODE);
        writer.abort();
        assertThat(closing).isEqualTo(Duration.ZERO);
        tell(A100, NODE);
        tell(H100, BEGIN, NODE);
        assertThat(sent(A100)).hasSize(1);
        assertThat(sent(H100)).isEmpty();
    }

    private void tell(Pool pool, Report... reports) {
        List.of(reports).forEach(report -> writer.tell(pool, report));
    }

    private void arrive(int records) {
        for (int i = 0; i < records; i++) {
            assertThat(producer.completeNext()).isTrue();
        }
    }

    private List<InboxKind> sent(Pool pool) {
        return producer.history().stream()
                .filter(record -> record.key().equals(pool.name()))
                .map(record -> deserializer.deserialize(Topics.INBOX.name(), record.value()))
                .map(InboxEvent::getKind)
                .toList();
    }

    private static Pool pool(String name, int number) {
        return new Pool(name, number, Map.of(), false, false);
    }
}
