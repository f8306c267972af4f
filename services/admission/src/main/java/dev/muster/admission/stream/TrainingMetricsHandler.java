package dev.muster.admission.stream;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.SpeedWindow;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.TrainingMetrics;
import io.micrometer.core.instrument.Metrics;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Takes what jobs say of how fast they train, and tells their pools its digest. What is said of a
 * job that is not known, has ended, or is an older one of its name, and what an earlier attempt
 * says beside a later one, is dropped and counted, as {@code muster.admission.metrics.dropped}.
 */
final class TrainingMetricsHandler implements RecordHandler {
    private final KeyValueStore<String, byte[]> directory;
    private final KeyValueStore<String, byte[]> windows;
    private final JobReports reports;

    TrainingMetricsHandler(
            KeyValueStore<String, byte[]> directory,
            KeyValueStore<String, byte[]> windows,
            Codec codec) {
        this.directory = directory;
        this.windows = windows;
        this.reports = new JobReports(codec);
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        var said = reports.read(Topics.TRAINING_METRICS, arrival, TrainingMetrics::getEnvelope);
        var elsewhere =
                JobReports.elsewhere(
                        Topics.TRAINING_METRICS, arrival, said.getNamespace(), said.getName());
        return elsewhere == null ? taken(arrival, said, now) : elsewhere;
    }

    private Step taken(Arrival arrival, TrainingMetrics said, Instant now) {
        var sample = SpeedMapping.sample(said, now);
        JobReports.refuse(sample.problems());
        var entry = Rows.entry(directory.get(arrival.key()));
        if (entry == null || !entry.living()) {
            var none = new Step.Row(arrival.key(), null);
            return dropped(none, entry == null ? "unknown" : "ended");
        }
        if (sample.uid() != null && !sample.uid().equals(entry.uid())) {
            return dropped(null, "older"); // The window is the newer one's.
        }
        var window = Rows.window(windows.get(arrival.key()));
        if (window != null && window.isNewerThan(entry.uid(), sample)) {
            return dropped(null, "earlierAttempt");
        }
        var taken = SpeedWindow.take(window, entry.uid(), sample);
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
        var event =
                InboxEvent.newBuilder()
                        .setKind(InboxKind.TRAINING_DIGEST)
                        .setTrainingDigest(SpeedMapping.digest(digest));
        return reports.toPool(arrival, said.getEnvelope(), entry, event, now);
    }
}
