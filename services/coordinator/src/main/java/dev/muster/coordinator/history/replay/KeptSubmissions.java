package dev.muster.coordinator.history.replay;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.history.replay.PoolCopy.InboxReader;
import dev.muster.coordinator.stream.avro.Submissions;
import dev.muster.v1.JobSubmitted;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** What a copy of a pool keeps of the submissions of its jobs. */
sealed interface KeptSubmissions extends Submissions {
    /**
     * @param value the inbox record that brought it
     */
    void put(JobId job, JobSubmitted submitted, byte[] value);

    /** As a snapshot has it. */
    void put(JobId job, byte[] value);

    void remove(JobId job);

    /** The inbox records, where they are kept. */
    Map<JobId, byte[]> records();

    /** All of them, as plans and statuses are made of them. */
    final class Whole implements KeptSubmissions {
        private static final int MOST_DECODED = 200;

        private final InboxReader reader;
        private final Map<JobId, byte[]> specs = new LinkedHashMap<>();
        private final SequencedMap<JobId, JobSubmitted> decoded =
                new LinkedHashMap<>(16, 0.75f, true);

        Whole(InboxReader reader) {
            this.reader = reader;
        }

        @Override
        public void put(JobId job, JobSubmitted submitted, byte[] value) {
            specs.put(job, value);
            remember(job, submitted);
        }

        @Override
        public void put(JobId job, byte[] value) {
            specs.put(job, value);
        }

        @Override
        public void remove(JobId job) {
            specs.remove(job);
            decoded.remove(job);
        }

        @Override
        public Map<JobId, byte[]> records() {
            return Collections.unmodifiableMap(specs);
        }

        @Override
        public @Nullable JobSubmitted of(JobId job) {
            var known = decoded.get(job);
            var bytes = known == null ? specs.get(job) : null;
            if (bytes == null) {
                return known;
            }
            var submitted = reader.read(bytes).getJobSubmitted();
            remember(job, submitted);
            return submitted;
        }

        private void remember(JobId job, JobSubmitted submitted) {
            decoded.put(job, submitted);
            if (decoded.size() > MOST_DECODED) {
                decoded.pollFirstEntry();
            }
        }
    }

    /**
     * Only what the news of pods are read with, once for all jobs that need the same: a template
     * may have a hundred times the size of a job's row.
     */
    final class Needs implements KeptSubmissions {
        private final InboxReader reader;
        private final Map<JobId, JobSubmitted> needs = new LinkedHashMap<>();
        private final Map<JobSubmitted, JobSubmitted> alike = new LinkedHashMap<>();

        Needs(InboxReader reader) {
            this.reader = reader;
        }

        @Override
        public void put(JobId job, JobSubmitted submitted, byte[] value) {
            var slim = new JobSubmitted(null, submitted.getNeeds(), "", null);
            var shared = alike.putIfAbsent(slim, slim);
            needs.put(job, shared == null ? slim : shared);
        }

        @Override
        public void put(JobId job, byte[] value) {
            put(job, reader.read(value).getJobSubmitted(), value);
        }

        @Override
        public void remove(JobId job) {
            needs.remove(job);
        }

        void clear() {
            needs.clear();
            alike.clear();
        }

        @Override
        public Map<JobId, byte[]> records() {
            throw new IllegalStateException("they are not kept");
        }

        @Override
        public @Nullable JobSubmitted of(JobId job) {
            return needs.get(job);
        }
    }
}
