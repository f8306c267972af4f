package dev.muster.coordinator.core.life;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Words;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A part of a job's life that may have a deadline. */
public enum DeadlinePeriod {
    QUEUE(Alarm.Kind.QUEUE_DEADLINE),
    START(Alarm.Kind.START_DEADLINE),
    RUN(Alarm.Kind.RUN_DEADLINE);

    private final Alarm.Kind alarm;

    DeadlinePeriod(Alarm.Kind alarm) {
        this.alarm = alarm;
    }

    public Alarm.Kind alarm() {
        return alarm;
    }

    /** When the part that it is in must be over; null: it is in another, or has all the time. */
    public @Nullable Instant end(Job job) {
        var limit = limit(job);
        var spent = this == RUN ? job.past().ran() : Duration.ZERO;
        var since = since(job);
        return since == null || limit.isZero() ? null : since.plus(limit).minus(spent);
    }

    private Duration limit(Job job) {
        var deadlines = job.spec().work().deadlines();
        return switch (this) {
            case QUEUE -> deadlines.queue();
            case START -> deadlines.start();
            case RUN -> deadlines.run();
        };
    }

    private @Nullable Instant since(Job job) {
        return switch (this) {
            case QUEUE ->
                    switch (job.state()) {
                        case JobState.Queued _ -> job.past().since();
                        case JobState.Lost(var again, _) when again.wasLost() -> job.past().since();
                        case JobState.Lost(_, var waits) -> waits.since();
                        case JobState.Absent _, JobState.Suspended _, JobState.Ended _ -> null;
                        case JobState.Starting _, JobState.Running _, JobState.Saving _ -> null;
                        case JobState.Restarting _, JobState.Stopping _ -> null;
                    };
            case START -> job.state() instanceof JobState.Starting ? job.times().admitted() : null;
            case RUN -> job.state() instanceof JobState.Running ? job.times().running() : null;
        };
    }

    /** One sentence for people. */
    public String passed(Job job) {
        var limit = Words.of(limit(job));
        return switch (this) {
            case QUEUE ->
                    "it waited for %s, its deadlines.queue, and was not started".formatted(limit);
            case START -> "its gang did not run within %s, its deadlines.start".formatted(limit);
            case RUN -> "it ran for %s, its deadlines.run".formatted(limit);
        };
    }
}
