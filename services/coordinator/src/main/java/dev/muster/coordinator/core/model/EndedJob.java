package dev.muster.coordinator.core.model;

/**
 * How the newest submission of a name ended, once nothing else of it is left: jobs that are to come
 * after it ask. Forgotten one day after the end; the job's status stays for 30 days.
 */
public record EndedJob(JobId job, Phase phase) implements Row {
    public boolean isOlderThan(JobId other) {
        return other.uid().isNewerThan(job.uid());
    }

    @Override
    public Key key() {
        return new Key(Table.ENDED, job.fullName());
    }
}
