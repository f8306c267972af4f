package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.job;
import static dev.muster.coordinator.stream.avro.Fields.required;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.schemas.EnvelopeIds;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.v1.Backend;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Inbox records as the core hears them. */
public final class Inbound {
    private final InboundPods pods;

    /**
     * @param submissions in which a role's main container stands
     */
    public Inbound(Submissions submissions) {
        pods = new InboundPods(submissions);
    }

    /**
     * What the core is told.
     *
     * @throws UnknownKindException for an event of a later version
     * @throws UnusableEventException for an event that does not say what its kind asks for
     */
    public Event event(InboxEvent in) {
        var tooLong = EnvelopeIds.tooLong(in.getEnvelope());
        if (tooLong != null) {
            throw new UnusableEventException(tooLong + " " + EnvelopeIds.RULE);
        }
        return switch (in.getKind()) {
            case UNKNOWN -> throw new UnknownKindException();
            case JOB_SUBMITTED ->
                    new Event.Submitted(
                            job(in.getJob()),
                            InboundJobs.spec(required(in.getJobSubmitted(), "jobSubmitted")),
                            request(in));
            case JOB_CANCEL -> cancel(in);
            case QUEUE_PUT -> queuePut(in);
            case QUEUE_CHANGE -> queueChange(in);
            case QUEUE_DELETE -> queueDelete(in);
            case POOL_PUT -> poolPut(in);
            case POOL_CHANGE -> poolChange(in);
            case NODE_SEEN ->
                    new Event.NodeSeen(
                            witness(in), InboundNodes.node(required(in.getNodeSeen(), "nodeSeen")));
            case NODE_RELEASED -> {
                var released = required(in.getNodeReleased(), "nodeReleased");
                yield new Event.NodeReleased(witness(in), released.getName(), released.getMoved());
            }
            case OTHERS_USE -> othersUse(in);
            case POD_SEEN -> podSeen(in);
            case POD_GONE ->
                    new Event.PodGone(
                            witness(in),
                            job(in.getJob()),
                            InboundPods.mark(required(in.getPodGone(), "podGone").getIdentity()));
            case SNAPSHOT_BEGIN ->
                    new Event.SnapshotBegin(
                            witness(in), required(in.getSnapshotBegin(), "snapshotBegin").getId());
            case SNAPSHOT_END ->
                    new Event.SnapshotEnd(
                            witness(in), required(in.getSnapshotEnd(), "snapshotEnd").getId());
            case WATCHER_ALIVE -> new Event.WatcherAlive(witness(in));
            case PLAN_APPLIED ->
                    InboundPods.applied(
                            job(in.getJob()), required(in.getPlanApplied(), "planApplied"));
            case PLAN_REFUSED -> planRefused(in);
            case POD_MANAGER_ALIVE -> podManagerAlive(in);
            case TIME_PASSED ->
                    new Event.TimePassed(required(in.getTimePassed(), "timePassed").getUntil());
            case CORE_VERSION ->
                    new Event.CoreVersion(
                            required(in.getCoreVersion(), "coreVersion").getVersion());
            case JOB_CHANGE -> change(in);
            case BULK_CHANGE -> bulk(in);
            case NAMESPACE_QUOTA_SEEN -> namespaceQuota(in);
            case NAMESPACE_QUOTA_GONE ->
                    new Event.NamespaceQuotaGone(
                            witness(in),
                            required(in.getNamespaceQuotaGone(), "namespaceQuotaGone")
                                    .getNamespace());
            case GROUP_SEEN -> groupSeen(in);
            case RESTART_REQUEST_FAILED -> restartFailed(in);
            case TRAINING_DIGEST -> InboundSignals.trained(in);
            case JOB_SIGNAL -> InboundSignals.signal(in);
        };
    }

    /** Where the answer goes; null: nobody waits for one. */
    private static @Nullable Request request(InboxEvent in) {
        var key = in.getRequestKey();
        var id = in.getEnvelope().getRequestId();
        return key == null || id == null ? null : new Request(key, id);
    }

    private static Witness witness(InboxEvent in) {
        var witness = required(in.getWitness(), "witness");
        var layout = witness.getLayout();
        return new Witness(
                witness.getShard(),
                witness.getShards(),
                witness.getEpoch(),
                layout == null ? witness.getEpoch() : layout);
    }

    private static Event cancel(InboxEvent in) {
        var cancel = required(in.getJobCancel(), "jobCancel");
        var grace = cancel.getGracePeriodMillis();
        return new Event.ChangeAsked(
                job(in.getJob()),
                new Change.Cancel(
                        grace == null ? null : Duration.ofMillis(grace), cancel.getMessage()),
                request(in));
    }

    private static Event change(InboxEvent in) {
        var change = required(in.getJobChange(), "jobChange").getChange();
        return new Event.ChangeAsked(job(in.getJob()), InboundQueues.change(change), request(in));
    }

    private static Event bulk(InboxEvent in) {
        var bulk = required(in.getBulkChange(), "bulkChange");
        return new Event.BulkAsked(
                InboundQueues.selector(bulk),
                InboundQueues.change(bulk.getChange()),
                request(in),
                in.getEnvelope().getActor());
    }

    private static Event queuePut(InboxEvent in) {
        var put = required(in.getQueuePut(), "queuePut");
        return new Event.QueuePut(put.getName(), InboundQueues.queue(put.getSpec()), request(in));
    }

    private static Event queueChange(InboxEvent in) {
        var change = required(in.getQueueChange(), "queueChange");
        return new Event.QueueChange(
                change.getName(),
                InboundQueues.queue(change.getSpec()),
                new TreeSet<>(change.getFields()),
                change.getCreate(),
                request(in));
    }

    private static Event poolChange(InboxEvent in) {
        var change = required(in.getPoolChange(), "poolChange");
        return new Event.PoolChange(
                change.getName(),
                InboundQueues.pool(change.getSpec()),
                new TreeSet<>(change.getFields()),
                request(in));
    }

    private static Event poolPut(InboxEvent in) {
        var put = required(in.getPoolPut(), "poolPut");
        return new Event.PoolPut(put.getName(), InboundQueues.pool(put.getSpec()), request(in));
    }

    private static Event namespaceQuota(InboxEvent in) {
        var quota = required(in.getNamespaceQuotaSeen(), "namespaceQuotaSeen");
        return new Event.NamespaceQuotaSeen(
                witness(in),
                quota.getNamespace(),
                Amounts.of(quota.getHard()),
                barred(quota.getHard()),
                Amounts.of(quota.getOthersUsed()));
    }

    private static SortedSet<String> barred(Map<String, Long> hard) {
        var barred = new TreeSet<>(hard.keySet());
        barred.removeIf(name -> hard.getOrDefault(name, 0L) != 0);
        return barred;
    }

    private static Event queueDelete(InboxEvent in) {
        var delete = required(in.getQueueDelete(), "queueDelete");
        return new Event.QueueDelete(delete.getName(), delete.getDrain(), request(in));
    }

    private static Event othersUse(InboxEvent in) {
        var use = required(in.getOthersUse(), "othersUse");
        return new Event.OthersUse(witness(in), use.getNode(), Amounts.of(use.getUsed()));
    }

    private Event podSeen(InboxEvent in) {
        var job = job(in.getJob());
        return new Event.PodSeen(
                witness(in), job, pods.pod(job, required(in.getPodSeen(), "podSeen")));
    }

    private static Event groupSeen(InboxEvent in) {
        var group = required(in.getGroupSeen(), "groupSeen");
        return new Event.GroupSeen(
                witness(in),
                job(in.getJob()),
                group.getAttempt(),
                group.getGroup(),
                group.getUnschedulable(),
                group.getReason(),
                group.getMessage());
    }

    private static Event restartFailed(InboxEvent in) {
        var failed = required(in.getRestartRequestFailed(), "restartRequestFailed");
        var mark = InboundPods.mark(failed.getIdentity());
        return new Event.RestartFailed(witness(in), job(in.getJob()), mark, failed.getMessage());
    }

    private static Event planRefused(InboxEvent in) {
        var refused = required(in.getPlanRefused(), "planRefused");
        var job = job(in.getJob());
        return refused.getVersion() == PlanHitch.NO_VERSION
                ? new Event.PlanHindered(
                        job, refused.getAttempt(), hitch(refused.getReason()), refused.getMessage())
                : new Event.PlanRefused(
                        job, refused.getVersion(), refused.getReason(), refused.getMessage());
    }

    /** A later pod-manager may know of more: its words say which. */
    private static Event.Hitch hitch(String reason) {
        return switch (reason) {
            case PlanHitch.RIGHT_MISSING -> Event.Hitch.RIGHT_MISSING;
            case PlanHitch.EARLIER_PODS -> Event.Hitch.EARLIER_PODS;
            case PlanHitch.STUCK_PODS -> Event.Hitch.STUCK_PODS;
            default -> Event.Hitch.NOT_TAKEN;
        };
    }

    private static Event podManagerAlive(InboxEvent in) {
        var alive = required(in.getPodManagerAlive(), "podManagerAlive");
        var backends =
                alive.getBackends().stream()
                        .filter(backend -> backend != Backend.UNKNOWN && backend != Backend.NONE)
                        .map(backend -> Fields.same(PoolSpec.Backend.class, backend))
                        .collect(Collectors.toSet());
        return new Event.PodManagerAlive(
                alive.getInstance(),
                new TreeSet<>(alive.getPartitions()),
                backends,
                alive.getRecreates());
    }
}
