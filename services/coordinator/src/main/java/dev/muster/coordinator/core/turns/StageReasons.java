package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;

/** Why stages of running jobs are not placed, told when it becomes another reason. */
final class StageReasons {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final NextStage next;

    StageReasons(Tables tables, Journal journal, Jobs jobs, NextStage next) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.next = next;
    }

    /**
     * @param most effects of the whole step
     * @return whether everything was told
     */
    boolean tellAll(int most) {
        for (var id : List.copyOf(tables.growing.staged())) {
            if (journal.effects() >= most) {
                return false;
            }
            var job = tables.job(id);
            boolean awaits =
                    job != null
                            && job.state() instanceof Running running
                            && running.clock() != null
                            && next.isAwaited(job);
            var why = job != null && awaits ? next.reason(job) : null;
            if (job != null && why != null) {
                jobs.explain(job, why);
            }
        }
        return true;
    }
}
