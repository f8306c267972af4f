package dev.muster.coordinator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.stream.PoolTime.Stand;
import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.v1.CoreVersion;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.TimePassed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the hosted pools that time has passed, and which core decides from here on, each through
 * its own inbox: one thread, outside of the streams and of their transactions.
 */
public final class TimeKeeper implements AutoCloseable {
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);
    private static final Logger log = LoggerFactory.getLogger(TimeKeeper.class);

    private final Producer<byte[], byte[]> producer;
    private final Wire wire;
    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition sooner = lock.newCondition();
    private final Map<Hosting, PoolTime> pools = new LinkedHashMap<>();
    private final Thread thread = new Thread(this::run, "time-keeper");
    private long sleepsUntil;
    private boolean closed;

    /**
     * Does nothing until {@link #start}.
     *
     * @param producer closed by whoever made it
     */
    public TimeKeeper(
            Producer<byte[], byte[]> producer,
            Wire wire,
            InstantSource wall,
            LongSupplier nanoTime) {
        this.producer = producer;
        this.wire = wire;
        this.wall = wall;
        this.nanoTime = nanoTime;
        thread.setDaemon(true);
    }

    /** A pool while one processor hosts it. */
    final class Hosting {
        private final int number;
        private String pool = "";

        private Hosting(int number) {
            this.number = number;
        }

        /**
         * A record was taken in, or the pool was taken over.
         *
         * @param until of a {@code TimePassed}; null: it was something else
         */
        void tookIn(String pool, Stand stand, @Nullable Instant until) {
            locked(() -> {
                this.pool = pool;
                var nanos = nanoTime.getAsLong();
                var time = pools.computeIfAbsent(this, _ -> new PoolTime(stand, nanos));
                time.tookIn(stand, until, nanos);
                var wait = time.nanosUntilDue(nanos);
                if (wait != PoolTime.NEVER && nanos + wait - sleepsUntil < 0) {
                    sooner.signal();
                }
            });
        }

        /** Whether the broker's clock has jumped ahead between the last record and this one. */
        boolean hasJumped(Instant appended) {
            lock.lock();
            try {
                var time = pools.get(this);
                return time != null
                        && time.hasJumped(appended, wall.instant(), nanoTime.getAsLong());
            } finally {
                lock.unlock();
            }
        }

        /** From now on it is told nothing. */
        void end() {
            locked(() -> pools.remove(this));
        }
    }

    Hosting host(int number) {
        return new Hosting(number);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (awaitDue()) {
                tellAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells every pool what it is to hear now. */
    void tellAll() {
        for (var message : due()) {
            tell(message);
        }
    }

    private record Message(int number, InboxEvent event) {}

    private List<Message> due() {
        var messages = new ArrayList<Message>();
        locked(() ->
                pools.forEach((hosting, time) -> {
                    var nanos = nanoTime.getAsLong();
                    time.versionDue(nanos)
                            .map(version -> coreVersion(hosting.pool, version))
                            .ifPresent(event -> messages.add(new Message(hosting.number, event)));
                    time.due(nanos)
                            .map(until -> timePassed(hosting.pool, until))
                            .ifPresent(event -> messages.add(new Message(hosting.number, event)));
                }));
        return messages;
    }

    private InboxEvent coreVersion(String pool, String version) {
        return event(pool, InboxKind.CORE_VERSION).setCoreVersion(new CoreVersion(version)).build();
    }

    private InboxEvent timePassed(String pool, Instant until) {
        return event(pool, InboxKind.TIME_PASSED)
                .setTimePassed(new TimePassed(upToTheMicro(until)))
                .build();
    }

    private InboxEvent.Builder event(String pool, InboxKind kind) {
        return InboxEvent.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId(UUID.randomUUID().toString())
                                .setAt(wall.instant())
                                .setActor("coordinator")
                                .build())
                .setKind(kind)
                .setPool(pool);
    }

    /** What is lost on the way is sent again, since the pool does not see it. */
    private void tell(Message message) {
        CrashPoint.COORDINATOR_TIME_DUE.pass(message.event());
        try {
            var _ =
                    producer.send(
                            new ProducerRecord<>(
                                    Topics.INBOX.name(),
                                    message.number(),
                                    message.event().getPool().getBytes(UTF_8),
                                    wire.bytes(Topics.INBOX, message.event())),
                            (_, failure) -> {
                                if (failure != null) {
                                    lost(message, failure);
                                }
                            });
            CrashPoint.COORDINATOR_TIME_TOLD.pass(message.event());
        } catch (KafkaException e) {
            lost(message, e);
        }
    }

    /** The contract counts in microseconds; an alarm must not be told too early. */
    private static Instant upToTheMicro(Instant time) {
        var micro = time.truncatedTo(ChronoUnit.MICROS);
        return micro.equals(time) ? time : micro.plus(1, ChronoUnit.MICROS);
    }

    private static void lost(Message message, Exception failure) {
        log.atWarn()
                .addKeyValue("pool", message.event().getPool())
                .addKeyValue("partition", message.number())
                .addKeyValue("event", message.event().getKind())
                .setCause(failure)
                .log("the pool could not be told");
    }

    /**
     * Waits until a pool is to be told something.
     *
     * @return false when this was closed
     */
    private boolean awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (var wait = nanosUntilDue(); !closed && wait > 0; wait = nanosUntilDue()) {
                sleepsUntil = nanoTime.getAsLong() + wait;
                sooner.awaitNanos(wait);
            }
            // Awake: nobody has to wake it.
            sleepsUntil = nanoTime.getAsLong();
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilDue() {
        var nanos = nanoTime.getAsLong();
        return pools.values().stream()
                .mapToLong(time -> time.nanosUntilDue(nanos))
                .reduce(LONGEST_SLEEP.toNanos(), Math::min);
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        locked(() -> {
            closed = true;
            sooner.signal();
        });
        thread.interrupt();
    }
}
