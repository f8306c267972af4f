package dev.muster.watcher.kafka;

import dev.muster.v1.ContainerSeen;
import dev.muster.v1.ContainerState;
import dev.muster.v1.Envelope;
import dev.muster.v1.GroupSeen;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobRef;
import dev.muster.v1.NamespaceQuotaGone;
import dev.muster.v1.NamespaceQuotaSeen;
import dev.muster.v1.NodeReleased;
import dev.muster.v1.NodeSeen;
import dev.muster.v1.OthersUse;
import dev.muster.v1.PodGone;
import dev.muster.v1.PodIdentity;
import dev.muster.v1.PodPhase;
import dev.muster.v1.PodSeen;
import dev.muster.v1.RestartRequestFailed;
import dev.muster.v1.SnapshotBegin;
import dev.muster.v1.SnapshotEnd;
import dev.muster.v1.Taint;
import dev.muster.v1.TaintEffect;
import dev.muster.v1.Witness;
import dev.muster.watcher.core.ContainerReport;
import dev.muster.watcher.core.Job;
import dev.muster.watcher.core.NodeReport;
import dev.muster.watcher.core.PodReport;
import dev.muster.watcher.core.Report;
import java.time.Instant;
import java.util.List;

/**
 * Says reports in the words of the contract.
 *
 * @param witness who saw it
 */
record InboxEvents(Witness witness) {
    /**
     * @param number counts what was said in this term, so that each record has an id of its own
     */
    InboxEvent of(String pool, Report report, long number, Instant at) {
        var id = "w%d-%d-%d".formatted(witness.getShard(), witness.getEpoch(), number);
        var envelope = Envelope.newBuilder().setId(id).setAt(at).setActor("watcher").build();
        var event =
                InboxEvent.newBuilder()
                        .setEnvelope(envelope)
                        .setKind(kindOf(report))
                        .setPool(pool)
                        .setWitness(witness)
                        .build();
        switch (report) {
            case Report.NodeSeen(var node) -> event.setNodeSeen(node(node));
            case Report.NodeReleased(var node, var moved) ->
                    event.setNodeReleased(new NodeReleased(node, moved));
            case Report.OthersUsed(var node, var used) ->
                    event.setOthersUse(new OthersUse(node, used));
            case Report.QuotaSeen(var namespace, var hard, var used) ->
                    event.setNamespaceQuotaSeen(new NamespaceQuotaSeen(namespace, hard, used));
            case Report.QuotaGone(var namespace) ->
                    event.setNamespaceQuotaGone(new NamespaceQuotaGone(namespace));
            case Report.PodSeen(var pod) -> {
                about(event, pod.identity());
                event.setPodSeen(pod(pod));
            }
            case Report.PodGone(var pod) -> {
                about(event, pod);
                event.setPodGone(new PodGone(identity(pod)));
            }
            case Report.GroupSeen(var group) -> {
                about(event, group.job(), group.attempt());
                event.setGroupSeen(
                        new GroupSeen(
                                group.name(),
                                group.attempt(),
                                group.resourceVersion(),
                                group.phase(),
                                group.unschedulable(),
                                group.reason(),
                                group.message()));
            }
            case Report.RestartFailed(var failed) -> {
                about(event, failed.pod());
                event.setRestartRequestFailed(
                        new RestartRequestFailed(
                                identity(failed.pod()),
                                failed.resourceVersion(),
                                failed.message()));
            }
            case Report.SnapshotBegin(var snapshot) ->
                    event.setSnapshotBegin(new SnapshotBegin(snapshot));
            case Report.SnapshotEnd(var snapshot) ->
                    event.setSnapshotEnd(new SnapshotEnd(snapshot));
            case Report.Alive() -> {}
        }
        return event;
    }

    private static InboxKind kindOf(Report report) {
        return switch (report) {
            case Report.NodeSeen _ -> InboxKind.NODE_SEEN;
            case Report.NodeReleased _ -> InboxKind.NODE_RELEASED;
            case Report.OthersUsed _ -> InboxKind.OTHERS_USE;
            case Report.QuotaSeen _ -> InboxKind.NAMESPACE_QUOTA_SEEN;
            case Report.QuotaGone _ -> InboxKind.NAMESPACE_QUOTA_GONE;
            case Report.PodSeen _ -> InboxKind.POD_SEEN;
            case Report.PodGone _ -> InboxKind.POD_GONE;
            case Report.GroupSeen _ -> InboxKind.GROUP_SEEN;
            case Report.RestartFailed _ -> InboxKind.RESTART_REQUEST_FAILED;
            case Report.SnapshotBegin _ -> InboxKind.SNAPSHOT_BEGIN;
            case Report.SnapshotEnd _ -> InboxKind.SNAPSHOT_END;
            case Report.Alive _ -> InboxKind.WATCHER_ALIVE;
        };
    }

    private static void about(InboxEvent event, dev.muster.watcher.core.PodIdentity identity) {
        about(event, identity.job(), identity.attempt());
    }

    private static void about(InboxEvent event, Job job, int attempt) {
        event.setJob(new JobRef(job.namespace(), job.name(), job.uid()));
        event.getEnvelope().setJobUid(job.uid());
        event.getEnvelope().setAttempt(attempt);
    }

    private static NodeSeen node(NodeReport node) {
        return NodeSeen.newBuilder()
                .setName(node.name())
                .setUid(node.uid())
                .setResourceVersion(node.resourceVersion())
                .setLabels(node.labels())
                .setTaints(node.taints().stream().map(InboxEvents::taint).toList())
                .setUnschedulable(node.unschedulable())
                .setReady(node.ready())
                .setAllocatable(node.allocatable())
                .setConditions(node.conditions())
                .setAnnotations(node.annotations())
                .setSilent(node.silent())
                .build();
    }

    private static Taint taint(NodeReport.Taint taint) {
        var effect =
                switch (taint.effect()) {
                    case NO_SCHEDULE -> TaintEffect.NO_SCHEDULE;
                    case PREFER_NO_SCHEDULE -> TaintEffect.PREFER_NO_SCHEDULE;
                    case NO_EXECUTE -> TaintEffect.NO_EXECUTE;
                };
        return new Taint(taint.key(), taint.value(), effect);
    }

    private static PodSeen pod(PodReport pod) {
        var status = pod.status();
        var phase =
                switch (status.phase()) {
                    case PENDING -> PodPhase.PENDING;
                    case RUNNING -> PodPhase.RUNNING;
                    case SUCCEEDED -> PodPhase.SUCCEEDED;
                    case FAILED -> PodPhase.FAILED;
                };
        return PodSeen.newBuilder()
                .setIdentity(identity(pod.identity()))
                .setResourceVersion(pod.resourceVersion())
                .setPhase(phase)
                .setReason(status.reason())
                .setMessage(status.message())
                .setNode(status.node())
                .setPodIp(status.podIp())
                .setReady(status.ready())
                .setDeleting(status.deleting())
                .setUnschedulable(status.unschedulable())
                .setContainers(containers(pod.containers()))
                .setInitContainers(containers(pod.initContainers()))
                .build();
    }

    private static PodIdentity identity(dev.muster.watcher.core.PodIdentity pod) {
        return PodIdentity.newBuilder()
                .setRole(pod.role())
                .setIndex(pod.index())
                .setAttempt(pod.attempt())
                .setIncarnation(pod.incarnation())
                .setPlan(pod.plan())
                .setPod(pod.pod())
                .setPodUid(pod.podUid())
                .build();
    }

    private static List<ContainerSeen> containers(List<ContainerReport> containers) {
        return containers.stream().map(InboxEvents::container).toList();
    }

    private static ContainerSeen container(ContainerReport container) {
        var state =
                switch (container.state()) {
                    case WAITING -> ContainerState.WAITING;
                    case RUNNING -> ContainerState.RUNNING;
                    case TERMINATED -> ContainerState.TERMINATED;
                };
        return ContainerSeen.newBuilder()
                .setName(container.name())
                .setState(state)
                .setReady(container.ready())
                .setRestartCount(container.restartCount())
                .setExitCode(container.exitCode())
                .setSignal(container.signal())
                .setReason(container.reason())
                .setMessage(container.message())
                .setLastExitCode(container.lastExitCode())
                .setLastReason(container.lastReason())
                .build();
    }
}
