package dev.muster.coordinator.stream;

import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.CoreVersion;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.Envelope;
import dev.muster.v1.GangSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobCancel;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.NodeReleased;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.PlanApplied;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodRestart;
import dev.muster.v1.PodSeen;
import dev.muster.v1.PoolPut;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.SnapshotBegin;
import dev.muster.v1.SnapshotEnd;
import dev.muster.v1.TimePassed;
import dev.muster.v1.TrainJobSpec;
import dev.muster.v1.Witness;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Inbox records as admission, watcher and pod-manager write them. */
public final class InboxRecords {
    public static final String POOL = "default";
    public static final String QUEUE = "default";
    public static final String TEMPLATE = "{\"spec\":{\"containers\":[{\"name\":\"main\"}]}}";
    static final Witness WATCHER = new Witness(0, 1, 1L, null);

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private InboxRecords() {}

    public static JobRef job(String name, long offset) {
        return new JobRef("ml", name, "3-" + offset);
    }

    public static InboxEvent.Builder event(InboxKind kind) {
        return InboxEvent.newBuilder()
                .setEnvelope(envelope(kind.name()))
                .setKind(kind)
                .setPool(POOL);
    }

    public static Envelope envelope(String id) {
        return Envelope.newBuilder().setId(id).setAt(NOON).setActor("test").build();
    }

    static InboxEvent poolPut() {
        return poolPut(Map.of());
    }

    static InboxEvent poolPut(Map<String, String> nodeSelector) {
        var spec = PoolSpec.newBuilder().setNodeSelector(nodeSelector).build();
        return event(InboxKind.POOL_PUT).setPoolPut(new PoolPut(POOL, spec)).build();
    }

    static InboxEvent queuePut() {
        return event(InboxKind.QUEUE_PUT)
                .setQueuePut(new QueuePut(QUEUE, QueueSpec.newBuilder().build()))
                .build();
    }

    /** One role, {@code worker}, whose pods take one cpu each. */
    public static JobSubmitted workers(int replicas) {
        var role =
                RoleSpec.newBuilder()
                        .setName("worker")
                        .setReplicas(replicas)
                        .setTemplate(TEMPLATE)
                        .build();
        var needs =
                PodNeeds.newBuilder()
                        .setRole("worker")
                        .setDemand(Map.of("cpu", 1000L, "pods", 1L))
                        .setRestart(PodRestart.NEVER)
                        .setMainContainer("main")
                        .build();
        var spec =
                TrainJobSpec.newBuilder()
                        .setQueue(QUEUE)
                        .setLabels(Map.of("team", "a"))
                        .setGang(GangSpec.newBuilder().build())
                        .setRoles(List.of(role))
                        .build();
        return new JobSubmitted(spec, List.of(needs), "00", null);
    }

    /** The same, whose size may change within a range. */
    public static JobSubmitted elastic(int replicas, int min, int max) {
        var submitted = workers(replicas);
        var spec = submitted.getSpec();
        spec.setElastic(ElasticSpec.newBuilder().setMin(min).setMax(max).build());
        spec.getRoles().getFirst().setElastic(true);
        return submitted;
    }

    static InboxEvent submitted(JobRef job, JobSubmitted submitted) {
        return event(InboxKind.JOB_SUBMITTED)
                .setEnvelope(
                        Envelope.newBuilder(envelope("submit-" + job.getUid()))
                                .setRequestId("request-" + job.getUid())
                                .build())
                .setRequestKey(job.getNamespace() + "/" + job.getName())
                .setJob(job)
                .setJobSubmitted(submitted)
                .build();
    }

    static InboxEvent cancel(JobRef job) {
        return event(InboxKind.JOB_CANCEL)
                .setJob(job)
                .setJobCancel(JobCancel.newBuilder().setMessage("enough").build())
                .build();
    }

    static InboxEvent suspend(JobRef job) {
        var change = JobChange.newBuilder().setKind(JobChangeKind.SUSPEND).build();
        return event(InboxKind.JOB_CHANGE)
                .setJob(job)
                .setJobChange(JobChanged.newBuilder().setChange(change).build())
                .build();
    }

    static InboxEvent node(String name, long cpu) {
        return node(name, Map.of("cpu", cpu * 1000, "memory", 1L << 36, "pods", 110L));
    }

    static InboxEvent node(String name, Map<String, Long> allocatable) {
        return event(InboxKind.NODE_SEEN)
                .setWitness(WATCHER)
                .setNodeSeen(
                        NodeSeen.newBuilder()
                                .setName(name)
                                .setUid("uid-" + name)
                                .setResourceVersion(1)
                                .setLabels(Map.of())
                                .setReady(true)
                                .setAllocatable(allocatable)
                                .build())
                .build();
    }

    static InboxEvent snapshotBegin() {
        return event(InboxKind.SNAPSHOT_BEGIN)
                .setWitness(WATCHER)
                .setSnapshotBegin(new SnapshotBegin("first"))
                .build();
    }

    static InboxEvent snapshotEnd() {
        return event(InboxKind.SNAPSHOT_END)
                .setWitness(WATCHER)
                .setSnapshotEnd(new SnapshotEnd("first"))
                .build();
    }

    public static PodIdentity pod(JobRef job, int index) {
        var name = job.getName() + "-worker-" + index;
        return new PodIdentity("worker", index, 1, index + 1, 1L, name, "uid-" + name);
    }

    public static PodSeen.Builder seen(PodIdentity pod, PodPhase phase) {
        return PodSeen.newBuilder()
                .setIdentity(pod)
                .setResourceVersion(phase.ordinal())
                .setPhase(phase)
                .setNode("n1")
                .setReady(phase == PodPhase.RUNNING);
    }

    static InboxEvent podSeen(JobRef job, PodSeen seen) {
        return event(InboxKind.POD_SEEN).setWitness(WATCHER).setJob(job).setPodSeen(seen).build();
    }

    public static ContainerSeen ended(String name, int exitCode) {
        return ContainerSeen.newBuilder()
                .setName(name)
                .setState(ContainerState.TERMINATED)
                .setExitCode(exitCode)
                .setReason(exitCode == 0 ? "Completed" : "Error")
                .build();
    }

    static InboxEvent podGone(JobRef job, PodIdentity pod) {
        return event(InboxKind.POD_GONE)
                .setWitness(WATCHER)
                .setJob(job)
                .setPodGone(new PodGone(pod))
                .build();
    }

    static InboxEvent nodeReleased(String name) {
        return event(InboxKind.NODE_RELEASED)
                .setWitness(WATCHER)
                .setNodeReleased(new NodeReleased(name, false))
                .build();
    }

    static InboxEvent aliveWatcher() {
        return aliveWatcher(WATCHER);
    }

    static InboxEvent aliveWatcher(Witness watcher) {
        return event(InboxKind.WATCHER_ALIVE).setWitness(watcher).build();
    }

    static InboxEvent applied(JobRef job, long version) {
        return event(InboxKind.PLAN_APPLIED)
                .setJob(job)
                .setPlanApplied(new PlanApplied(version, 1, false, List.of()))
                .build();
    }

    /** The second witness of what is gone: nothing of the job is there. */
    static InboxEvent confirmed(JobRef job, long version) {
        return event(InboxKind.PLAN_APPLIED)
                .setJob(job)
                .setPlanApplied(new PlanApplied(version, 1, true, List.of()))
                .build();
    }

    static InboxEvent coreVersion(String version) {
        return event(InboxKind.CORE_VERSION).setCoreVersion(new CoreVersion(version)).build();
    }

    static InboxEvent timePassed(Instant until) {
        return event(InboxKind.TIME_PASSED).setTimePassed(new TimePassed(until)).build();
    }
}
