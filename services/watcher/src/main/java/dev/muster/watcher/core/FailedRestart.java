package dev.muster.watcher.core;

/**
 * A request to OpenKruise that it has given up: the container has not started again and will not.
 *
 * @param pool of its job
 * @param request its name
 * @param pod that it is about, and the incarnation that was asked for
 */
public record FailedRestart(
        String pool, String request, PodIdentity pod, long resourceVersion, String message) {}
