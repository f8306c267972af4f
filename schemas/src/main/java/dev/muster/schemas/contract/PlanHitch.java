package dev.muster.schemas.contract;

/**
 * What is in the way of a plan that nobody has refused. pod-manager tells it as a refusal of no
 * plan, whose reason is one of these, and goes on trying; the next carried out plan ends it. A
 * coordinator that knows nothing of hitches takes such a refusal for an old plan's, and passes it
 * over.
 */
public final class PlanHitch {
    /** The version of such a refusal: plans begin with 1. */
    public static final long NO_VERSION = 0;

    /** The cluster's roles do not let pod-manager; the message is the API server's. */
    public static final String RIGHT_MISSING = "RightMissing";

    /**
     * The API server says not now, as of a full quota, and the message is its own; or what is to be
     * made anew is being deleted by somebody, or is of a newer plan than there is, and the message
     * names it.
     */
    public static final String NOT_TAKEN = "NotTaken";

    /** Objects of an earlier submission or attempt are there still; the message names one. */
    public static final String EARLIER_PODS = "EarlierPods";

    /** Pods that this job wants no more, or anew, were told to go long ago and have not. */
    public static final String STUCK_PODS = "StuckPods";

    private PlanHitch() {}
}
