package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.Past;
import dev.muster.coordinator.core.model.Then;
import java.time.Instant;

/**
 * Since when a job waits, and from when on waiting adds to its priority: where it stood aside, from
 * when it was let in.
 */
public final class WaitingTimes {
    private WaitingTimes() {}

    /**
     * @param job as it was until now
     * @param past of it, with what else has changed
     */
    static Past of(Job job, Past past, JobState next, Instant now) {
        var before = job.state();
        var known = waiting(past, before, next, now);
        if (!(next instanceof Queued queued)) {
            return known;
        }
        if (standsAside(before) && !standsAside(next)) {
            return known.lettingIn(now);
        }
        return backsOff(before) && queued.takesPart() ? known.comingBack(now) : known;
    }

    /** As it would be in line: one that stands aside as if it were let in now. */
    public static Job inLine(Job job, Instant now) {
        return standsAside(job.state()) ? job.with(job.past().lettingIn(now)) : job;
    }

    /** Who left and was lost meanwhile has waited since then: it goes on with that. */
    private static Past waiting(Past past, JobState before, JobState next, Instant now) {
        if (before instanceof JobState.Lost(var again, var waits)
                && next instanceof JobState.Leaving) {
            return again.wasLost() ? past : past.waitingSince(waits.since());
        }
        if (before instanceof JobState.Stopping(Then.Suspend _, _, _, var wasLost)
                && wasLost
                && next instanceof JobState.Stopping(Then.Resume _, _, _, _)) {
            return past.waitingSince(now); // While it was suspended it did not wait.
        }
        if (!(next instanceof Queued) || before instanceof Queued) {
            return past;
        }
        boolean goesOn = before instanceof JobState.Leaving leaving && leaving.wasLost();
        return past.waitingAgain(goesOn ? past.since() : now);
    }

    /** Nothing is kept for him meanwhile, nor before he has waited for long again. */
    private static boolean backsOff(JobState state) {
        return state instanceof Queued queued && queued.gate() instanceof JobState.Gate.Later;
    }

    /** Who backs off does not: his place in line is kept. */
    private static boolean standsAside(JobState state) {
        return state instanceof JobState.Suspended
                || state instanceof JobState.Stopping(Then.Resume _, _, _, _)
                || state instanceof Queued queued
                        && (queued.gate() instanceof JobState.Gate.Held
                                || queued.gate() instanceof JobState.Gate.Behind);
    }
}
