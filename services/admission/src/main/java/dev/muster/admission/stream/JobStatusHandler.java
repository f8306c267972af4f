package dev.muster.admission.stream;

import dev.muster.admission.core.Entry;
import dev.muster.admission.core.Phase;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;

/** Hears where submissions stand: by that a name becomes free. */
final class JobStatusHandler implements RecordHandler {
    private static final String UNCHANGED = "nothing new";

    private final KeyValueStore<String, byte[]> directory;
    private final Codec codec;

    JobStatusHandler(KeyValueStore<String, byte[]> directory, Codec codec) {
        this.directory = directory;
        this.codec = codec;
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        var key = keyOf(arrival);
        var name = JobKeys.of(key.namespace(), key.name());
        var entry = Rows.entry(directory.get(name));
        var uid = String.valueOf(key.uid());
        if (entry == null || !entry.uid().equals(uid)) {
            return new Step.Done(List.of(), null, UNCHANGED);
        }
        return arrival.value() == null
                ? forgotten(name, entry)
                : heard(name, entry, uid, arrival.value());
    }

    private static JobKeys.Parts keyOf(Arrival arrival) {
        try {
            return JobKeys.parse(arrival.key());
        } catch (IllegalArgumentException e) {
            throw new UnreadableRecordException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The status goes long after the end, and the name with it. */
    private static Step forgotten(String name, Entry entry) {
        return entry.living()
                ? new Step.Done(List.of(), null, UNCHANGED)
                : new Step.Done(List.of(), new Step.Row(name, null), "forgotten");
    }

    private Step heard(String name, Entry entry, String uid, byte[] value) {
        var status = codec.read(Topics.JOB_STATUS, value);
        if (status.getPhase() == dev.muster.v1.Phase.UNKNOWN) {
            return new Step.Done(List.of(), null, UNCHANGED);
        }
        var next = entry.heard(uid, Phase.valueOf(status.getPhase().name()));
        return next.equals(entry)
                ? new Step.Done(List.of(), null, UNCHANGED)
                : new Step.Done(
                        List.of(), new Step.Row(name, Rows.entry(next)), next.phase().name());
    }
}
