package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Scaling.Stage;
import java.util.Comparator;

/** What a command of scale that came to nothing has done goes back. */
final class Undoing {
    private final Tables tables;
    private final Jobs jobs;
    private final Scalings scalings;

    Undoing(Tables tables, Jobs jobs, Scalings scalings) {
        this.tables = tables;
        this.jobs = jobs;
        this.scalings = scalings;
    }

    /** What a command brought and what failed goes back, and is nobody's failure. */
    void ofFailed(Job job) {
        var scaling = Scalings.underWay(job);
        if (scaling == null || !scaling.brings()) {
            return;
        }
        var failed =
                tables.gang(job).casualties().all().stream()
                        .filter(rank -> rank.tenure().joined() == scaling.number())
                        .toList();
        if (failed.isEmpty()) {
            return;
        }
        var failure = failed.getFirst().sight().failure();
        var reason = failure == null ? "PodLost" : failure.reason();
        var message = failure == null ? "a pod was lost" : failure.message();
        if (scaling.atomic()) {
            whole(job, scaling, reason, message);
            return;
        }
        var back =
                failed.stream()
                        .map(Rank::id)
                        .limit(spare(job, scaling, least(job, scaling)))
                        .toList();
        if (back.isEmpty()) {
            return;
        }
        var noted = scaling.at(scaling.stage(), reason, message, scaling.since());
        int wish = job.spec().role(scaling.role()).replicas() - back.size();
        var fewer =
                scalings.wishing(job, scaling.role(), Math.max(scaling.from(), wish))
                        .with(job.past().scaling(noted));
        tables.put(fewer);
        jobs.departures().takeBack(fewer, back);
        scalings.look(job.id());
    }

    /** Others may have left since it began: its job keeps its minimum, whoever brought them. */
    private int least(Job job, Scaling scaling) {
        var elastic = job.spec().work().elastic();
        int least = tables.makeup(job).minimum(scaling.role());
        return elastic == null ? least : Math.max(least, elastic.min());
    }

    /** How many may go if so many are to stay. */
    private int spare(Job job, Scaling scaling, int stay) {
        return Math.max(0, tables.gang(job).members(scaling.role()).size() - stay);
    }

    /** The whole command fails: the size is what it was before it. */
    void whole(Job job, Scaling scaling, String reason, String message) {
        backTo(job, scaling, scaling.from());
        scalings.end(tables.current(job), scaling, Stage.FAILED, reason, message);
    }

    void backTo(Job job, Scaling scaling, int size) {
        var smaller = scalings.wishing(job, scaling.role(), size);
        tables.put(smaller);
        var leaving =
                Sizing.chosen(
                        job.spec(),
                        tables.gang(job),
                        scaling.role(),
                        size,
                        scaling.number(),
                        node -> isBad(job, node));
        jobs.departures().takeBack(smaller, leaving);
        tables.startsAreDue();
    }

    /** Those that it was to take and that still wait for a checkpoint stay. */
    void stay(Job job, Scaling scaling) {
        if (jobs.departures().stay(job, rank -> rank.awaitsFor(scaling.number()))) {
            tables.put(scalings.wishing(tables.current(job), scaling.role(), scaling.from()));
        }
    }

    /** Pods that the command still waits for go first. */
    void backToWhatRuns(Job job, Scaling scaling, int size) {
        var late =
                tables.gang(job).members(scaling.role()).stream()
                        .filter(rank -> rank.tenure().joined() == scaling.number())
                        .filter(rank -> !Scalings.isThere(job, rank))
                        .map(Rank::id)
                        .sorted(Comparator.reverseOrder())
                        .limit(spare(job, scaling, size))
                        .toList();
        var smaller = scalings.wishing(job, scaling.role(), size);
        tables.put(smaller);
        jobs.departures().takeBack(smaller, late);
        backTo(tables.current(smaller), scaling, size);
    }

    /** A node that is not to be relied on. */
    boolean isBad(Job job, String name) {
        var node = tables.capacity.node(name);
        return node == null
                || !node.takesPods()
                || node.trust() != Node.Trust.TRUSTED
                || job.past().exclusions().nodes().contains(name);
    }
}
