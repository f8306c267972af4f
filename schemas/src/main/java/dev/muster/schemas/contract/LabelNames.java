package dev.muster.schemas.contract;

/**
 * The labels by which the objects of jobs are known in a cluster. pod-manager writes them, all
 * others read them. (The sandbox, which stands for a cluster, has a copy of one.)
 */
public final class LabelNames {
    /** Labels and annotations under it are Muster's own. */
    public static final String PREFIX = "muster.dev/";

    public static final String INSTALLATION = PREFIX + "installation";
    public static final String JOB = PREFIX + "job";
    public static final String UID = PREFIX + "uid";
    public static final String ROLE = PREFIX + "role";
    public static final String INDEX = PREFIX + "index";
    public static final String ATTEMPT = PREFIX + "attempt";
    public static final String INCARNATION = PREFIX + "incarnation";
    public static final String PLAN = PREFIX + "plan";
    public static final String POOL = PREFIX + "pool";
    public static final String QUEUE = PREFIX + "queue";

    /** What a pod is to its job: {@link #GANG}, or {@link #HOOK} beside it. */
    public static final String PART = PREFIX + "part";

    /** The part of a pod of the gang. */
    public static final String GANG = "gang";

    /** The part, and the role, of a pod that runs a hook. */
    public static final String HOOK = "hook";

    private LabelNames() {}
}
