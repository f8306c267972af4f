package dev.muster.schemas.crash;

import java.util.Locale;

/**
 * A place between two steps of a service where a test may end its process, as a crash would.
 *
 * <p>Passing one costs a comparison with null, unless the JVM was started for such a test; see
 * {@link Armed}.
 */
public enum CrashPoint {
    ADMISSION_ASKED("a request came by HTTP", "it is written to job-requests"),
    ADMISSION_WRITTEN("a request of HTTP stands in job-requests", "its client hears of it"),
    ADMISSION_TAKEN("a record was read", "it is decided"),
    ADMISSION_DECIDED("the verdict is known", "the directory has it"),
    ADMISSION_STORED("the directory has the verdict", "it is forwarded or answered"),
    ADMISSION_PUBLISHED("the request is forwarded or answered", "the transaction's offsets"),
    ADMISSION_COMMITTING("all of the transaction is written", "it is committed"),
    ADMISSION_COMMITTED("the transaction is committed", "the next record"),

    COORDINATOR_TAKEN("an inbox record was read", "it is decided"),
    COORDINATOR_DECIDED("the decision is made", "the pool's rows have it"),
    COORDINATOR_STORED("the pool's rows have the decision", "plans, states and events of it"),
    COORDINATOR_PUBLISHED("plans, states and events are sent", "the transaction's offsets"),
    COORDINATOR_COMMITTING("all of the transaction is written", "it is committed"),
    COORDINATOR_COMMITTED("the transaction is committed", "the next record"),
    COORDINATOR_TIME_DUE("a deadline of the pool has passed", "its inbox is told"),
    COORDINATOR_TIME_TOLD("the inbox is told that time has passed", "the pool hears it"),
    COORDINATOR_RESTORED("a pool is made anew from its rows", "its first record after that"),

    POD_MANAGER_TAKEN("a plan was read", "it is work to be done"),
    POD_MANAGER_DECIDED("the cluster is listed, the writes are known", "the first of them"),
    POD_MANAGER_WRITING(
            "a write is due and the partition is ours", "the API server is asked for it"),
    POD_MANAGER_APPLIED("the API server has the service", "its answer is taken in"),
    POD_MANAGER_CREATED("the API server has a pod", "its answer is taken in"),
    POD_MANAGER_DELETED("the API server has a deletion", "its answer is taken in"),
    POD_MANAGER_CARRIED_OUT("nothing is left to write", "the pool is told"),
    POD_MANAGER_REPORTED("the pool is told", "the plan counts as done"),
    POD_MANAGER_PROVING("plans were read", "their offsets, the proof of tenure, are committed"),
    POD_MANAGER_PROVEN("the offsets are committed", "the next plans"),
    POD_MANAGER_OPENING("plans are read and the cluster is listed", "work begins after a start"),
    POD_MANAGER_SWEEPING("a leftover is found", "it is deleted"),
    POD_MANAGER_SWEPT("a leftover is deleted", "the next one"),

    WATCHER_SEEN("the cluster's news came", "it is known what is told of it"),
    WATCHER_DECIDED("it is known what is told", "the first report of it"),
    WATCHER_TELLING("a report is due", "it is on its way to the inbox"),
    WATCHER_TOLD("a report is on its way to the inbox", "the inbox has it"),
    WATCHER_ACKNOWLEDGED("the inbox has a report", "the next one"),
    WATCHER_WON("the shard's Lease is won", "the snapshot"),
    WATCHER_SNAPSHOT_BEGUN("a snapshot has begun", "its end");

    private final String after;
    private final String before;

    CrashPoint(String after, String before) {
        this.after = after;
        this.before = before;
    }

    /** Whose step it is, as {@code pod-manager}. */
    public String service() {
        return name().startsWith("POD_MANAGER_")
                ? "pod-manager"
                : name().substring(0, name().indexOf('_')).toLowerCase(Locale.ROOT);
    }

    /** Its name, as {@code pod-manager.carried-out}. */
    public String id() {
        var step = name().substring(service().length() + 1);
        return service() + "." + step.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What has just been done. */
    public String after() {
        return after;
    }

    /** What has not been done yet. */
    public String before() {
        return before;
    }

    /**
     * The service is here.
     *
     * @param subject what it is about, mostly {@code namespace/name} of a job; empty: all that this
     *     thread passed points for since it last said so, as with the end of a transaction
     */
    public void pass(Object subject) {
        if (Armed.OF_THIS_JVM != null) {
            Armed.OF_THIS_JVM.passed(this, subject.toString());
        }
    }
}
