package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Entry;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSignal;
import io.micrometer.core.instrument.Metrics;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Takes what jobs have to say and tells their pools. What is said of a job that is not known, has
 * ended, or is an older one of its name, and a checkpoint that nobody asked for, is dropped and
 * counted, as {@code muster.admission.signals.dropped}.
 */
final class SignalClerk implements Clerk {
    private final KeyValueStore<String, byte[]> directory;
    private final Codec codec;

    SignalClerk(KeyValueStore<String, byte[]> directory, Codec codec) {
        this.directory = directory;
        this.codec = codec;
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        var value = arrival.value();
        if (value == null) {
            throw new UnreadableRecordException("has no value");
        }
        var said = codec.read(Topics.JOB_SIGNALS, value);
        var key = arrival.key();
        if (!key.equals(JobKeys.of(said.getNamespace(), said.getName()))) {
            throw new UnreadableRecordException(
                    "has the key '%s' and speaks of %s/%s"
                            .formatted(key, said.getNamespace(), said.getName()));
        }
        var right = Partitions.ofKey(Topics.JOB_SIGNALS, key);
        return arrival.partition() == right
                ? taken(arrival, said, now)
                : Misplaced.sendTo(right, arrival);
    }

    private Step taken(Arrival arrival, JobSignal said, Instant now) {
        var signal = SignalMapping.toCore(said);
        if (signal.isUnasked()) {
            return dropped("unasked");
        }
        var problems = signal.problems();
        if (!problems.isEmpty()) {
            var first = problems.getFirst();
            throw new UnreadableRecordException(first.path() + " " + first.message());
        }
        var entry = Rows.entry(directory.get(arrival.key()));
        if (entry == null || !entry.living()) {
            return dropped(entry == null ? "unknown" : "ended");
        }
        var uid = said.getEnvelope().getJobUid();
        return uid == null || uid.equals(entry.uid())
                ? new Step.Done(
                        List.of(told(arrival, said, entry, now)), null, "told " + entry.pool())
                : dropped("older");
    }

    private static Step dropped(String why) {
        Metrics.counter("muster.admission.signals.dropped", "why", why).increment();
        return new Step.Done(List.of(), null, "");
    }

    private Outgoing told(Arrival arrival, JobSignal said, Entry entry, Instant now) {
        var envelope =
                Envelopes.causedBy(arrival, said.getEnvelope(), "inbox", now)
                        .setJobUid(entry.uid())
                        .setAttempt(said.getEnvelope().getAttempt())
                        .build();
        var event =
                InboxEvent.newBuilder()
                        .setEnvelope(envelope)
                        .setKind(InboxKind.JOB_SIGNAL)
                        .setPool(entry.pool())
                        .setJob(new JobRef(said.getNamespace(), said.getName(), entry.uid()))
                        .setJobSignal(SignalMapping.heard(said))
                        .build();
        return new Outgoing(
                new Target(Topics.INBOX.name(), entry.number(), entry.pool().getBytes(UTF_8)),
                codec.write(Topics.INBOX, event));
    }
}
