package dev.muster.coordinator.history.explain;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.history.explain.Explanation.Basis;
import dev.muster.coordinator.history.explain.Explanation.Estimate;
import dev.muster.coordinator.history.explain.Explanation.Start;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.PoolCopy;
import dev.muster.coordinator.history.replay.PoolPast;
import dev.muster.coordinator.history.replay.Published.Source;
import dev.muster.coordinator.history.replay.RuleVersions;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Says why a job of a pool stands as it does, now or at any moment that the log reaches. */
public final class Explainer {
    /** By the starts of so long a pace is judged. */
    private static final Duration WINDOW = Duration.ofHours(1);

    private static final int MOST_NAMED = 8;

    private final Map<String, ?> kafka;
    private final PoolPast past;
    private final String coreVersion;

    /**
     * @param kafka settings of a client, those of the registry among them
     * @param coreVersion of the rules in this process
     */
    public Explainer(Map<String, ?> kafka, PoolPast past, String coreVersion) {
        this.kafka = kafka;
        this.past = past;
        this.coreVersion = coreVersion;
    }

    /**
     * Explains the submission of a name that was the newest at a moment.
     *
     * @param at null: now, which is the time of the pool where the log ends
     * @return empty: the pool knew none then
     * @throws PoolPast.NoBeginningException when there is no snapshot to begin with
     * @throws PoolPast.StoppedException when the pool cannot go on, and knew none before that
     */
    public Optional<Explanation> explain(String namespace, String name, @Nullable Instant at) {
        return seen(namespace, name, at).map(this::explain);
    }

    /** What is needed of a copy of the pool, which is large: the next one is made without it. */
    private record Seen(
            Standing standing, Instant now, @Nullable WaitReason ofQueue, Basis basis) {}

    private Optional<Seen> seen(String namespace, String name, @Nullable Instant at) {
        var arrived = at == null ? past.now() : past.at(at);
        var copy = arrived.copy();
        var basis =
                new Basis(
                        arrived.snapshot(),
                        arrived.records(),
                        arrived.took(),
                        new RuleVersions(copy.versions(), coreVersion),
                        arrived.stop());
        var found =
                copy.pool()
                        .newest(namespace, name)
                        .flatMap(copy.pool()::explain)
                        .map(standing ->
                                new Seen(
                                        standing,
                                        copy.pool().now(),
                                        ofQueue(copy, standing),
                                        basis));
        if (found.isEmpty() && arrived.stop() != null) {
            throw new PoolPast.StoppedException(past.pool(), arrived.stop());
        }
        return found;
    }

    private static @Nullable WaitReason ofQueue(PoolCopy copy, Standing standing) {
        var key = new Row.Key(Row.Table.QUEUE, standing.job().spec().queue());
        return copy.row(key) instanceof Queue queue ? queue.reason() : null;
    }

    private Explanation explain(Seen seen) {
        var standing = seen.standing();
        var job = standing.job();
        var now = seen.now();
        var versions = new LinkedHashSet<String>();
        try (var decisions = new Decisions(kafka, past.pool())) {
            var start = start(job, decisions, versions);
            return new Explanation(
                    job.id(),
                    past.pool(),
                    now,
                    recorded(job, decisions),
                    ofQueue(seen.ofQueue(), job.spec().queue(), decisions),
                    standing,
                    start,
                    estimate(standing, now, decisions),
                    with(versions, seen.basis()));
        }
    }

    /** Those of the start come first. */
    private static Basis with(SequencedSet<String> versions, Basis basis) {
        versions.addAll(basis.rules().decided());
        return new Basis(
                basis.snapshot(),
                basis.records(),
                basis.took(),
                new RuleVersions(List.copyOf(versions), basis.rules().here()),
                basis.stop());
    }

    /** The words that were published when its present reason, or its start, was decided. */
    private static @Nullable Decision recorded(Job job, Decisions decisions) {
        var moment =
                switch (job.state()) {
                    case JobState.Queued(_, _, var reason) when reason != null -> reason.since();
                    case JobState.Lost(_, var reason) -> reason.since();
                    case JobState.Starting(_, _, _, var reason, _) when reason != null ->
                            reason.since();
                    case JobState.Running running when running.waits() != null ->
                            running.waits().since();
                    case JobState.Queued _, JobState.Suspended _, JobState.Absent _ -> null;
                    case JobState.Starting _, JobState.Running _ -> job.times().admitted();
                    case JobState.Saving _, JobState.Stopping _ -> job.times().admitted();
                    case JobState.Restarting _, JobState.Ended _ -> job.times().admitted();
                };
        return moment == null
                ? null
                : decisions
                        .at(job.spec().queue(), moment, decision -> isOf(decision, job.id()))
                        .orElse(null);
    }

    private static boolean isOf(Decision decision, JobId job) {
        var ref = decision.getJob();
        return ref != null
                && ref.getNamespace().equals(job.namespace())
                && ref.getName().equals(job.name())
                && ref.getUid().equals(job.uid().toString());
    }

    private static @Nullable Decision ofQueue(
            @Nullable WaitReason reason, String queue, Decisions decisions) {
        return reason == null
                ? null
                : decisions
                        .at(
                                queue,
                                reason.since(),
                                decision -> decision.getKind() == DecisionKind.QUEUE_STATE)
                        .orElse(null);
    }

    /** It may have been started before, which says nothing of now. */
    private static boolean waitsAgain(JobState state) {
        return state instanceof JobState.Queued || state instanceof JobState.Suspended;
    }

    private @Nullable Start start(Job job, Decisions decisions, SequencedSet<String> versions) {
        var admitted = job.times().admitted();
        var decision =
                admitted == null || waitsAgain(job.state())
                        ? null
                        : decisions
                                .at(
                                        job.spec().queue(),
                                        admitted,
                                        d ->
                                                isOf(d, job.id())
                                                        && d.getKind() == DecisionKind.STARTED)
                                .orElse(null);
        var source = decision == null ? null : Source.of(decision.getEnvelope());
        if (decision == null || source == null || admitted == null) {
            return null;
        }
        try {
            var arrived = past.before(source.offset(), admitted);
            if (arrived.stop() != null) {
                return new Start(decision, "", "", null, null);
            }
            var copy = arrived.copy();
            var start = start(job.id(), decision, copy);
            versions.addAll(copy.versions());
            return start;
        } catch (PoolPast.NoBeginningException e) {
            return new Start(decision, "", "", null, null);
        }
    }

    private Start start(JobId job, Decision decision, PoolCopy copy) {
        var before = copy.pool().explain(job).orElse(null);
        var source = Source.of(decision.getEnvelope());
        var in = source == null ? null : past.record(source.offset());
        var alarms = DueAlarms.of(copy);
        var cause =
                in != null && copy.take(in) instanceof Heard.Taken taken
                        ? cause(taken.event(), job, alarms)
                        : "";
        var policy =
                copy.row(new Row.Key(Row.Table.SETTINGS, "")) instanceof Settings settings
                        ? settings.spec().policy().toString()
                        : "";
        return new Start(decision, cause, policy, before, copy.pool().explain(job).orElse(null));
    }

    /** What the record was that led to the start, in a few words. */
    static String cause(Event event, JobId job, DueAlarms alarms) {
        return switch (event) {
            case Event.Submitted(var submitted, _, _) ->
                    submitted.equals(job)
                            ? "it was submitted"
                            : "%s was submitted".formatted(submitted.fullName());
            case Event.ChangeAsked(var changed, var change, _) ->
                    "a change was asked for: %s of %s"
                            .formatted(change.getClass().getSimpleName(), changed.fullName());
            case Event.BulkAsked _ -> "a change of many jobs was asked for";
            case Event.QueuePut(var name, _, _) -> "queue %s was set".formatted(name);
            case Event.QueueChange(var name, _, var fields, _, _) ->
                    "%squeue %s was set".formatted(named(fields), name);
            case Event.QueueDelete(var name, _, _) -> "queue %s was deleted".formatted(name);
            case Event.PoolPut _ -> "the pool was set";
            case Event.PoolChange(_, _, var fields, _) ->
                    "%sthe pool was set".formatted(named(fields));
            case Event.NodeSeen(_, var node) -> "node %s was seen".formatted(node.name());
            case Event.NodeReleased(_, var node, _) -> "node %s left".formatted(node);
            case Event.OthersUse(_, var node, _) ->
                    "pods of others use less of node %s".formatted(node);
            case Event.NamespaceQuotaSeen(_, var namespace, _, _, _) ->
                    "the quota of namespace %s changed".formatted(namespace);
            case Event.NamespaceQuotaGone(_, var namespace) ->
                    "namespace %s has no quota any more".formatted(namespace);
            case Event.PodSeen(_, var other, var pod) ->
                    "pod %s of %s was seen %s"
                            .formatted(pod.mark().rank(), other.fullName(), pod.phase());
            case Event.PodGone(_, var other, var mark) ->
                    "pod %s of %s was gone".formatted(mark.rank(), other.fullName());
            case Event.GroupSeen seen -> "group %s was seen".formatted(seen.group());
            case Event.RestartFailed(_, var other, var mark, _) ->
                    "the request to start %s of %s again was given up"
                            .formatted(mark.rank(), other.fullName());
            case Event.SnapshotBegin _, Event.SnapshotEnd _, Event.WatcherAlive _ ->
                    "the watcher was heard of";
            case Event.PlanApplied applied ->
                    "the plan of %s was carried out".formatted(applied.job().fullName());
            case Event.PlanRefused refused ->
                    "the plan of %s was refused".formatted(refused.job().fullName());
            case Event.PlanHindered hindered ->
                    "the plan of %s was not carried out so far"
                            .formatted(hindered.job().fullName());
            case Event.Trained(var other, _) ->
                    "%s said how fast it trains".formatted(other.fullName());
            case Event.CheckpointAnswered answer ->
                    "%s answered what it was asked to save".formatted(answer.job().fullName());
            case Event.Drained drained ->
                    "%s of %s said that it had drained"
                            .formatted(drained.rank(), drained.job().fullName());
            case Event.PodManagerAlive _ -> "pod-manager was heard of";
            case Event.TimePassed(var until) -> alarms.cause(until, job);
            case Event.CoreVersion _ -> "another version of the core decides";
        };
    }

    /** Of what is only to be there nothing is named, and of what a file sets nearly all. */
    private static String named(SortedSet<String> fields) {
        return fields.isEmpty() || fields.size() > MOST_NAMED
                ? ""
                : String.join(", ", fields) + " of ";
    }

    private @Nullable Estimate estimate(Standing standing, Instant now, Decisions decisions) {
        var place = standing.place();
        boolean isOpen =
                standing.job().state() instanceof JobState.Queued(_, var gate, _)
                        && gate instanceof JobState.Gate.Open;
        if (place == null || !isOpen || !standing.isOnItsWay()) {
            return null;
        }
        var pace = new Pace();
        decisions.each(standing.job().spec().queue(), now.minus(WINDOW), now, pace::add);
        return pace.estimate(place.position(), now);
    }
}
