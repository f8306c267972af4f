package dev.muster.schemas.contract;

import java.time.Duration;

/** How large what services tell each other may be, where more than one of them has to know. */
public final class Limits {
    /** Pools there can be; each has a partition of the inbox. */
    public static final int POOLS = 64;

    /** The most that a queue may weigh; the least is 1. */
    public static final int QUEUE_WEIGHT = 1_000_000;

    /**
     * The most of a resource that one pod may request, and the most that it may be limited to; cpu
     * in milli, everything else in whole units.
     */
    public static final long POD_AMOUNT = 1_000_000_000_000_000L;

    /**
     * The most of a resource, in the same units, for all pods of a job together, in each amount of
     * a queue, and for what all queues of a pool are guaranteed.
     */
    public static final long TOTAL_AMOUNT = 1_000_000_000_000_000_000L;

    /** The longest time in which a pool forgets half of what it holds against a node. */
    public static final Duration NODE_HEALTH_HALF_LIFE = Duration.ofDays(365);

    /** The most failures after which a node may be closed. */
    public static final int NODE_HEALTH_EXCLUDE_AT = 1_000;

    /** Go's own limit, about 292 years; whole milliseconds. */
    public static final Duration LONGEST_DURATION = Duration.ofMillis(Long.MAX_VALUE / 1_000_000);

    /** What is told of a longer one. */
    public static final String TOO_LONG = "is longer than 292 years";

    /** The least that a job may be given before a change: to save its state, or for its hook. */
    public static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);

    /** The most: what waits for it may be others' room. */
    public static final Duration MOST_TIMEOUT = Duration.ofHours(1);

    /** Characters of a hook's output, as many as Kubernetes keeps of a container's last words. */
    public static final int HOOK_OUTPUT = 4_096;

    /**
     * Characters of an id, and of a name of who asks. Services remember those of requests, many to
     * a row, and a row is one record.
     */
    public static final int ID_CHARACTERS = 1_000;

    /** Characters of the name of who asks by HTTP. */
    public static final int HTTP_ACTOR_CHARACTERS = 253;

    /** Characters of what people are told of a change, in the job's status. */
    public static final int MESSAGE_CHARACTERS = 1_000;

    /** The bytes of a request, as it stands in the log, that admission takes in. */
    public static final int ASKED_BYTES = 256 << 10;

    /** The bytes of a batch that every topic takes. */
    public static final int RECORD_BYTES = 4 << 20;

    /** The bytes of a record's value: the rest is its key, its headers and what a batch adds. */
    public static final int VALUE_BYTES = RECORD_BYTES - (64 << 10);

    /**
     * The bytes that clients send and fetch at a time: more than the largest record. A service's
     * application.yaml says it once more.
     */
    public static final int REQUEST_BYTES = 5 << 20;

    /**
     * The pods that a job may come to have: its plan names each with its node, and is one record.
     */
    public static final int JOB_PODS = 20_000;

    /** The processes of a pod, where their number is said. */
    public static final int POD_PROCESSES = 1_024;

    /**
     * The jobs that one job may come after: its row names each twice, and what it waits for is told
     * with each end.
     */
    public static final int AFTER = 256;

    private Limits() {}
}
