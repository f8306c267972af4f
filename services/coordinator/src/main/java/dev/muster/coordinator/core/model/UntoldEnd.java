package dev.muster.coordinator.core.model;

/**
 * How a job ended of whose end not all have heard that come after it. It may be forgotten itself.
 */
public record UntoldEnd(JobId job, Phase phase) implements Row {
    @Override
    public Key key() {
        return new Key(Table.UNTOLD, job.toString());
    }
}
