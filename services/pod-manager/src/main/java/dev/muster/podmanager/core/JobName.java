package dev.muster.podmanager.core;

/** The name of a job, {@code namespace/name}, which several submissions may bear in turn. */
public record JobName(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
