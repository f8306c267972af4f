package dev.muster.watcher.core;

/**
 * One submission of a job.
 *
 * @param uid partition and offset of its request, as in {@code 3-4711}
 */
public record Job(String namespace, String name, String uid) {}
