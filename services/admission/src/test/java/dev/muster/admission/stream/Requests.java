package dev.muster.admission.stream;

import dev.muster.schemas.Partitions;
import dev.muster.v1.BulkChange;
import dev.muster.v1.CancelSpec;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.Phase;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueuePolicy;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueRequestKind;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.QueueState;
import dev.muster.v1.RestartCounts;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Records as others send them. */
public final class Requests {
    public static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String TEMPLATE =
            """
            {"spec": {"containers": [{"name": "main", "image": "python:3.12",
              "resources": {"limits": {"cpu": "500m"}}}]}}\
            """;

    private Requests() {}

    /** The n-th name whose key {@code ml/NAME} belongs to a partition. */
    public static String nameIn(int partition, int n) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "job-" + i)
                .filter(name -> Partitions.ofName("ml", name) == partition)
                .skip(n)
                .findFirst()
                .orElseThrow();
    }

    public static TrainJobSpec spec() {
        return TrainJobSpec.newBuilder()
                .setRoles(
                        List.of(
                                RoleSpec.newBuilder()
                                        .setName("worker")
                                        .setReplicas(2)
                                        .setTemplate(TEMPLATE)
                                        .build()))
                .build();
    }

    public static JobRequest submit(String requestId, String name, TrainJobSpec spec) {
        return JobRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(JobRequestKind.SUBMIT)
                .setNamespace("ml")
                .setName(name)
                .setSubmit(spec)
                .build();
    }

    public static JobRequest submit(String requestId, String name) {
        return submit(requestId, name, spec());
    }

    public static JobRequest cancel(String requestId, String name) {
        return JobRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(JobRequestKind.CANCEL)
                .setNamespace("ml")
                .setName(name)
                .setCancel(new CancelSpec(5_000L, "not needed any more"))
                .build();
    }

    public static JobRequest change(String requestId, String name, @Nullable JobChange change) {
        return JobRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(JobRequestKind.CHANGE)
                .setNamespace("ml")
                .setName(name)
                .setChange(change)
                .build();
    }

    public static JobChange change(JobChangeKind kind) {
        return JobChange.newBuilder().setKind(kind).build();
    }

    public static QueueRequest bulk(String requestId, String name, @Nullable BulkChange bulk) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(QueueRequestKind.BULK)
                .setName(name)
                .setBulk(bulk)
                .build();
    }

    public static QueueRequest putQueue(String requestId, String name, String pool) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(QueueRequestKind.PUT_QUEUE)
                .setName(name)
                .setQueue(QueueSpec.newBuilder().setPool(pool).build())
                .build();
    }

    public static QueueRequest pauseQueue(String requestId, String name) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(QueueRequestKind.CHANGE_QUEUE)
                .setName(name)
                .setQueue(QueueSpec.newBuilder().setPaused(true).build())
                .setFields(List.of("paused"))
                .build();
    }

    public static QueueRequest changePolicy(String requestId, String pool, QueuePolicy policy) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(QueueRequestKind.CHANGE_POOL)
                .setName(pool)
                .setPool(PoolSpec.newBuilder().setPolicy(policy).build())
                .setFields(List.of("policy"))
                .build();
    }

    /** One that is there stays as it is. */
    public static QueueRequest keepQueue(String requestId, String name, String pool) {
        return QueueRequest.newBuilder(putQueue(requestId, name, pool))
                .setKind(QueueRequestKind.CHANGE_QUEUE)
                .setCreate(true)
                .build();
    }

    public static QueueRequest deleteQueue(String requestId, String name) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(QueueRequestKind.DELETE_QUEUE)
                .setName(name)
                .build();
    }

    public static QueueRequest putPool(String requestId, String name, @Nullable Integer number) {
        return QueueRequest.newBuilder()
                .setEnvelope(envelope(requestId))
                .setKind(QueueRequestKind.PUT_POOL)
                .setName(name)
                .setPool(PoolSpec.newBuilder().setNumber(number).build())
                .build();
    }

    public static QueueState queue(String name, String pool) {
        return QueueState.newBuilder()
                .setEnvelope(envelope(null))
                .setName(name)
                .setSpec(QueueSpec.newBuilder().setPool(pool).build())
                .build();
    }

    public static PoolState pool(String name, int number) {
        return PoolState.newBuilder()
                .setEnvelope(envelope(null))
                .setName(name)
                .setNumber(number)
                .setSpec(PoolSpec.newBuilder().setNumber(number).build())
                .build();
    }

    public static JobStatus status(String name, String uid, Phase phase) {
        return JobStatus.newBuilder()
                .setEnvelope(envelope(null))
                .setJob(new JobRef("ml", name, uid))
                .setPhase(phase)
                .setAttempt(1)
                .setQueue("default")
                .setPool("gpus")
                .setRoles(List.of())
                .setRestarts(new RestartCounts(0, 0))
                .setTimesBuilder(JobTimes.newBuilder().setSubmitted(NOON))
                .setSeq(1)
                .build();
    }

    public static Envelope envelope(@Nullable String requestId) {
        return Envelope.newBuilder()
                .setId("asked-" + requestId)
                .setAt(NOON)
                .setActor("alice")
                .setRequestId(requestId)
                .build();
    }
}
