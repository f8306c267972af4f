package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.Problem;
import dev.muster.admission.core.Validation;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Envelope;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobRef;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What jobs tell of themselves on a topic whose key is their name, and their pools hear of it. */
final class JobReports {
    private final Codec codec;

    JobReports(Codec codec) {
        this.codec = codec;
    }

    /**
     * @param envelope of what is read
     * @throws UnreadableRecordException when it cannot be, or is larger than reports may be
     */
    <T extends SpecificRecord> T read(
            Topic<T> topic, Arrival arrival, Function<T, Envelope> envelope) {
        var value = arrival.value();
        if (value == null) {
            throw new UnreadableRecordException("has no value");
        }
        if (value.length > Validation.MOST_BYTES) {
            throw new UnreadableRecordException("is a report of %d bytes".formatted(value.length));
        }
        var said = codec.read(topic, value);
        Envelopes.check(envelope.apply(said));
        return said;
    }

    /**
     * @return null: it is where it belongs
     * @throws UnreadableRecordException when its key is not that of the job which it speaks of
     */
    static @Nullable Step elsewhere(
            Topic<?> topic, Arrival arrival, String namespace, String name) {
        var key = arrival.key();
        if (!key.equals(JobKeys.of(namespace, name))) {
            throw new UnreadableRecordException(
                    "has the key '%s' and speaks of %s/%s".formatted(key, namespace, name));
        }
        var right = Partitions.ofKey(topic, key);
        return arrival.partition() == right ? null : Misplaced.sendTo(right, arrival);
    }

    /**
     * @throws UnreadableRecordException when there is any
     */
    static void refuse(List<Problem> problems) {
        if (!problems.isEmpty()) {
            var first = problems.getFirst();
            throw new UnreadableRecordException(first.path() + " " + first.message());
        }
    }

    /**
     * To the pool of the job.
     *
     * @param said the envelope of what the job told
     * @param event what its pool is told, but for where it comes from
     */
    Outgoing toPool(
            Arrival arrival, Envelope said, Entry entry, InboxEvent.Builder event, Instant now) {
        var job = JobKeys.parse(arrival.key());
        var envelope =
                Envelopes.causedBy(arrival, said, "inbox", now)
                        .setJobUid(entry.uid())
                        .setAttempt(said.getAttempt())
                        .build();
        event.setEnvelope(envelope)
                .setPool(entry.pool())
                .setJob(new JobRef(job.namespace(), job.name(), entry.uid()));
        return new Outgoing(
                new Target(Topics.INBOX.name(), entry.number(), entry.pool().getBytes(UTF_8)),
                codec.write(Topics.INBOX, event.build()));
    }
}
