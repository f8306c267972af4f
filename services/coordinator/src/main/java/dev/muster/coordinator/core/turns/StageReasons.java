package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        var ofHeads = new LinkedHashMap<JobId, Optional<WaitReason>>();
        for (var id : List.copyOf(tables.growing.staged.all())) {
            if (journal.effects() >= most) {
                return false;
            }
            var job = tables.job(id);
            var why = job != null && isNews(job, ofHeads) ? next.reason(job) : null;
            if (job != null && why != null) {
                jobs.explain(job, why);
            }
        }
        return true;
    }

    /**
     * It waits for something else than it was told.
     *
     * @param ofHeads what the oldest of those wait for that want the same, as far as it was found
     */
    private boolean isNews(Job job, Map<JobId, Optional<WaitReason>> ofHeads) {
        var head = tables.growing.staged.head(job);
        if (head == null
                || !(job.state() instanceof Running running)
                || running.clock() == null
                || !next.isAwaited(job)) {
            return false;
        }
        var why = ofHeads.computeIfAbsent(head, this::find);
        return why.isPresent() && why.get().isNewsAfter(running.waits());
    }

    private Optional<WaitReason> find(JobId id) {
        return Optional.ofNullable(tables.job(id)).map(next::reason);
    }
}
