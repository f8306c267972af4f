package dev.muster.bench.jobs;

import static java.util.Objects.requireNonNull;

import dev.muster.bench.system.Pools;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.cli.kafka.QueueFile;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.QueueSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Jobs of a pool that wait for ever. One is submitted like any other; what admission wrote of it to
 * the pool's inbox is written there again under other names and uids. So the coordinator takes all
 * of them in as it takes in any job, and only admission has never heard of the copies.
 *
 * @param inbox the pool's partition
 */
public record LivingJobs(Context context, TopicPartition inbox) {
    /** So many are written before the coordinator has taken them in. */
    private static final int AT_ONCE = 20_000;

    /** No request has this offset. */
    private static final long FIRST_UID = 1_000_000_000_000L;

    private static final String FIRST = "lives";
    private static final String GROUP = "muster-coordinator";

    /** In which jobs wait that name no other; a queue takes 1,000,000 unless it is told more. */
    private static final QueueSetting QUEUE =
            new QueueSetting(
                    "default", QueueSpec.newBuilder().setMaxWaiting(Integer.MAX_VALUE).build());

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration LIMIT = Duration.ofMinutes(5);

    public static LivingJobs of(Context context, String pool) {
        var partition = new TopicPartition(Topics.INBOX.name(), Pools.numberOf(context, pool));
        return new LivingJobs(context, partition);
    }

    /**
     * Brings so many in, and waits until the coordinator has committed that it took them in.
     *
     * @param count 2 or more
     * @param done hears now and then how many there are
     */
    public void fill(int count, IntConsumer done) {
        try (var requests = Requests.open(context, "bench")) {
            new QueueFile(List.of(QUEUE)).apply(requests, _ -> {});
        }
        var first = submitFirst();
        try (Producer<String, InboxEvent> producer = Kafka.producer(context);
                var admin =
                        Admin.create(
                                Map.<String, Object>of(
                                        "bootstrap.servers", context.bootstrapServers()))) {
            int last = Math.max(1, count - AT_ONCE);
            for (int there = 1; there < last; ) {
                int next = Math.min(last, there + AT_ONCE);
                awaitTakenIn(admin, write(producer, first, there, next));
                there = next;
                done.accept(there);
            }
            writeLast(producer, first, last, count);
            done.accept(count);
        }
    }

    /** It is listened whether these wait: the coordinator may take in what it then refuses. */
    private void writeLast(
            Producer<String, InboxEvent> producer, InboxEvent first, int from, int to) {
        try (var heard = Heard.open(context)) {
            write(producer, first, from, to);
            var names = IntStream.range(from, to).mapToObj(LivingJobs::name).toList();
            if (!heard.await(Stage.QUEUED, names, LIMIT)) {
                throw CommandFailedException.failed("not all jobs wait within " + LIMIT, null);
            }
        }
    }

    private static String name(int number) {
        return FIRST + "-" + number;
    }

    /** As admission wrote it. */
    private InboxEvent submitFirst() {
        try (Consumer<String, InboxEvent> consumer = Kafka.consumer(context);
                var submitter = Submitter.open(context, Jobs.TOO_LARGE)) {
            consumer.assign(List.of(inbox));
            consumer.seekToEnd(List.of(inbox));
            // Seeking is lazy: what is published after this comes after this position.
            consumer.position(inbox);
            submitter.submit(FIRST);
            for (long end = end(); System.nanoTime() < end; ) {
                for (var record : consumer.poll(POLL)) {
                    if (isFirst(record.value())) {
                        return record.value();
                    }
                }
            }
        }
        throw CommandFailedException.failed("admission did not pass a job on", null);
    }

    private static boolean isFirst(InboxEvent event) {
        return event.getKind() == InboxKind.JOB_SUBMITTED
                && requireNonNull(event.getJob()).getName().equals(FIRST);
    }

    /**
     * Writes copies.
     *
     * @return the offset of the last
     */
    private long write(Producer<String, InboxEvent> producer, InboxEvent first, int from, int to) {
        Future<RecordMetadata> last = null;
        for (int i = from; i < to; i++) {
            var copy = copy(first, i);
            last =
                    producer.send(
                            new ProducerRecord<>(
                                    inbox.topic(), inbox.partition(), copy.getPool(), copy));
        }
        try {
            return requireNonNull(last).get().offset();
        } catch (ExecutionException e) {
            throw CommandFailedException.failed("a job was lost: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.failed("interrupted", e);
        }
    }

    /** What does not change is shared. */
    private static InboxEvent copy(InboxEvent first, int number) {
        var name = name(number);
        var was = requireNonNull(first.getJob());
        var job = new JobRef(was.getNamespace(), name, "0-" + (FIRST_UID + number));
        var envelope =
                Envelope.newBuilder()
                        .setId(name)
                        .setAt(Instant.now())
                        .setActor(first.getEnvelope().getActor())
                        .setRequestId(name)
                        .setJobUid(job.getUid())
                        .build();
        return InboxEvent.newBuilder()
                .setEnvelope(envelope)
                .setKind(first.getKind())
                .setPool(first.getPool())
                .setJob(job)
                .setRequestKey(JobKeys.of(job.getNamespace(), name))
                .setJobSubmitted(first.getJobSubmitted())
                .build();
    }

    private void awaitTakenIn(Admin admin, long offset) {
        for (long end = end(); System.nanoTime() < end; ) {
            if (takenIn(admin) > offset) {
                return;
            }
            Moments.await(System.nanoTime() + POLL.toNanos());
        }
        throw CommandFailedException.failed(
                "the coordinator did not take %d jobs in within %s".formatted(AT_ONCE, LIMIT),
                null);
    }

    private long takenIn(Admin admin) {
        try {
            var known = admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get();
            var offset = known.get(inbox);
            return offset == null ? 0 : offset.offset();
        } catch (ExecutionException e) {
            throw CommandFailedException.failed(
                    "cannot ask how far the inbox was read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.failed("interrupted", e);
        }
    }

    private static long end() {
        return System.nanoTime() + LIMIT.toNanos();
    }
}
