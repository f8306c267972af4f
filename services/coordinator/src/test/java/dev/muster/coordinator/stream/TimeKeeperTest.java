package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.stream.PoolTime.Stand;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.v1.InboxKind;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeKeeperTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Stand BUSY = new Stand(NOON.plusNanos(1), null, true, null);

    private final FakeRegistry registry = new FakeRegistry();
    private final Wire wire = new Wire(registry.config());
    private final Noting producer = new Noting();
    private long nanos;
    private final TimeKeeper keeper = new TimeKeeper(producer, wire, () -> NOON, () -> nanos);

    @AfterEach
    void close() {
        keeper.close();
        wire.close();
        registry.close();
    }

    @Test
    void messageGoesToThePoolsOwnPartition() {
        keeper.host(5).tookIn("gpu", BUSY, null);

        keeper.tellAll();

        var message = producer.history().getFirst();
        assertThat(message.topic()).isEqualTo(Topics.INBOX.name());
        assertThat(message.partition()).isEqualTo(5);
        assertThat(new String(message.key())).isEqualTo("gpu");
        var event = wire.event(message.value());
        assertThat(event.getKind()).isEqualTo(InboxKind.TIME_PASSED);
        assertThat(event.getPool()).isEqualTo("gpu");
    }

    @Test
    void poolHearsWhichCoreDecides() {
        keeper.host(5).tookIn("gpu", new Stand(NOON, null, false, "2"), null);

        keeper.tellAll();
        keeper.tellAll();

        assertThat(producer.history()).hasSize(1);
        var event = wire.event(producer.history().getFirst().value());
        assertThat(event.getKind()).isEqualTo(InboxKind.CORE_VERSION);
        assertThat(event.getPool()).isEqualTo("gpu");
        assertThat(event.getCoreVersion().getVersion()).isEqualTo("2");
    }

    /** Else an alarm at that very nanosecond would not fire and be told again and again. */
    @Test
    void timeIsRoundedUpToWhatTheContractCounts() {
        keeper.host(5).tookIn("gpu", BUSY, null);

        keeper.tellAll();

        var event = wire.event(producer.history().getFirst().value());
        assertThat(event.getTimePassed().getUntil()).isEqualTo(NOON.plusNanos(1000));
    }

    @Test
    void poolThatLeftIsToldNothing() {
        var hosting = keeper.host(5);
        hosting.tookIn("gpu", BUSY, null);

        hosting.end();
        keeper.tellAll();

        assertThat(producer.history()).isEmpty();
    }

    @Test
    void poolThatWasTakenOverByAnotherThreadIsKeptWhenTheOldOneLeaves() {
        var old = keeper.host(5);
        old.tookIn("gpu", BUSY, null);
        keeper.host(5).tookIn("gpu", BUSY, null);

        old.end();
        keeper.tellAll();

        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void messageThatIsLostIsSentAgainLater() {
        keeper.host(5).tookIn("gpu", BUSY, null);
        producer.failsWith = new TimeoutException("no broker");
        keeper.tellAll();
        producer.failsWith = null;

        keeper.tellAll();
        assertThat(producer.history()).isEmpty();
        nanos += PoolTime.RESEND.toNanos();
        keeper.tellAll();

        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void threadTellsAPoolAsSoonAsItHasMoreToDo() throws InterruptedException {
        keeper.start();

        keeper.host(5).tookIn("gpu", BUSY, null);

        assertThat(producer.sent.poll(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void threadWakesForAnAlarmThatIsNearerThanTheOneItWaitsFor() throws InterruptedException {
        keeper.start();
        keeper.host(1).tookIn("far", ringsIn(Duration.ofHours(1)), null);
        keeper.host(2).tookIn("near", ringsIn(Duration.ZERO), null);

        var message = producer.sent.poll(10, TimeUnit.SECONDS);

        assertThat(message).isNotNull();
        assertThat(message.partition()).isEqualTo(2);
    }

    private static Stand ringsIn(Duration duration) {
        return new Stand(NOON, NOON.plus(duration), false, null);
    }

    /** Lets a test wait for what is sent. */
    private static final class Noting extends MockProducer<byte[], byte[]> {
        final LinkedBlockingQueue<ProducerRecord<byte[], byte[]>> sent =
                new LinkedBlockingQueue<>();
        volatile RuntimeException failsWith;

        Noting() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized java.util.concurrent.Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (failsWith != null) {
                throw failsWith;
            }
            sent.add(record);
            return super.send(record, callback);
        }
    }
}
