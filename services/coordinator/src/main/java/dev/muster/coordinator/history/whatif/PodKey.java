package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankId;

/** One pod of a job, whoever made it; written {@code job/rank/incarnation}. */
record PodKey(JobId job, RankId rank, int incarnation) implements Comparable<PodKey> {
    /** Before all pods of the job. */
    static PodKey first(JobId job) {
        return new PodKey(job, new RankId("", 0), 0);
    }

    @Override
    public int compareTo(PodKey other) {
        int order = job.compareTo(other.job);
        order = order == 0 ? rank.compareTo(other.rank) : order;
        return order == 0 ? Integer.compare(incarnation, other.incarnation) : order;
    }

    @Override
    public String toString() {
        return job + "/" + rank + "/" + incarnation;
    }
}
