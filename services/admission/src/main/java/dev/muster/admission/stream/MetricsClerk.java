package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.SpeedWindow;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.TrainingMetrics;
import io.micrometer.core.instrument.Metrics;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Takes what jobs say of how fast they train, and tells their pools its digest. What is said of a
 * job that is not known, has ended, or is an older one of its name is dropped and counted, as
 * {@code muster.admission.metrics.dropped}.
 */
final class MetricsClerk implements Clerk {
    private final KeyValueStore<String, byte[]> directory;
    private final KeyValueStore<String, byte[]> windows;
    private final Codec codec;

    MetricsClerk(
            KeyValueStore<String, byte[]> directory,
            KeyValueStore<String, byte[]> windows,
            Codec codec) {
        this.directory = directory;
        this.windows = windows;
        this.codec = codec;
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        var value = arrival.value();
        if (value == null) {
            throw new UnreadableRecordException("has no value");
        }
        var said = codec.read(Topics.TRAINING_METRICS, value);
        var key = arrival.key();
        if (!key.equals(JobKeys.of(said.getNamespace(), said.getName()))) {
            throw new UnreadableRecordException(
                    "has the key '%s' and speaks of %s/%s"
                            .formatted(key, said.getNamespace(), said.getName()));
        }
        var right = Partitions.ofKey(Topics.TRAINING_METRICS, key);
        return arrival.partition() == right
                ? taken(arrival, said, now)
                : Misplaced.sendTo(right, arrival);
    }

    private Step taken(Arrival arrival, TrainingMetrics said, Instant now) {
        var sample = SpeedMapping.sample(said, now);
        var problems = sample.problems();
        if (!problems.isEmpty()) {
            var first = problems.getFirst();
            throw new UnreadableRecordException(first.path() + " " + first.message());
        }
        var entry = Rows.entry(directory.get(arrival.key()));
        if (entry == null || !entry.living()) {
            var none = new Step.Row(arrival.key(), null);
            return dropped(none, entry == null ? "unknown" : "ended");
        }
        if (sample.uid() != null && !sample.uid().equals(entry.uid())) {
            return dropped(null, "older"); // The window is the newer one's.
        }
        var taken = SpeedWindow.take(Rows.window(windows.get(arrival.key())), entry.uid(), sample);
        var row = new Step.Row(arrival.key(), Rows.window(taken.next()));
        var digest = taken.digest();
        return digest == null
                ? new Step.Done(List.of(), row, "")
                : new Step.Done(
                        List.of(told(arrival, said, entry, digest, now)),
                        row,
                        "told " + entry.pool());
    }

    private static Step dropped(Step.@Nullable Row row, String why) {
        Metrics.counter("muster.admission.metrics.dropped", "why", why).increment();
        return new Step.Done(List.of(), row, "");
    }

    private Outgoing told(
            Arrival arrival,
            TrainingMetrics said,
            Entry entry,
            SpeedWindow.Digest digest,
            Instant now) {
        var envelope =
                Envelopes.causedBy(arrival, said.getEnvelope(), "inbox", now)
                        .setJobUid(entry.uid())
                        .setAttempt(digest.attempt())
                        .build();
        var event =
                InboxEvent.newBuilder()
                        .setEnvelope(envelope)
                        .setKind(InboxKind.TRAINING_DIGEST)
                        .setPool(entry.pool())
                        .setJob(new JobRef(said.getNamespace(), said.getName(), entry.uid()))
                        .setTrainingDigest(SpeedMapping.digest(digest))
                        .build();
        return new Outgoing(
                new Target(Topics.INBOX.name(), entry.number(), entry.pool().getBytes(UTF_8)),
                codec.write(Topics.INBOX, event));
    }
}
