package dev.muster.coordinator.stream;

import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.Envelope;
import dev.muster.v1.GangSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.ListedPod;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.PlanApplied;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodManagerAlive;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The script of {@link Rehearsal}: a gang that succeeds, and one that waits for room. */
final class RehearsedInbox {
    static final Instant BEGIN = Instant.EPOCH;

    private static final String POOL = "rehearsal";
    private static final String QUEUE = "rehearsal";
    private static final String ROLE = "worker";
    private static final String NODE = "rehearsal-node";
    private static final String MAIN = "main";
    private static final Witness WATCHER = new Witness(0, 1, 1L, null);
    private static final JobRef RUNS = new JobRef("rehearsal", "runs", "0-0");
    private static final JobRef WAITS = new JobRef("rehearsal", "waits", "0-1");
    private static final int GANG = 2;

    private RehearsedInbox() {}

    static List<InboxEvent> events() {
        var events = new ArrayList<InboxEvent>();
        cluster(events);
        events.add(submitted(RUNS, GANG));
        events.add(submitted(WAITS, GANG + 1));
        var gang = IntStream.range(0, GANG).mapToObj(RehearsedInbox::pod).toList();
        events.add(applied(false, gang));
        gang.forEach(pod -> events.add(seen(pod, PodPhase.RUNNING, running())));
        gang.forEach(pod -> events.add(seen(pod, PodPhase.SUCCEEDED, succeeded())));
        gang.forEach(pod ->
                events.add(
                        of(InboxKind.POD_GONE).setJob(RUNS).setPodGone(new PodGone(pod)).build()));
        events.add(applied(true, List.of()));
        events.add(
                of(InboxKind.TIME_PASSED)
                        .setTimePassed(new TimePassed(BEGIN.plusSeconds(events.size())))
                        .build());
        return events;
    }

    private static void cluster(List<InboxEvent> events) {
        events.add(
                of(InboxKind.POOL_PUT)
                        .setPoolPut(new PoolPut(POOL, PoolSpec.newBuilder().build()))
                        .build());
        events.add(
                of(InboxKind.QUEUE_PUT)
                        .setQueuePut(new QueuePut(QUEUE, QueueSpec.newBuilder().build()))
                        .build());
        events.add(
                of(InboxKind.POD_MANAGER_ALIVE)
                        .setPodManagerAlive(
                                new PodManagerAlive("rehearsal", List.of(0), List.of(), false))
                        .build());
        events.add(
                of(InboxKind.SNAPSHOT_BEGIN)
                        .setSnapshotBegin(new SnapshotBegin("rehearsal"))
                        .build());
        events.add(of(InboxKind.NODE_SEEN).setNodeSeen(node()).build());
        events.add(of(InboxKind.SNAPSHOT_END).setSnapshotEnd(new SnapshotEnd("rehearsal")).build());
    }

    private static NodeSeen node() {
        return NodeSeen.newBuilder()
                .setName(NODE)
                .setUid(NODE)
                .setResourceVersion(1)
                .setLabels(Map.of("kubernetes.io/hostname", NODE))
                .setReady(true)
                .setAllocatable(Map.of("cpu", GANG * 1000L, "pods", 110L))
                .build();
    }

    private static InboxEvent submitted(JobRef job, int replicas) {
        var role =
                RoleSpec.newBuilder()
                        .setName(ROLE)
                        .setReplicas(replicas)
                        .setTemplate("{\"spec\":{\"containers\":[{\"name\":\"main\"}]}}")
                        .build();
        var needs =
                PodNeeds.newBuilder()
                        .setRole(ROLE)
                        .setDemand(Map.of("cpu", 1000L, "pods", 1L))
                        .setRestart(PodRestart.NEVER)
                        .setMainContainer(MAIN)
                        .build();
        var spec =
                TrainJobSpec.newBuilder()
                        .setQueue(QUEUE)
                        .setGang(GangSpec.newBuilder().build())
                        .setRoles(List.of(role))
                        .build();
        return of(InboxKind.JOB_SUBMITTED)
                .setRequestKey(job.getNamespace() + "/" + job.getName())
                .setJob(job)
                .setJobSubmitted(new JobSubmitted(spec, List.of(needs), "rehearsal", null))
                .build();
    }

    private static PodIdentity pod(int index) {
        var name = RUNS.getName() + "-" + ROLE + "-" + index;
        return new PodIdentity(ROLE, index, 1, index + 1, 1L, name, name);
    }

    private static InboxEvent applied(boolean confirm, List<PodIdentity> pods) {
        var listed = pods.stream().map(pod -> new ListedPod(pod, RUNS.getUid(), false)).toList();
        return of(InboxKind.PLAN_APPLIED)
                .setJob(RUNS)
                .setPlanApplied(new PlanApplied(confirm ? 2L : 1L, 1, confirm, listed))
                .build();
    }

    private static InboxEvent seen(PodIdentity pod, PodPhase phase, ContainerSeen container) {
        var seen =
                PodSeen.newBuilder()
                        .setIdentity(pod)
                        .setResourceVersion(phase.ordinal())
                        .setPhase(phase)
                        .setNode(NODE)
                        .setReady(phase == PodPhase.RUNNING)
                        .setContainers(List.of(container))
                        .build();
        return of(InboxKind.POD_SEEN).setJob(RUNS).setPodSeen(seen).build();
    }

    private static ContainerSeen running() {
        return ContainerSeen.newBuilder()
                .setName(MAIN)
                .setState(ContainerState.RUNNING)
                .setReady(true)
                .build();
    }

    private static ContainerSeen succeeded() {
        return ContainerSeen.newBuilder()
                .setName(MAIN)
                .setState(ContainerState.TERMINATED)
                .setExitCode(0)
                .setReason("Completed")
                .build();
    }

    private static InboxEvent.Builder of(InboxKind kind) {
        var envelope =
                Envelope.newBuilder()
                        .setId("rehearsal")
                        .setAt(BEGIN)
                        .setActor("coordinator")
                        .setRequestId("rehearsal")
                        .build();
        return InboxEvent.newBuilder()
                .setEnvelope(envelope)
                .setKind(kind)
                .setPool(POOL)
                .setWitness(WATCHER);
    }
}
