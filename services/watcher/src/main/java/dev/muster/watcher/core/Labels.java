package dev.muster.watcher.core;

/** The labels by which a pod of ours is known. */
final class Labels {
    static final String INSTALLATION = "muster.dev/installation";
    static final String JOB = "muster.dev/job";
    static final String UID = "muster.dev/uid";
    static final String ROLE = "muster.dev/role";
    static final String INDEX = "muster.dev/index";
    static final String ATTEMPT = "muster.dev/attempt";
    static final String INCARNATION = "muster.dev/incarnation";
    static final String PLAN = "muster.dev/plan";
    static final String POOL = "muster.dev/pool";

    private Labels() {}
}
