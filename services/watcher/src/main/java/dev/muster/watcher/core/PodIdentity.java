package dev.muster.watcher.core;

/**
 * Which pod of which making: the fences, from its labels.
 *
 * @param pod the pod's name
 * @param podUid the uid that the API server gave it
 */
public record PodIdentity(
        Job job,
        String role,
        int index,
        int attempt,
        int incarnation,
        long plan,
        String pod,
        String podUid) {}
