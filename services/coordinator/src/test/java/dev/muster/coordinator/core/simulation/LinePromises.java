package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Row;
import java.util.Collection;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is kept to jobs that wait for their turn, or for others. */
final class LinePromises {
    private final TreeMap<String, Row> jobs;

    private LinePromises(TreeMap<String, Row> jobs) {
        this.jobs = jobs;
    }

    /** When nothing is left that was too much for one step. */
    static void areKept(Play play) {
        var promises = new LinePromises(play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()));
        promises.ticketsAreNobodyElses();
        promises.nobodyWaitsForWhoHasEnded();
        for (var state : play.queueStates()) {
            promises.lineIsAsLongAndOldAsItsJobs(state);
        }
    }

    private void lineIsAsLongAndOldAsItsJobs(Effect.QueueState state) {
        var since =
                jobs().stream()
                        .filter(job -> job.spec().queue().equals(state.queue().name()))
                        .filter(job -> job.state().takesPart())
                        .map(job -> job.past().inLine())
                        .sorted()
                        .toList();
        var oldest = since.isEmpty() ? null : since.getFirst();
        if (state.inLine() != since.size() || !Objects.equals(state.oldestInLine(), oldest)) {
            throw new AssertionError("in line since %s: %s".formatted(since, state));
        }
    }

    private Collection<Job> jobs() {
        return jobs.values().stream().map(Job.class::cast).toList();
    }

    private void ticketsAreNobodyElses() {
        var tickets = new TreeSet<Long>();
        for (var job : jobs()) {
            if (!tickets.add(job.ticket())) {
                throw new AssertionError("has another's ticket: " + job);
            }
        }
    }

    private void nobodyWaitsForWhoHasEnded() {
        for (var job : jobs()) {
            for (var awaited : job.past().awaits()) {
                if (!lives(jobs.get(awaited.job().toString())) && lives(job)) {
                    throw new AssertionError("%s waits for ever for %s".formatted(job, awaited));
                }
            }
        }
    }

    private static boolean lives(Row row) {
        return row instanceof Job job && !job.state().phase().isEnd();
    }
}
