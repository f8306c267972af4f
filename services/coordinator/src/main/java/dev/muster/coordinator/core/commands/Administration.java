package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.nodes.PoolStates;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.schemas.contract.Limits;
import org.jspecify.annotations.Nullable;

/** Queues and the pool's own settings, as operators put them. */
public final class Administration {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final GoingNodes going;
    private final SuspectNodes suspects;

    public Administration(Tables tables, Journal journal, Jobs jobs, GoingNodes going) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.going = going;
        this.suspects = new SuspectNodes(tables);
    }

    public void on(Event.QueuePut put) {
        var problem = problem(put.name(), put.spec());
        if (problem != null) {
            answer(put.request(), Outcome.REFUSED, problem);
            return;
        }
        var known = tables.queue(put.name());
        set(known == null ? Queue.of(put.name(), put.spec()) : known.with(put.spec()));
        answer(put.request(), Outcome.ACCEPTED, "");
    }

    private void set(Queue queue) {
        tables.put(queue);
        journal.publish(QueueStates.of(tables, queue));
        tables.startsAreDue();
    }

    public void on(Event.QueueChange change) {
        var known = tables.queue(change.name());
        if (known == null && !change.create()) {
            answer(change.request(), Outcome.NOT_FOUND, "no queue " + change.name());
            return;
        }
        var fields = new QueueFields(change.fields());
        var spec = known == null ? change.spec() : fields.of(change.spec(), known.spec());
        var unknown = fields.unknown();
        var problem =
                unknown == null ? problem(change.name(), spec) : "a queue has no field " + unknown;
        if (problem != null) {
            answer(change.request(), Outcome.REFUSED, problem);
            return;
        }
        if (known == null) {
            set(Queue.of(change.name(), spec));
        } else if (!spec.equals(known.spec())) {
            set(known.with(spec));
        }
        answer(change.request(), Outcome.ACCEPTED, "");
    }

    /** What is wrong, one sentence; null: nothing. */
    private @Nullable String problem(String name, QueueSpec spec) {
        if (spec.weight() < 1 || spec.weight() > Limits.QUEUE_WEIGHT) {
            return "weight must be 1 to %d, was %d".formatted(Limits.QUEUE_WEIGHT, spec.weight());
        }
        if (spec.doors().maxWaiting() < 0) {
            return "maxWaiting must not be negative, was " + spec.doors().maxWaiting();
        }
        if (spec.doors().maxRunning() < 0) {
            return "maxRunning must not be negative, was " + spec.doors().maxRunning();
        }
        if (spec.order().reserveAfter().isNegative()) {
            return "reserveAfter must not be negative";
        }
        var quota = spec.quota();
        for (var limit : quota.limit().entrySet()) {
            long guaranteed = quota.guaranteed().get(limit.getKey());
            if (limit.getValue() < guaranteed) {
                return "limit of %s is %d, below the guarantee of %d"
                        .formatted(limit.getKey(), limit.getValue(), guaranteed);
            }
        }
        var before = tables.ledger.account(name).quota();
        return AmountBounds.problem(quota, before, tables.ledger.guaranteed());
    }

    public void on(Event.QueueDelete delete) {
        var queue = tables.queue(delete.name());
        if (queue == null) {
            answer(delete.request(), Outcome.NOT_FOUND, "no queue " + delete.name());
            return;
        }
        int living = tables.counts(queue.name()).all();
        if (living > 0 && !delete.drain()) {
            answer(
                    delete.request(),
                    Outcome.REFUSED,
                    "queue %s has %d jobs".formatted(queue.name(), living));
            return;
        }
        boolean isPaused = queue.spec().doors().paused();
        var leaving = queue.leaves();
        tables.put(leaving);
        if (isPaused) {
            tables.startsAreDue();
        }
        journal.publish(QueueStates.of(tables, leaving));
        jobs.deleteIfEmpty(queue.name());
        answer(delete.request(), Outcome.ACCEPTED, living == 0 ? "" : once(living, isPaused));
    }

    private static String once(int living, boolean isPaused) {
        var end =
                living == 1
                        ? "it is deleted once its job has ended"
                        : "it is deleted once its %d jobs have ended".formatted(living);
        return isPaused
                ? end
                        + "; it is paused: those that wait end when it is resumed, or when they are"
                        + " cancelled"
                : end;
    }

    public void on(Event.PoolPut put) {
        setPool(put.name(), put.spec(), put.request());
    }

    public void on(Event.PoolChange change) {
        var fields = new PoolFields(change.fields());
        var unknown = fields.unknown();
        if (unknown != null) {
            answer(change.request(), Outcome.REFUSED, "a pool has no field " + unknown);
            return;
        }
        var settings = tables.settings();
        boolean isMade = settings.name() == null;
        var spec = isMade ? change.spec() : fields.of(change.spec(), settings.spec());
        if (change.name().equals(settings.name()) && spec.equals(settings.spec())) {
            answer(change.request(), Outcome.ACCEPTED, "");
        } else {
            setPool(change.name(), spec, change.request());
        }
    }

    private void setPool(String name, PoolSpec spec, @Nullable Request request) {
        var known = tables.settings().name();
        if (known != null && !known.equals(name)) {
            answer(
                    request,
                    Outcome.CONFLICT,
                    "this number is pool %s's and never another's".formatted(known));
            return;
        }
        var problem = problem(spec);
        if (problem != null) {
            answer(request, Outcome.REFUSED, problem);
            return;
        }
        if (tables.settings().spec().policy() != spec.policy()) {
            // What the one policy noted means nothing to the other.
            tables.queues().forEach(queue -> tables.put(queue.credited(0)));
        }
        var before = tables.settings().spec();
        tables.put(tables.settings().named(name, spec));
        boolean isOther =
                !before.notices().equals(spec.notices())
                        || !before.backing().equals(spec.backing());
        if (isOther) {
            going.reconsider();
        }
        suspects.reconsider(before.nodeHealth());
        journal.publish(PoolStates.of(tables, name));
        answer(request, Outcome.ACCEPTED, "");
        tables.startsAreDue();
    }

    /** What is wrong, one sentence; null: nothing. */
    private @Nullable String problem(PoolSpec spec) {
        var health = spec.nodeHealth();
        if (health.halfLife().isNegative()
                || health.halfLife().compareTo(Limits.NODE_HEALTH_HALF_LIFE) > 0
                || health.excludeAt() < 0
                || health.excludeAt() > Limits.NODE_HEALTH_EXCLUDE_AT) {
            return "nodeHealth must be within a half-life of 0 to %s and excludeAt of 0 to %d"
                    .formatted(
                            Words.of(Limits.NODE_HEALTH_HALF_LIFE), Limits.NODE_HEALTH_EXCLUDE_AT);
        }
        var backing = spec.backing();
        if (!backing.choosesNodes() && (backing.delegated() || backing.queue() != null)) {
            return "%s needs a backend that chooses the nodes, such as volcano"
                    .formatted(backing.delegated() ? "capacity delegated" : "backendQueue");
        }
        boolean isOtherBackend = tables.settings().spec().backing().backend() != backing.backend();
        int withPods = tables.jobsWithRanks().size();
        return isOtherBackend && withPods > 0
                ? "another backend cannot take over the pods of %d jobs: suspend them first"
                        .formatted(withPods)
                : null;
    }

    private void answer(@Nullable Request request, Outcome outcome, String message) {
        if (request != null) {
            journal.publish(new Effect.Answer(request, outcome, null, null, message));
        }
    }
}
