package dev.muster.admission.core;

import static dev.muster.admission.core.Outcome.ACCEPTED;
import static dev.muster.admission.core.Outcome.CONFLICT;
import static dev.muster.admission.core.Outcome.DUPLICATE;
import static dev.muster.admission.core.Outcome.ENDED;
import static dev.muster.admission.core.Outcome.NOT_FOUND;
import static dev.muster.admission.core.Outcome.REFUSED;

import dev.muster.admission.core.Entry.Answered;
import dev.muster.admission.core.Request.Cancel;
import dev.muster.admission.core.Request.Change;
import dev.muster.admission.core.Request.Submit;
import dev.muster.admission.core.Verdict.Answer;
import dev.muster.admission.core.Verdict.Command;
import dev.muster.admission.core.Verdict.Forward;
import dev.muster.admission.core.Verdict.Underway;
import dev.muster.admission.core.Verdict.Wait;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a name: the rules by which a request is a new job, a repeat, or in the way of another.
 */
public final class Directory {
    private Directory() {}

    /**
     * Decides what becomes of one request.
     *
     * @param entry what the directory knows of the name; null: nothing
     * @param others what it knows of other names
     * @param now the wall clock of the one who decides, by which waiting and remembering end
     */
    public static Verdict decide(
            @Nullable Entry entry, Request request, Queues queues, OtherJobs others, Instant now) {
        return switch (request) {
            case Submit submit -> submitted(entry, submit, queues, others, now);
            case Cancel cancel -> {
                var command = new Command.Cancelled(cancel.gracePeriod(), cancel.message());
                yield addressed(
                        entry, cancel, cancel.uid(), now, uid -> commanded(entry, uid, command));
            }
            case Change change ->
                    addressed(
                            entry,
                            change,
                            change.uid(),
                            now,
                            uid -> changed(entry, uid, change.change(), queues));
        };
    }

    /** What becomes of a command to one submission; null: to the newest. */
    @FunctionalInterface
    private interface Commanding {
        Verdict of(@Nullable String uid);
    }

    /**
     * A command that says no uid means the newest submission when it comes first, and that same one
     * when it comes again: whoever was submitted meanwhile is not concerned.
     */
    private static Verdict addressed(
            @Nullable Entry entry,
            Request request,
            @Nullable String uid,
            Instant now,
            Commanding command) {
        var id = request.requestId();
        if (entry == null || uid != null || id == null) {
            return command.of(uid);
        }
        var before = entry.commanded(id, now);
        if (before != null) {
            return command.of(before);
        }
        return switch (command.of(null)) {
            case Forward(var pool, var number, var of, var what, var next) ->
                    new Forward(pool, number, of, what, next.commanding(id, of, now));
            case Answer(var outcome, var of, var phase, var problems, var message, _)
                    when outcome == ENDED && of != null ->
                    new Answer(
                            outcome, of, phase, problems, message, entry.commanding(id, of, now));
            case Answer answer -> answer;
            case Wait later -> later;
            case Underway underway -> underway;
        };
    }

    private static Verdict submitted(
            @Nullable Entry entry, Submit submit, Queues queues, OtherJobs others, Instant now) {
        var examined = submit.examined();
        if (entry != null) {
            var first = entry.answered(submit.requestId(), now);
            if (first != null) {
                return repeated(entry, first, submit.asked());
            }
        }
        var queue = queues.find(submit.queue());
        var place =
                queue == null
                        ? List.<Problem>of()
                        : QueueChecks.problems(examined, queue, queues, others);
        if (!examined.problems().isEmpty()) {
            return refused(
                    queue == null
                            ? withQueue(examined.problems(), submit)
                            : Problems.joined(examined.problems(), place));
        }
        var retried = submit.retryOf() == null ? null : retried(entry, submit.retryOf());
        if (retried != null) {
            return retried;
        }
        if (entry != null && entry.living()) {
            return taken(entry, submit, now);
        }
        if (queue == null) {
            return now.isBefore(submit.waitsUntil())
                    ? new Wait("queue " + submit.queue() + " is not there yet")
                    : refused(withQueue(List.of(), submit));
        }
        return place.isEmpty() ? forwarded(entry, submit, queue, now) : refused(place);
    }

    private static Verdict repeated(Entry entry, Answered first, String asked) {
        if (!first.digest().equals(asked)) {
            return new Answer(
                    CONFLICT,
                    first.uid(),
                    first.phase(),
                    List.of(),
                    "this requestId was used before, for a different request",
                    null);
        }
        if (entry.awaits(first)) {
            return new Underway(entry.pool());
        }
        return answer(
                first.outcome(),
                first.uid(),
                first.phase(),
                first.outcome() == REFUSED
                        ? "the pool refused this submission; its status says why"
                        : "answered before; this is the first answer again");
    }

    /** Why a submission cannot be repeated; null: it can. */
    private static @Nullable Answer retried(@Nullable Entry entry, String uid) {
        if (entry == null) {
            return answer(NOT_FOUND, null, null, "no job of this name is known");
        }
        if (!uid.equals(entry.uid())) {
            return Uids.isOlder(uid, entry.uid())
                    ? answer(
                            CONFLICT,
                            entry.uid(),
                            entry.heardPhase(),
                            "submission %s is followed by %s; only the newest can be tried again"
                                    .formatted(uid, entry.uid()))
                    : answer(NOT_FOUND, null, null, "no submission " + uid + " is known");
        }
        return entry.living()
                ? answer(
                        CONFLICT,
                        uid,
                        entry.heardPhase(),
                        "it has not ended; it is not tried again")
                : null;
    }

    private static Answer taken(Entry entry, Submit submit, Instant now) {
        var same = entry.digest().equals(submit.digest());
        var outcome = same ? DUPLICATE : CONFLICT;
        return new Answer(
                outcome,
                entry.uid(),
                entry.heardPhase(),
                List.of(),
                same
                        ? entry.unheard()
                                ? "this very job was submitted already, and its pool has not"
                                        + " answered yet"
                                : "this very job is there already"
                        : "another job of this name is there; it must end, or this one needs"
                                + " another name",
                submit.requestId() == null
                        ? null
                        : entry.with(
                                Entry.remember(
                                        entry.submits(),
                                        new Answered(
                                                submit.requestId(),
                                                now,
                                                submit.asked(),
                                                outcome,
                                                entry.uid(),
                                                entry.heardPhase()),
                                        now)));
    }

    private static Forward forwarded(
            @Nullable Entry entry, Submit submit, Queues.Queue queue, Instant now) {
        var earlier = entry == null ? List.<Answered>of() : entry.settled();
        var submits =
                submit.requestId() == null
                        ? earlier
                        : Entry.remember(
                                earlier,
                                new Answered(
                                        submit.requestId(),
                                        now,
                                        submit.asked(),
                                        ACCEPTED,
                                        submit.uid(),
                                        null),
                                now);
        var next =
                new Entry(
                        submit.uid(),
                        queue.pool(),
                        queue.number(),
                        submit.digest(),
                        Phase.QUEUED,
                        submits,
                        entry == null ? List.of() : entry.before(queue.pool()),
                        entry == null ? List.of() : entry.commands(),
                        true);
        return new Forward(
                queue.pool(),
                queue.number(),
                submit.uid(),
                new Command.Submitted(submit.examined()),
                next);
    }

    private static Verdict changed(
            @Nullable Entry entry, @Nullable String uid, JobChange change, Queues queues) {
        var problems = change.problems("change");
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        if (change.kind() == JobChange.Kind.CANCEL) {
            var cancelled = new Command.Cancelled(change.gracePeriod(), change.message());
            return commanded(entry, uid, cancelled);
        }
        if (change.kind() == JobChange.Kind.FORCE_DELETE) {
            return forced(entry, uid, change);
        }
        var verdict = commanded(entry, uid, new Command.Changed(change));
        var to = change.queue() == null ? null : queues.find(change.queue());
        if (verdict instanceof Forward forward && to != null) {
            var elsewhere = change.leaves(forward.pool(), to.pool(), "change");
            return elsewhere == null ? forward : refused(List.of(elsewhere));
        }
        return verdict;
    }

    /** What dead nodes hold outlives its job: the pool knows whether there is any. */
    private static Verdict forced(@Nullable Entry entry, @Nullable String uid, JobChange change) {
        var command = new Command.Changed(change);
        boolean isOld =
                entry != null
                        && (uid == null || uid.equals(entry.uid())
                                ? !entry.living()
                                : Uids.isOlder(uid, entry.uid()));
        if (entry == null || !isOld) {
            return commanded(entry, uid, command);
        }
        var old = uid == null ? entry.uid() : uid;
        var place = entry.placeOf(old);
        return new Forward(place.pool(), place.number(), old, command, entry);
    }

    private static Verdict commanded(
            @Nullable Entry entry, @Nullable String asked, Command command) {
        if (entry == null) {
            return answer(NOT_FOUND, null, null, "no job of this name is known");
        }
        if (asked != null && !asked.equals(entry.uid())) {
            // Of one name there is never a newer submission before the older one has ended.
            return Uids.isOlder(asked, entry.uid())
                    ? answer(ENDED, asked, null, "that submission ended before the newest one came")
                    : answer(NOT_FOUND, null, null, "no submission " + asked + " is known");
        }
        if (!entry.living()) {
            return answer(ENDED, entry.uid(), entry.phase(), "the job has ended already");
        }
        return new Forward(entry.pool(), entry.number(), entry.uid(), command, entry);
    }

    private static Answer answer(
            Outcome outcome, @Nullable String uid, @Nullable Phase phase, String message) {
        return new Answer(outcome, uid, phase, List.of(), message, null);
    }

    private static Answer refused(List<Problem> problems) {
        var message =
                problems.size() == 1
                        ? problems.getFirst().path() + " " + problems.getFirst().message()
                        : Problems.number(problems);
        return new Answer(REFUSED, null, null, problems, message.strip(), null);
    }

    private static List<Problem> withQueue(List<Problem> problems, Submit submit) {
        var name = submit.queue();
        return Names.isDnsLabel(name)
                ? Problems.joined(
                        problems,
                        List.of(
                                new Problem(
                                        "spec.queue",
                                        name,
                                        "must be a queue that exists; there is none of this name")))
                : problems;
    }
}
