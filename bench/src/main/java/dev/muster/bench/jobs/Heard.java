package dev.muster.bench.jobs;

import static java.util.Objects.requireNonNull;

import dev.muster.bench.report.Latencies;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.PlanKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When which job was first heard to have come how far: reads the plans and the statuses that are
 * committed, one thread for each, and looks at this JVM's clock when they arrive.
 */
public final class Heard implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(2);

    private final Map<Stage, Map<String, Long>> moments = new EnumMap<>(Stage.class);
    private final List<Thread> readers = new ArrayList<>();
    private volatile boolean over;
    private volatile @Nullable RuntimeException failure;

    private Heard() {
        for (var stage : Stage.values()) {
            moments.put(stage, new ConcurrentHashMap<>());
        }
    }

    /** Hears all that is published after this returns. */
    public static Heard open(Context context) {
        var heard = new Heard();
        heard.read(context, Topics.JOB_PLANS, heard::take);
        heard.read(context, Topics.JOB_STATUS, heard::take);
        return heard;
    }

    /** What is done with a record that arrived. */
    private interface Taking<T> {
        void take(T value, long moment);
    }

    private <T extends SpecificRecord> void read(
            Context context, Topic<T> topic, Taking<T> taking) {
        Consumer<String, T> consumer = Kafka.consumer(context);
        var partitions = Kafka.assign(consumer, topic);
        consumer.seekToEnd(partitions);
        // Seeking is lazy: what is published after this comes after these positions.
        partitions.forEach(consumer::position);
        readers.add(
                Thread.ofPlatform()
                        .daemon()
                        .name("reads " + topic.name())
                        .start(() -> readOn(consumer, taking)));
    }

    private <T> void readOn(Consumer<String, T> consumer, Taking<T> taking) {
        try (consumer) {
            while (!over) {
                var records = consumer.poll(POLL);
                long moment = System.nanoTime();
                for (var record : records) {
                    if (record.value() != null) {
                        taking.take(record.value(), moment);
                    }
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void take(JobPlan plan, long moment) {
        if (plan.getKind() == PlanKind.RUN) {
            moments(Stage.PLANNED).putIfAbsent(plan.getJob().getName(), moment);
        }
    }

    private void take(JobStatus status, long moment) {
        var name = status.getJob().getName();
        if (status.getPhase() == Phase.QUEUED) {
            moments(Stage.QUEUED).putIfAbsent(name, moment);
        } else if (status.getPhase() == Phase.RUNNING) {
            moments(Stage.RUNNING).putIfAbsent(name, moment);
        } else if (status.getPhase() == Phase.SUCCEEDED) {
            moments(Stage.SUCCEEDED).putIfAbsent(name, moment);
        }
    }

    private Map<String, Long> moments(Stage stage) {
        return requireNonNull(moments.get(stage));
    }

    /** When the job was first heard to have come so far; empty: not yet. */
    public OptionalLong at(Stage stage, String job) {
        var moment = moments(stage).get(job);
        return moment == null ? OptionalLong.empty() : OptionalLong.of(moment);
    }

    /**
     * Waits until all of these jobs were heard to have come so far.
     *
     * @return false when they were not within the time
     */
    public boolean await(Stage stage, Iterable<String> jobs, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        for (var job : jobs) {
            while (at(stage, job).isEmpty()) {
                if (failure != null) {
                    throw CommandFailedException.failed(
                            "cannot read: " + failure.getMessage(), failure);
                }
                if (System.nanoTime() > end) {
                    return false;
                }
                Moments.await(System.nanoTime() + LOOK_AGAIN.toNanos());
            }
        }
        return true;
    }

    /**
     * How long the jobs took to come so far, those that did.
     *
     * @param submitted the moment of each
     */
    public Latencies since(Map<String, Long> submitted, Stage stage) {
        var times = new ArrayList<Duration>();
        submitted.forEach((job, moment) ->
                at(stage, job).ifPresent(at -> times.add(Duration.ofNanos(at - moment))));
        return Latencies.of(times);
    }

    @Override
    public void close() {
        over = true;
        try {
            for (var reader : readers) {
                reader.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
