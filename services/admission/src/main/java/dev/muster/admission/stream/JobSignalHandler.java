package dev.muster.admission.stream;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.SignalLimit;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobSignal;
import io.micrometer.core.instrument.Metrics;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Takes what jobs have to say and tells their pools. What is said of a job that is not known, has
 * ended, or is an older one of its name, and a checkpoint that nobody asked for, is dropped and
 * counted, as {@code muster.admission.signals.dropped}; so is what is too much of one job.
 */
final class JobSignalHandler implements RecordHandler {
    private final KeyValueStore<String, byte[]> directory;
    private final JobReports reports;
    private final SignalLimit limit = new SignalLimit();

    JobSignalHandler(KeyValueStore<String, byte[]> directory, Codec codec) {
        this.directory = directory;
        this.reports = new JobReports(codec);
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        var said = reports.read(Topics.JOB_SIGNALS, arrival, JobSignal::getEnvelope);
        var elsewhere =
                JobReports.elsewhere(
                        Topics.JOB_SIGNALS, arrival, said.getNamespace(), said.getName());
        return elsewhere == null ? taken(arrival, said, now) : elsewhere;
    }

    private Step taken(Arrival arrival, JobSignal said, Instant now) {
        var signal = SignalMapping.toCore(said);
        if (signal.isUnasked()) {
            return dropped("unasked");
        }
        JobReports.refuse(signal.problems());
        var entry = Rows.entry(directory.get(arrival.key()));
        if (entry == null || !entry.living()) {
            return dropped(entry == null ? "unknown" : "ended");
        }
        var uid = said.getEnvelope().getJobUid();
        if (uid != null && !uid.equals(entry.uid())) {
            return dropped("older");
        }
        return limit.takes(arrival.key(), now)
                ? new Step.Done(
                        List.of(told(arrival, said, entry, now)), null, "told " + entry.pool())
                : dropped("tooMany");
    }

    private static Step dropped(String why) {
        Metrics.counter("muster.admission.signals.dropped", "why", why).increment();
        return new Step.Done(List.of(), null, "");
    }

    private Outgoing told(Arrival arrival, JobSignal said, Entry entry, Instant now) {
        var event =
                InboxEvent.newBuilder()
                        .setKind(InboxKind.JOB_SIGNAL)
                        .setJobSignal(SignalMapping.heard(said));
        return reports.toPool(arrival, said.getEnvelope(), entry, event, now);
    }
}
