package dev.muster.podmanager.core;

/**
 * Where a launcher may start processes, and by what.
 *
 * @param version of the list, which changed last under that plan
 */
public record Hosts(long version, Shell shell) {
    /** By what a launcher starts processes on the pods of its job. */
    public enum Shell {
        AGENT,
        SSH
    }
}
