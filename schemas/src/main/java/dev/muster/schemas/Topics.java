package dev.muster.schemas;

import dev.muster.schemas.Topic.Kept;
import dev.muster.schemas.contract.Limits;
import dev.muster.v1.Decision;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Parked;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueState;
import dev.muster.v1.RequestResult;
import dev.muster.v1.SnapshotRecord;
import dev.muster.v1.TrainingMetrics;
import java.time.Duration;
import java.util.List;

/** The catalogue: every topic that Muster reads or writes. */
public final class Topics {
    /** Of every topic whose key begins with namespace/name: one name, one partition number. */
    public static final int NAME_PARTITIONS = 16;

    private static final String BY_NAME = "namespace/name";
    private static final String BY_UID = "namespace/name@uid, partitioned by namespace/name";

    /** Of what anybody writes, by whatever clock. */
    private static final Kept A_DAY_SINCE_APPEND = new Kept.ForSinceAppend(Duration.ofDays(1));

    private static final Kept A_WEEK_SINCE_APPEND = new Kept.ForSinceAppend(Duration.ofDays(7));
    private static final Kept A_WEEK = keptFor(7);
    private static final Kept A_MONTH = keptFor(30);
    private static final Kept A_MONTH_OF_HISTORY = historyFor(30);
    private static final Kept NEWEST = new Kept.Newest();

    /** What anybody asks of a job. */
    public static final Topic<JobRequest> JOB_REQUESTS =
            new Topic<>(
                    "muster.job-requests",
                    BY_NAME,
                    JobRequest.class,
                    NAME_PARTITIONS,
                    A_WEEK_SINCE_APPEND,
                    List.of("anybody"),
                    List.of("admission", "users"));

    /** What operators ask of queues and pools. */
    public static final Topic<QueueRequest> QUEUE_REQUESTS =
            new Topic<>(
                    "muster.queue-requests",
                    "queue or pool",
                    QueueRequest.class,
                    4,
                    A_WEEK_SINCE_APPEND,
                    List.of("anybody"),
                    List.of("admission"));

    /** One answer to each request. */
    public static final Topic<RequestResult> REQUEST_RESULTS =
            new Topic<>(
                    "muster.request-results",
                    "the request's key",
                    RequestResult.class,
                    NAME_PARTITIONS,
                    A_WEEK,
                    List.of("admission", "coordinator"),
                    List.of("admission", "whoever asked", "replay"));

    /** All that a pool's decider hears; partition n is the pool with number n. */
    public static final Topic<InboxEvent> INBOX =
            new Topic<>(
                    "muster.inbox",
                    "pool; the partition is the pool's number",
                    InboxEvent.class,
                    Limits.POOLS,
                    new Kept.ForSinceAppend(Duration.ofDays(30)),
                    List.of("admission", "watcher", "pod-manager", "coordinator"),
                    List.of("coordinator", "snapshotter", "explain", "replay", "what-if"));

    /** A pool's state, from which replay starts. */
    public static final Topic<SnapshotRecord> SNAPSHOTS =
            new Topic<>(
                    "muster.snapshots",
                    "pool/number/row",
                    SnapshotRecord.class,
                    16,
                    historyFor(31),
                    List.of("snapshotter"),
                    List.of("snapshotter", "explain", "replay", "what-if"));

    /** What objects a job is to have. */
    public static final Topic<JobPlan> JOB_PLANS =
            new Topic<>(
                    "muster.job-plans",
                    BY_UID,
                    JobPlan.class,
                    NAME_PARTITIONS,
                    NEWEST,
                    List.of("coordinator"),
                    List.of("pod-manager", "replay"));

    /** Where a job stands. */
    public static final Topic<JobStatus> JOB_STATUS =
            new Topic<>(
                    "muster.job-status",
                    BY_UID,
                    JobStatus.class,
                    NAME_PARTITIONS,
                    NEWEST,
                    List.of("coordinator"),
                    List.of("users", "admission", "replay"));

    /** What happened to a job. */
    public static final Topic<JobEvent> JOB_EVENTS =
            new Topic<>(
                    "muster.job-events",
                    BY_UID,
                    JobEvent.class,
                    NAME_PARTITIONS,
                    A_MONTH_OF_HISTORY,
                    List.of("coordinator"),
                    List.of("users", "replay"));

    /** Why it was decided so. */
    public static final Topic<Decision> DECISIONS =
            new Topic<>(
                    "muster.decisions",
                    "queue",
                    Decision.class,
                    16,
                    A_MONTH_OF_HISTORY,
                    List.of("coordinator"),
                    List.of("snapshotter", "explain", "replay", "what-if"));

    /** The queues as they are. */
    public static final Topic<QueueState> QUEUES =
            new Topic<>(
                    "muster.queues",
                    "queue",
                    QueueState.class,
                    1,
                    NEWEST,
                    List.of("coordinator"),
                    List.of("users", "admission", "replay"));

    /** The pools as they are. */
    public static final Topic<PoolState> POOLS =
            new Topic<>(
                    "muster.pools",
                    "pool",
                    PoolState.class,
                    1,
                    NEWEST,
                    List.of("coordinator"),
                    List.of(
                            "admission",
                            "watcher",
                            "pod-manager",
                            "snapshotter",
                            "explain",
                            "replay",
                            "what-if"));

    /** What a training job says to Muster. */
    public static final Topic<JobSignal> JOB_SIGNALS =
            new Topic<>(
                    "muster.job-signals",
                    BY_NAME,
                    JobSignal.class,
                    NAME_PARTITIONS,
                    A_DAY_SINCE_APPEND,
                    List.of("jobs", "admission"),
                    List.of("admission"));

    /** How fast a job trains. */
    public static final Topic<TrainingMetrics> TRAINING_METRICS =
            new Topic<>(
                    "muster.training-metrics",
                    BY_NAME,
                    TrainingMetrics.class,
                    NAME_PARTITIONS,
                    A_DAY_SINCE_APPEND,
                    List.of("jobs", "admission"),
                    List.of("admission"));

    /** Records that nobody could take in. */
    public static final Topic<Parked> PARKED =
            new Topic<>(
                    "muster.parked",
                    "the original record's key",
                    Parked.class,
                    16,
                    A_MONTH,
                    List.of("every consumer"),
                    List.of("operators"));

    /** Every topic, in the order in which a job passes them. */
    public static List<Topic<?>> all() {
        return List.of(
                JOB_REQUESTS,
                QUEUE_REQUESTS,
                REQUEST_RESULTS,
                INBOX,
                SNAPSHOTS,
                JOB_PLANS,
                JOB_STATUS,
                JOB_EVENTS,
                DECISIONS,
                QUEUES,
                POOLS,
                JOB_SIGNALS,
                TRAINING_METRICS,
                PARKED);
    }

    private static Kept keptFor(int days) {
        return new Kept.For(Duration.ofDays(days));
    }

    /** A week at least: as long as the snapshotter, which goes on from the last one, may fail. */
    private static Kept historyFor(int days) {
        return new Kept.History(Duration.ofDays(days), Duration.ofDays(7));
    }

    private Topics() {}
}
