package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.avro.Submissions;
import dev.muster.v1.JobSubmitted;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted, by job, as the bytes of the inbox record that brought it: so the registry
 * knows the schema, whatever version reads it. Those in use are kept decoded.
 */
final class Specs implements Submissions {
    static final String STORE = "specs";

    private static final int MOST_DECODED = 200;

    private final KeyValueStore<String, byte[]> store;
    private final Wire wire;
    private final SequencedMap<JobId, JobSubmitted> decoded = new LinkedHashMap<>(16, 0.75f, true);

    Specs(KeyValueStore<String, byte[]> store, Wire wire) {
        this.store = store;
        this.wire = wire;
    }

    @Override
    public @Nullable JobSubmitted of(JobId job) {
        var known = decoded.get(job);
        if (known != null) {
            return known;
        }
        var bytes = store.get(job.toString());
        if (bytes == null) {
            return null;
        }
        var submitted = wire.event(bytes).getJobSubmitted();
        remember(job, submitted);
        return submitted;
    }

    /** Keeps what the inbox record {@code bytes} says. */
    void put(JobId job, JobSubmitted submitted, byte[] bytes) {
        store.put(job.toString(), bytes);
        remember(job, submitted);
    }

    private void remember(JobId job, JobSubmitted submitted) {
        decoded.put(job, submitted);
        if (decoded.size() > MOST_DECODED) {
            decoded.pollFirstEntry();
        }
    }

    void remove(JobId job) {
        decoded.remove(job);
        store.delete(job.toString());
    }

    /**
     * Drops what is needed no more after a step.
     *
     * @param submitted the job that the step was about; dropped, too, where nothing came of it
     * @param rows after the step
     */
    void dropAfter(Step step, @Nullable JobId submitted, Rows rows) {
        for (var effect : step.effects()) {
            if (effect instanceof Effect.DropSpec(var job)) {
                remove(job);
            }
        }
        boolean waits = step.changes().stream().anyMatch(Specs::isNewWaiting);
        if (submitted != null && !waits && !rows.knows(submitted)) {
            remove(submitted);
        }
    }

    private static boolean isNewWaiting(Step.Change change) {
        return change.key().table() == Row.Table.WAITING && change.row() != null;
    }
}
