package dev.muster.coordinator.core.commands;

import dev.muster.coordinator.core.jobs.Result;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.sights.Fencing;
import dev.muster.coordinator.core.state.Tables;

/** What is answered to somebody's word that nothing of a job runs any more where it is left. */
record Forcing(Tables tables, Fencing fencing) {
    Result of(Job job) {
        int forced = fencing.force(job).size();
        if (forced > 0) {
            return accepted(job, forced);
        }
        var earlier = fencing.earlier(job.id());
        var message =
                "it leaves nothing on a node that is not heard of"
                        + (earlier == null ? "" : "; uid " + earlier.uid() + " does");
        var phase = phase(job);
        return new Result(phase.isEnd() ? Outcome.ENDED : Outcome.REFUSED, phase, message);
    }

    /** By its own name: where nothing else is left, nodes that are not the pool's are meant. */
    Result alone(Job job) {
        var result = of(job);
        int elsewhere =
                result.outcome() == Outcome.ACCEPTED ? 0 : fencing.forceElsewhere(job).size();
        return elsewhere == 0 ? result : accepted(job, elsewhere);
    }

    private Result accepted(Job job, int pods) {
        return new Result(Outcome.ACCEPTED, phase(job), "%d pods are forced".formatted(pods));
    }

    private Phase phase(Job job) {
        return tables.current(job).state().phase();
    }
}
