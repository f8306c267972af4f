package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Command;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.nodes.PoolStates;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.LeavingQueues;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.schemas.contract.Answers;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import org.jspecify.annotations.Nullable;

/** Queues and the pool's own settings, as operators put them. */
public final class Administration {
    private final Tables tables;
    private final Journal journal;
    private final GoingNodes going;
    private final SuspectNodes suspects;
    private final SettingsAnswers answers;

    public Administration(Tables tables, Journal journal, GoingNodes going) {
        this.tables = tables;
        this.journal = journal;
        this.going = going;
        this.suspects = new SuspectNodes(tables);
        this.answers = new SettingsAnswers(tables, journal);
    }

    public void on(Event.QueuePut put) {
        if (answers.repeats(put)) {
            return;
        }
        var fault = fault(put.name(), put.spec());
        if (fault != null) {
            answers.refused(put, fault);
            return;
        }
        var known = tables.queue(put.name());
        var queue = with(known, put.name(), put.spec());
        set(queue);
        accepted(put, queue, queue.equals(known));
    }

    private static Queue with(@Nullable Queue known, String name, QueueSpec spec) {
        return known == null ? Queue.of(name, spec) : known.with(spec);
    }

    private void set(Queue queue) {
        tables.put(queue);
        journal.publish(QueueStates.of(tables, queue));
        tables.startsAreDue();
    }

    private void accepted(Command command, Queue queue, boolean isSame) {
        if (queue.leaving()) {
            var goes = "it is being deleted, and goes with its last job";
            answers.answer(command, Outcome.ACCEPTED, goes);
        } else {
            accepted(command, isSame);
        }
    }

    private void accepted(Command command, boolean isSame) {
        answers.answer(command, Outcome.ACCEPTED, isSame ? Answers.UNCHANGED : "");
    }

    public void on(Event.QueueChange change) {
        if (answers.repeats(change)) {
            return;
        }
        var known = tables.queue(change.name());
        boolean isAnew = known == null || known.leaving() && change.fields().isEmpty();
        boolean isToBeMade = change.create() && isAnew;
        if (known == null && !isToBeMade) {
            answers.answer(change, Outcome.NOT_FOUND, "no queue " + change.name());
            return;
        }
        var fields = new QueueFields(change.fields());
        var spec =
                known == null || isToBeMade
                        ? change.spec()
                        : fields.of(change.spec(), known.spec());
        var unknown = fields.unknown();
        var fault =
                unknown == null
                        ? fault(change.name(), spec)
                        : new Fault("spec." + unknown, "", "is no field of a queue");
        if (fault != null) {
            answers.refused(change, fault);
            return;
        }
        var queue =
                known != null && isToBeMade ? known.anew(spec) : with(known, change.name(), spec);
        boolean isSame = queue.equals(known);
        if (!isSame) {
            set(queue);
        }
        accepted(change, queue, isSame);
    }

    /** What is wrong; null: nothing. */
    private @Nullable Fault fault(String name, QueueSpec spec) {
        if (spec.weight() < 1 || spec.weight() > Limits.QUEUE_WEIGHT) {
            return fault("weight", spec.weight(), "must be 1 to %d".formatted(Limits.QUEUE_WEIGHT));
        }
        if (spec.doors().maxWaiting() < 0) {
            return fault("maxWaiting", spec.doors().maxWaiting(), "must not be negative");
        }
        if (spec.doors().maxRunning() < 0) {
            return fault("maxRunning", spec.doors().maxRunning(), "must not be negative");
        }
        if (spec.order().reserveAfter().isNegative()) {
            var given = Words.of(spec.order().reserveAfter());
            return new Fault("spec.reserveAfter", given, "must not be negative");
        }
        var quota = spec.quota();
        for (var limit : quota.limit().entrySet()) {
            var resource = limit.getKey();
            long guaranteed = quota.guaranteed().get(resource);
            if (limit.getValue() < guaranteed) {
                return new Fault(
                        Paths.field("spec.limit", resource),
                        Words.amount(resource, limit.getValue()),
                        "must be at least what is guaranteed: %s"
                                .formatted(Words.amount(resource, guaranteed)));
            }
        }
        var before = tables.ledger.account(name).quota();
        return AmountBounds.fault(quota, before, tables.ledger.guaranteed());
    }

    private static Fault fault(String field, int given, String rule) {
        return new Fault(
                "spec." + field, Integer.toString(given), "%s, was %d".formatted(rule, given));
    }

    public void on(Event.QueueDelete delete) {
        if (answers.repeats(delete)) {
            return;
        }
        var queue = tables.queue(delete.name());
        if (queue == null) {
            answers.answer(delete, Outcome.NOT_FOUND, "no queue " + delete.name());
            return;
        }
        int living = tables.counts(queue.name()).all();
        if (living > 0 && !delete.drain()) {
            answers.answer(
                    delete,
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
        LeavingQueues.deleteIfEmpty(tables, journal, queue.name());
        answers.answer(delete, Outcome.ACCEPTED, living == 0 ? "" : once(living, isPaused));
    }

    private static String once(int living, boolean isPaused) {
        var end =
                living == 1
                        ? "it is deleted once its job has ended"
                        : "it is deleted once its %d jobs have ended".formatted(living);
        return isPaused
                ? end
                        + "; it is paused: those that wait start once its paused is false, or end"
                        + " when they are cancelled; to resume it takes the deletion back, too"
                : end;
    }

    public void on(Event.PoolPut put) {
        if (!answers.repeats(put)) {
            setPool(put.name(), put.spec(), put);
        }
    }

    public void on(Event.PoolChange change) {
        if (answers.repeats(change)) {
            return;
        }
        var fields = new PoolFields(change.fields());
        var unknown = fields.unknown();
        if (unknown != null) {
            answers.refused(change, new Fault("spec." + unknown, "", "is no field of a pool"));
            return;
        }
        var settings = tables.settings();
        boolean isMade = settings.name() == null;
        var spec = isMade ? change.spec() : fields.of(change.spec(), settings.spec());
        if (change.name().equals(settings.name()) && spec.equals(settings.spec())) {
            accepted(change, true);
        } else {
            setPool(change.name(), spec, change);
        }
    }

    private void setPool(String name, PoolSpec spec, Command command) {
        var known = tables.settings().name();
        if (known != null && !known.equals(name)) {
            answers.answer(
                    command,
                    Outcome.CONFLICT,
                    "this number is pool %s's and never another's".formatted(known));
            return;
        }
        var fault = fault(spec);
        if (fault != null) {
            answers.refused(command, fault);
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
                        || !before.backing().equals(spec.backing())
                        || !before.spot().equals(spec.spot());
        if (isOther) {
            going.reconsider();
        }
        suspects.reconsider(before.nodeHealth());
        journal.publish(PoolStates.of(tables, name));
        accepted(command, name.equals(known) && spec.equals(before));
        tables.startsAreDue();
    }

    /** What is wrong; null: nothing. */
    private @Nullable Fault fault(PoolSpec spec) {
        var health = spec.nodeHealth();
        if (health.halfLife().isNegative()
                || health.halfLife().compareTo(Limits.NODE_HEALTH_HALF_LIFE) > 0
                || health.excludeAt() < 0
                || health.excludeAt() > Limits.NODE_HEALTH_EXCLUDE_AT) {
            var rule =
                    "must be within a half-life of 0 to %s and excludeAt of 0 to %d"
                            .formatted(
                                    Words.of(Limits.NODE_HEALTH_HALF_LIFE),
                                    Limits.NODE_HEALTH_EXCLUDE_AT);
            return new Fault("spec.nodeHealth", "", rule);
        }
        var backing = spec.backing();
        if (!backing.choosesNodes() && (backing.delegated() || backing.queue() != null)) {
            return new Fault(
                    backing.delegated() ? "spec.capacity" : "spec.backendQueue",
                    backing.delegated() ? "delegated" : String.valueOf(backing.queue()),
                    "needs a backend that chooses the nodes, such as volcano");
        }
        boolean isOtherBackend = tables.settings().spec().backing().backend() != backing.backend();
        long withPods =
                tables.jobsWithRanks().stream()
                        .map(tables::job)
                        .filter(job -> job != null && !(job.state() instanceof JobState.Ended))
                        .count();
        return isOtherBackend && withPods > 0
                ? new Fault(
                        "spec.backend",
                        "",
                        "must stay as it is while %d jobs have pods: suspend them first"
                                .formatted(withPods))
                : null;
    }
}
