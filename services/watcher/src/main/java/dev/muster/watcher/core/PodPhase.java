package dev.muster.watcher.core;

/** Where a pod is in its life, in Kubernetes' words. */
public enum PodPhase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED
}
