package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Decision.Move;
import dev.muster.coordinator.core.Event.Request;
import dev.muster.coordinator.core.Job.Answered;
import org.jspecify.annotations.Nullable;

/** Commands about jobs: taken in or refused, and answered once. */
final class Submissions {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Turns turns;

    Submissions(Tables tables, Journal journal, Jobs jobs, Turns turns) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.turns = turns;
    }

    void on(Event.Submitted event) {
        var id = event.job();
        var newest = tables.newest(id.fullName());
        if (newest != null && !id.uid().isNewerThan(newest.id().uid())) {
            return;
        }
        var job = Job.submitted(id, event.spec(), tables.clock());
        var refusal = refusal(event, newest);
        if (refusal != null) {
            jobs.on(job, refusal);
            answer(event.request(), Outcome.REFUSED, id, Phase.REFUSED, refusal.message());
            return;
        }
        if (newest != null) {
            jobs.on(newest, new JobEvent.KeepingOver());
        }
        answer(event.request(), Outcome.ACCEPTED, id, Phase.QUEUED, "");
        jobs.on(job, new JobEvent.Submitted());
        turns.tryAlone(id);
    }

    private JobEvent.@Nullable Refused refusal(Event.Submitted event, @Nullable Job newest) {
        var name = event.spec().queue();
        var queue = tables.queue(name);
        if (queue == null) {
            return new JobEvent.Refused("QueueNotFound", "queue %s is not there".formatted(name));
        }
        if (tables.counts(name).waiting() >= queue.spec().maxWaiting()) {
            return new JobEvent.Refused(
                    "QueueFull",
                    "queue %s has its %d waiting jobs".formatted(name, queue.spec().maxWaiting()));
        }
        if (newest != null && !newest.state().phase().isEnd()) {
            return new JobEvent.Refused("Conflict", "%s is there and lives".formatted(newest.id()));
        }
        return null;
    }

    void on(Event.CancelAsked event) {
        var job = tables.job(event.job());
        var request = event.request();
        if (job == null) {
            answer(request, Outcome.NOT_FOUND, event.job(), null, "no such job lives");
            return;
        }
        var before = firstAnswer(job, request);
        if (before != null) {
            answer(request, before.outcome(), job.id(), job.state().phase(), before.message());
            return;
        }
        boolean ended = job.state().phase().isEnd();
        var outcome = ended ? Outcome.ENDED : Outcome.ACCEPTED;
        if (request != null) {
            job = job.answered(new Answered(request.id(), outcome, ""));
            tables.put(job);
        }
        var decision = jobs.on(job, new JobEvent.CancelAsked(event.grace(), event.message()));
        var phase = decision instanceof Move(var next, _) ? next.phase() : job.state().phase();
        answer(request, outcome, job.id(), phase, "");
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
            journal.publish(new Effect.Answer(request, outcome, job, phase, message));
        }
    }
}
