package dev.muster.coordinator.core;

import dev.muster.coordinator.core.JobState.Starting;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is done when the pool's time has come to an alarm. */
final class Deadlines {
    /** A deadline that cannot be judged now is looked at again after so long. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Pods pods;
    private final Failures failures;
    private final Restarts restarts;
    private final Avoidance avoidance;

    Deadlines(Tables tables, Journal journal, Jobs jobs, Pods pods, Failures failures) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.pods = pods;
        this.failures = failures;
        this.restarts = new Restarts(tables, journal, jobs);
        this.avoidance = new Avoidance(tables, jobs);
    }

    void fire(Alarm alarm) {
        tables.remove(alarm);
        switch (alarm.kind()) {
            case GANG_TIMEOUT -> gangTimeout(job(alarm));
            case BACKOFF -> backoffPassed(job(alarm));
            case TTL -> tell(alarm, new JobEvent.KeepingOver());
            case GATHER -> {
                var job = job(alarm);
                if (job != null) {
                    jobs.publishGathered(job);
                }
            }
            case REPAIR -> {
                var job = job(alarm);
                if (job != null) {
                    jobs.repair(job);
                }
            }
            case FORGET -> journal.publish(new Effect.Forget(JobId.parse(alarm.subject())));
            case SETTLE -> failures.settled(job(alarm));
            case NODE_SETTLE -> failures.settledLate(job(alarm));
            case REMAKE -> restarts.remake(job(alarm));
            case EXCLUSION -> {
                var job = job(alarm);
                if (job != null) {
                    avoidance.exclusionFaded(job);
                }
            }
            case QUEUE_DEADLINE -> passed(Stretch.QUEUE, job(alarm));
            case START_DEADLINE -> startPassed(job(alarm));
            case RUN_DEADLINE -> passed(Stretch.RUN, job(alarm));
            case NODE_LOST -> {
                int space = alarm.subject().lastIndexOf(' ');
                pods.nodeLost(
                        JobId.parse(alarm.subject().substring(0, space)),
                        alarm.subject().substring(space + 1));
            }
            case HINDERED -> ofRank(alarm, pods::hindered);
            case PLACE_AGAIN -> ofRank(alarm, pods::placeAgain);
            case QUEUE -> {
                var queue = tables.queue(alarm.subject());
                if (queue != null) {
                    journal.publish(QueueStates.of(tables, queue));
                }
            }
            case RESERVE -> tables.startsAreDue();
        }
    }

    private @Nullable Job job(Alarm alarm) {
        return tables.job(JobId.parse(alarm.subject()));
    }

    private void tell(Alarm alarm, JobEvent event) {
        var job = job(alarm);
        if (job != null) {
            jobs.on(job, event);
        }
    }

    /** It rests on not having seen the gang run, so it stands still while nobody looks. */
    private void gangTimeout(@Nullable Job job) {
        if (job == null || !(job.state() instanceof Starting starting)) {
            return;
        }
        var now = tables.now();
        var blind = Blindness.of(tables, job.id()).minus(starting.blindBefore());
        var deadline = starting.ordered().plus(job.spec().gang().timeout()).plus(blind);
        if (Blindness.now(tables, job.id()) || now.isBefore(deadline)) {
            var next = now.plus(AGAIN);
            tables.alarm(
                    Alarm.Kind.GANG_TIMEOUT,
                    job.id().toString(),
                    deadline.isAfter(next) ? deadline : next);
            return;
        }
        var hindered = hindered(job);
        if (hindered != null && !starting.ordered().plus(Pods.HINDERED).isAfter(now)) {
            // Another try would wait for the same image.
            pods.hindered(job.id(), hindered);
            return;
        }
        var running = tables.gang(job).tally().roles().stream().mapToInt(Tally.OfRole::running);
        jobs.on(
                job,
                new JobEvent.GangTimedOut(
                        "%d of %d pods ran within %s"
                                .formatted(
                                        running.sum(),
                                        job.spec().pods(),
                                        Words.of(job.spec().gang().timeout()))));
    }

    private @Nullable RankId hindered(Job job) {
        for (var rank : tables.gang(job).all()) {
            if (rank.sight().hindrance() != null) {
                return rank.id();
            }
        }
        return null;
    }

    private void backoffPassed(@Nullable Job job) {
        if (job != null && job.state() instanceof JobState.Restarting) {
            restarts.again(job);
        } else if (job != null) {
            jobs.on(job, new JobEvent.BackoffPassed());
        }
    }

    private void passed(Stretch stretch, @Nullable Job job) {
        if (job != null && stretch.end(job) != null) {
            var end = new End(Phase.FAILED, "DeadlineExceeded", stretch.passed(job));
            jobs.on(job, new JobEvent.DeadlinePassed(end));
        }
    }

    /** It rests on not having seen the gang run, as the gang's own time does. */
    private void startPassed(@Nullable Job job) {
        var end = job == null ? null : Stretch.START.end(job);
        if (job == null || end == null || !(job.state() instanceof Starting starting)) {
            return;
        }
        var now = tables.now();
        var blind = Blindness.of(tables, job.id()).minus(starting.blindBefore());
        var deadline = end.plus(blind);
        if (Blindness.now(tables, job.id()) || now.isBefore(deadline)) {
            var next = now.plus(AGAIN);
            tables.alarm(
                    Alarm.Kind.START_DEADLINE,
                    job.id().toString(),
                    deadline.isAfter(next) ? deadline : next);
        } else {
            passed(Stretch.START, job);
        }
    }

    private static void ofRank(Alarm alarm, BiConsumer<JobId, RankId> then) {
        var subject = alarm.subject();
        int slash = subject.lastIndexOf('/');
        var rank = subject.substring(slash + 1);
        int dash = rank.lastIndexOf('-');
        then.accept(
                JobId.parse(subject.substring(0, slash)),
                new RankId(rank.substring(0, dash), Integer.parseInt(rank.substring(dash + 1))));
    }
}
