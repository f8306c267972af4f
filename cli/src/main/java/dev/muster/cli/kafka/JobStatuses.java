package dev.muster.cli.kafka;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.Uid;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Where every job stands, from topic job-status: of each name the newest submission. */
public final class JobStatuses implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Context context;
    private final Consumer<String, JobStatus> consumer;
    private final JobNames names;
    private final Predicate<JobStatus> wanted;
    private final UnaryOperator<JobStatus> kept;
    private final Map<String, Newest> newest = new TreeMap<>();

    private JobStatuses(
            Context context,
            Consumer<String, JobStatus> consumer,
            JobNames names,
            Predicate<JobStatus> wanted,
            UnaryOperator<JobStatus> kept) {
        this.context = context;
        this.consumer = consumer;
        this.names = names;
        this.wanted = wanted;
        this.kept = kept;
    }

    /**
     * The newest submission of a name.
     *
     * @param status null: it is not wanted; that it is there hides those before it
     */
    private record Newest(Uid uid, @Nullable JobStatus status) {}

    /** Whether nothing comes after it. */
    public static boolean isEnd(Phase phase) {
        return switch (phase) {
            case SUCCEEDED, FAILED, CANCELLED, REFUSED -> true;
            case UNKNOWN, SUSPENDED, QUEUED, STARTING, RUNNING, RESTARTING, STOPPING -> false;
        };
    }

    /** Loads the classes that reading needs, and reads nothing. */
    public static void rehearse(Context nowhere) {
        Kafka.rehearse(nowhere);
    }

    /** Reads all that the topic has at this moment. */
    public static JobStatuses open(Context context) {
        return open(context, JobNames.ALL, _ -> true, UnaryOperator.identity());
    }

    /** Reads what the topic has of one name at this moment. */
    public static JobStatuses open(Context context, String namespace, String name) {
        return open(context, JobNames.one(namespace, name), _ -> true, UnaryOperator.identity());
    }

    /**
     * Reads what the topic has of some jobs at this moment: a month of statuses may be there, so of
     * others nothing but the uid is kept.
     *
     * @param wanted which of those with these names
     * @param kept what stays of a status in memory
     */
    public static JobStatuses open(
            Context context,
            JobNames names,
            Predicate<JobStatus> wanted,
            UnaryOperator<JobStatus> kept) {
        return read(context, Kafka.consumer(context), names, wanted, kept);
    }

    /**
     * @param consumer closed with this
     */
    static JobStatuses read(
            Context context,
            Consumer<String, JobStatus> consumer,
            JobNames names,
            Predicate<JobStatus> wanted,
            UnaryOperator<JobStatus> kept) {
        var statuses = new JobStatuses(context, consumer, names, wanted, kept);
        try {
            readToTheEnd(consumer, names, statuses::take);
            return statuses;
        } catch (KafkaException e) {
            statuses.close();
            throw Kafka.trouble(context, e);
        } catch (RuntimeException e) {
            statuses.close();
            throw e;
        }
    }

    /**
     * The uid of the newest submission of a name.
     *
     * @throws CommandFailedException when there is none
     */
    public static String newest(Context context, String namespace, String name) {
        try (var statuses = open(context, namespace, name)) {
            return statuses.of(namespace, name)
                    .orElseThrow(() ->
                            CommandFailedException.notFound(
                                    "there is no job %s/%s".formatted(namespace, name)))
                    .getJob()
                    .getUid();
        }
    }

    /**
     * The submission of a name that was the newest at a moment: a later one may be in another pool.
     *
     * @return empty where none was submitted until then, or it is forgotten
     */
    public static Optional<JobStatus> at(
            Context context, String namespace, String name, Instant moment) {
        try (Consumer<String, JobStatus> consumer = Kafka.consumer(context)) {
            return at(consumer, namespace, name, moment);
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    static Optional<JobStatus> at(
            Consumer<String, JobStatus> consumer, String namespace, String name, Instant moment) {
        var names = JobNames.one(namespace, name);
        var found = new AtomicReference<@Nullable JobStatus>();
        readToTheEnd(
                consumer,
                names,
                record -> {
                    var status = record.value();
                    var known = found.get();
                    boolean isIt =
                            status != null
                                    && names.has(record.key())
                                    && !status.getTimes().getSubmitted().isAfter(moment);
                    if (isIt && (known == null || uid(known).compareTo(uid(status)) <= 0)) {
                        found.set(status);
                    }
                });
        return Optional.ofNullable(found.get());
    }

    private static void readToTheEnd(
            Consumer<String, JobStatus> consumer,
            JobNames names,
            java.util.function.Consumer<ConsumerRecord<String, JobStatus>> taking) {
        var key = names.key();
        var partitions =
                key == null
                        ? Kafka.assign(consumer, Topics.JOB_STATUS)
                        : Kafka.assign(consumer, Topics.JOB_STATUS, key);
        consumer.seekToBeginning(partitions);
        Kafka.readTo(consumer, consumer.endOffsets(partitions), records -> records.forEach(taking));
    }

    /** All that are wanted, by namespace and name. */
    public List<JobStatus> all() {
        return newest.values().stream().map(Newest::status).filter(Objects::nonNull).toList();
    }

    /** The newest submission of the name. */
    public Optional<JobStatus> of(String namespace, String name) {
        return Optional.ofNullable(newest.get(JobKeys.of(namespace, name))).map(Newest::status);
    }

    /**
     * Waits for news, at most some hundred milliseconds; the statuses that changed, also those with
     * which a job comes to be wanted no more.
     */
    public List<JobStatus> news() {
        try {
            var changed = new ArrayList<JobStatus>();
            for (var record : consumer.poll(POLL)) {
                take(record).ifPresent(changed::add);
            }
            return changed;
        } catch (KafkaException e) {
            throw Kafka.trouble(context, e);
        }
    }

    private Optional<JobStatus> take(ConsumerRecord<String, JobStatus> record) {
        if (!names.has(record.key())) {
            return Optional.empty();
        }
        var name = JobKeys.withoutUid(record.key());
        var known = newest.get(name);
        if (record.value() == null) {
            if (known != null && (name + "@" + known.uid()).equals(record.key())) {
                newest.remove(name);
            }
            return Optional.empty();
        }
        var uid = uid(record.value());
        if (known != null && known.uid().compareTo(uid) > 0) {
            return Optional.empty();
        }
        boolean isWanted = wanted.test(record.value());
        newest.put(name, new Newest(uid, isWanted ? kept.apply(record.value()) : null));
        boolean wasWanted = known != null && known.status() != null;
        return isWanted || wasWanted ? Optional.of(record.value()) : Optional.empty();
    }

    private static Uid uid(JobStatus status) {
        return Uid.parse(status.getJob().getUid());
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
