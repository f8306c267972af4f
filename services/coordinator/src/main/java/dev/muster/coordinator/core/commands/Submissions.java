package dev.muster.coordinator.core.commands;

import static java.util.Objects.requireNonNull;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.jobs.Avoidance;
import dev.muster.coordinator.core.jobs.Followers;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Result;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Decision.Move;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Job.Answered;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.ResourceLimits;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.sights.Fencing;
import dev.muster.coordinator.core.state.Ends;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.LeavingQueues;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Commands about jobs: taken in or refused, and answered once. */
public final class Submissions {
    private static final String LOST =
            "pods of %s are left on nodes that were not heard of: until they are gone it can be"
                    + " given another priority, suspended or cancelled, and nothing else";

    /**
     * What a job waits for.
     *
     * @param failed one sentence for each job that can never come as far
     */
    private record Dependencies(List<Job.Awaited> awaits, List<String> failed) {}

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Turns turns;
    private final Forcing forcing;
    private final Avoidance avoidance;
    private final Refusals refusals;

    public Submissions(Tables tables, Journal journal, Jobs jobs, Turns turns, Fencing fencing) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.turns = turns;
        this.forcing = new Forcing(tables, fencing);
        this.avoidance = new Avoidance(tables, jobs);
        this.refusals = new Refusals(tables);
    }

    public void on(Event.Submitted event) {
        var id = event.job();
        var spec = ResourceLimits.within(event.spec());
        var newest = tables.newest(id.fullName());
        if (newest != null && !id.uid().isNewerThan(newest.id().uid())) {
            return;
        }
        var job = Job.submitted(id, spec, tables.clock());
        var refusal = refusals.of(job, newest);
        if (refusal != null) {
            jobs.on(job, refusal.event());
            refuse(event.request(), id, refusal);
            return;
        }
        if (newest != null) {
            jobs.on(newest, new JobEvent.KeepingOver());
        }
        var placed = job.with(spec.with(job.spec().place().at(priority(job))));
        var phase = spec.place().suspended() ? Phase.SUSPENDED : Phase.QUEUED;
        answer(event.request(), Outcome.ACCEPTED, id, phase, "");
        takeIn(placed);
    }

    private void takeIn(Job job) {
        var dependencies = dependencies(job);
        var awaits = dependencies.awaits();
        var failed = dependencies.failed();
        var waiting = job.with(job.past().awaiting(failed.isEmpty() ? awaits : List.of()));
        boolean behind = !awaits.isEmpty() || !failed.isEmpty();
        jobs.on(waiting, new JobEvent.Submitted(behind, job.spec().place().suspended()));
        var taken = tables.job(job.id());
        if (taken == null) {
            return;
        }
        if (!failed.isEmpty()) {
            jobs.on(taken, new JobEvent.DependencyFailed(failed.getFirst()));
        } else if (behind) {
            jobs.explain(taken, Followers.waitsFor(awaits, tables.now()));
        } else {
            turns.tryAlone(job.id());
        }
    }

    /** The jobs that it is to come after, as they are now. */
    private Dependencies dependencies(Job job) {
        var awaits = new ArrayList<Job.Awaited>();
        var failed = new ArrayList<String>();
        for (var after : job.spec().place().after()) {
            var other = job.id().namespace() + "/" + after.job();
            var phase = Ends.phase(tables, other); // Null is refused before.
            if (phase != null && !phase.isEnd()) {
                var awaited = requireNonNull(tables.newest(other));
                awaits.add(new Job.Awaited(awaited.id(), after.succeeded()));
            } else if (after.succeeded() && phase != Phase.SUCCEEDED) {
                failed.add("%s ended %s".formatted(other, phase));
            }
        }
        return new Dependencies(awaits, failed);
    }

    /** Its class's, its own, or its queue's. */
    private int priority(Job job) {
        var place = job.spec().place();
        var queue = tables.queue(place.queue());
        var ofClass =
                place.priorityClass() == null
                        ? null
                        : tables.settings()
                                .spec()
                                .priorities()
                                .classes()
                                .get(place.priorityClass());
        if (ofClass != null) {
            return ofClass;
        }
        return place.priority() != 0 || queue == null
                ? place.priority()
                : queue.spec().order().defaultPriority();
    }

    public void on(Event.ChangeAsked event) {
        var job = tables.job(event.job());
        var request = event.request();
        if (job == null) {
            var ended = Ends.of(tables, event.job());
            boolean isOver = ended != null || event.change() instanceof Change.ForceDelete;
            answer(
                    request,
                    isOver ? Outcome.ENDED : Outcome.NOT_FOUND,
                    event.job(),
                    ended,
                    isOver ? "nothing is left of it" : "no such job lives");
            return;
        }
        var before = firstAnswer(job, request);
        if (before != null) {
            answer(request, before.outcome(), job.id(), job.state().phase(), before.message());
            return;
        }
        var result =
                event.change() instanceof Change.ForceDelete
                        ? forcing.alone(job)
                        : change(job, event.change(), request);
        var changed = tables.job(job.id());
        if (request != null && changed != null) {
            tables.put(
                    changed.answered(
                            new Answered(request.id(), result.outcome(), result.message())));
        }
        answer(request, result.outcome(), job.id(), result.phase(), result.message());
    }

    /**
     * Makes one change of one job, or says why not. Repeating it changes nothing, but for scale
     * commands that say by how much.
     *
     * @param request its id is that of a command of scale; null: that has none
     */
    Result change(Job job, Change change, @Nullable Request request) {
        if (change instanceof Change.ForceDelete) {
            return forcing.of(job);
        }
        if (job.state().phase().isEnd()) {
            return new Result(Outcome.ENDED, job.state().phase(), "");
        }
        boolean isForItsStay = change instanceof Change.Suspend || change instanceof Change.Resume;
        if (isForItsStay && job.state().isBeingEnded()) {
            return new Result(Outcome.REFUSED, job.state().phase(), "it is being cancelled");
        }
        return switch (change) {
            case Change.Cancel(var grace, var message) ->
                    tell(job, new JobEvent.CancelAsked(grace, message));
            case Change.Suspend(var grace, var message) ->
                    tell(job, new JobEvent.SuspendAsked(grace, message));
            case Change.Resume _ -> resume(job, new JobEvent.ResumeAsked(isBehind(job)));
            case Change.Release _ -> resume(job, new JobEvent.ReleaseAsked(isBehind(job)));
            case Change.Hold(var message) ->
                    job.state().isWaiting()
                            ? tell(job, new JobEvent.HoldAsked(message))
                            : notWaiting(job);
            case Change.Prioritise(var priority) ->
                    job.state().isWaiting() || isToComeBack(job)
                            ? prioritise(job, priority)
                            : notWaiting(job);
            case Change.ForceDelete _ -> forcing.of(job);
            case Change.Scale scale ->
                    jobs.scalings().ask(job, scale, request == null ? "" : request.id());
            case Change.Withdraw(var command) -> jobs.scalings().undoing().withdraw(job, command);
            case Change.Include(var node) -> include(job, node);
            case Change.Move(var queue) ->
                    job.state().isWaiting() ? move(job, queue) : notWaiting(job);
        };
    }

    /** Its next pods may go there again; those that are there stay where they are. */
    private Result include(Job job, @Nullable String node) {
        var avoided = job.past().exclusions().nodes();
        var included = node == null ? avoided : new TreeSet<>(List.of(node));
        included.retainAll(avoided);
        avoidance.include(job, included);
        var what = node == null ? "any node" : node;
        return new Result(
                Outcome.ACCEPTED,
                job.state().phase(),
                included.isEmpty()
                        ? "%s does not avoid %s".formatted(job.id().fullName(), what)
                        : "%s may use %s again"
                                .formatted(job.id().fullName(), String.join(", ", included)));
    }

    private static boolean isBehind(Job job) {
        return !job.past().awaits().isEmpty();
    }

    /** Its pods are to go, or not heard of, and after that it waits or starts again. */
    private static boolean isToComeBack(Job job) {
        var state = job.state();
        return state instanceof JobState.Lost
                || state instanceof JobState.Restarting
                || state instanceof JobState.Saving
                || state instanceof JobState.Stopping && !state.isBeingEnded();
    }

    private static Result notWaiting(Job job) {
        var phase = job.state().phase();
        if (job.state() instanceof JobState.Lost) {
            // Quotas of its queue count what those nodes hold.
            return new Result(Outcome.REFUSED, phase, LOST.formatted(job.id().fullName()));
        }
        return new Result(
                Outcome.REFUSED,
                phase,
                "%s does not wait any more: it is %s"
                        .formatted(job.id().fullName(), Words.of(phase)));
    }

    private Result resume(Job job, JobEvent event) {
        var result = tell(job, event);
        var changed = tables.job(job.id());
        if (changed != null
                && changed.state() instanceof JobState.Queued queued
                && queued.gate() instanceof JobState.Gate.Behind) {
            jobs.explain(changed, Followers.waitsFor(changed.past().awaits(), tables.now()));
        }
        return result;
    }

    Result tell(Job job, JobEvent event) {
        var decision = jobs.on(job, event);
        var phase = decision instanceof Move(var next, _) ? next.phase() : job.state().phase();
        return new Result(Outcome.ACCEPTED, phase, "");
    }

    private Result move(Job job, String queue) {
        if (queue.equals(job.spec().queue())) {
            return new Result(Outcome.ACCEPTED, job.state().phase(), "");
        }
        var refusal = refusals.of(job, queue);
        if (refusal != null) {
            return new Result(Outcome.REFUSED, job.state().phase(), refusal.message());
        }
        if (job.id().equals(tables.holder())) {
            tables.endHold();
        }
        QueueStates.tell(tables, job.spec().queue());
        QueueStates.tell(tables, queue);
        var moved = unexplained(job).with(job.past().movingOn(tables.now()));
        return replace(moved, job.spec().place().in(queue));
    }

    /** What is held for it stays so: others may have been ended for that. */
    private Result prioritise(Job job, int priority) {
        return priority == job.spec().place().priority()
                ? new Result(Outcome.ACCEPTED, job.state().phase(), "")
                : replace(job, job.spec().place().at(priority));
    }

    /** What was told of it where it was; a gate's own word goes with it. */
    private static Job unexplained(Job job) {
        return job.state() instanceof JobState.Queued queued && queued.takesPart()
                ? job.to(new JobState.Queued(queued.takenBack(), queued.gate(), null), job.times())
                : job;
    }

    /** It waits elsewhere, with its age. */
    private Result replace(Job job, JobSpec.Place place) {
        var changed = job.with(job.spec().with(place));
        tables.put(changed);
        LeavingQueues.deleteIfEmpty(tables, journal, job.spec().queue());
        jobs.publishStatus(changed);
        tables.startsAreDue();
        return new Result(Outcome.ACCEPTED, job.state().phase(), "");
    }

    private static @Nullable Answered firstAnswer(Job job, @Nullable Request request) {
        return job.answered().stream()
                .filter(answer -> request != null && answer.requestId().equals(request.id()))
                .findFirst()
                .orElse(null);
    }

    private void answer(
            @Nullable Request request,
            Outcome outcome,
            JobId job,
            @Nullable Phase phase,
            String message) {
        if (request != null) {
            journal.publish(new Effect.Answer(request, outcome, job, phase, message, null));
        }
    }

    private void refuse(@Nullable Request request, JobId job, Refusals.Refusal refusal) {
        if (request != null) {
            journal.publish(
                    new Effect.Answer(
                            request,
                            Outcome.REFUSED,
                            job,
                            Phase.REFUSED,
                            refusal.message(),
                            refusal.fault()));
        }
    }
}
