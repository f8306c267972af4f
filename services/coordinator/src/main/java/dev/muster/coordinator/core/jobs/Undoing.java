package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.UnjudgedFailures;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a command of scale that came to nothing, or has no more time, has done goes back. */
public final class Undoing {
    private final Tables tables;
    private final Jobs jobs;
    private final Scalings scalings;

    Undoing(Tables tables, Jobs jobs, Scalings scalings) {
        this.tables = tables;
        this.jobs = jobs;
        this.scalings = scalings;
    }

    /**
     * What a command brought and what failed goes back, and is nobody's failure; but the loss of a
     * critical one is the whole gang's, whoever brought it.
     */
    public void ofFailed(Job job) {
        var scaling = Scaling.underWay(job);
        if (scaling == null || !scaling.brings()) {
            return;
        }
        var failed =
                tables.gang(job).casualties().all().stream()
                        .filter(rank -> rank.tenure().isBroughtBy(scaling.number()))
                        .filter(rank -> !Verdict.mayBeIgnored(job, rank))
                        .toList();
        if (failed.isEmpty() || failed.stream().anyMatch(rank -> isGangsLoss(job, rank))) {
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

    /** Of one that never ran the gang has lost nothing. */
    private static boolean isGangsLoss(Job job, Rank failed) {
        return job.spec().isCritical(failed.id())
                && !UnjudgedFailures.failure(failed).isBy(Failure.Cause.CONFIG);
    }

    /** What a command brought would go with it before it is judged whether the gang restarts. */
    private boolean awaitsVerdict(Job job, Scaling scaling) {
        return job.state().isUp()
                && tables.gang(job).casualties().all().stream()
                        .filter(rank -> rank.tenure().isBroughtBy(scaling.number()))
                        .anyMatch(rank -> isGangsLoss(job, rank));
    }

    /** Others may have left since it began: its job keeps its minimum, whoever brought them. */
    private int least(Job job, Scaling scaling) {
        var elastic = job.spec().work().elastic();
        var makeup = tables.makeup(job);
        return elastic == null ? makeup.minimum(scaling.role()) : makeup.least(elastic);
    }

    /** How many may go if so many are to stay. */
    private int spare(Job job, Scaling scaling, int stay) {
        return Math.max(0, tables.gang(job).members(scaling.role()).size() - stay);
    }

    /** Its time is over. */
    public void late(Job job) {
        var scaling = Scaling.underWay(job);
        if (scaling == null || scaling.deadline() == null) {
            return;
        }
        if (Blindness.now(tables, job.id()) || awaitsVerdict(job, scaling)) {
            tables.wakings.at(Alarm.Kind.SCALE_DEADLINE, job.id(), tables.now().plus(Alarm.SOON));
            return;
        }
        if (scalings.isComplete(job, scaling)) {
            scalings.end(job, scaling, Stage.SUCCEEDED, "", scaling.message());
            return;
        }
        if (scaling.hook() != null && !scaling.hook().done()) {
            ofHook(job, scaling, "Timeout", scaling.hook().lateness());
            return;
        }
        if (!scaling.isGrowth()) {
            lateShrink(job, scaling);
            return;
        }
        int there = job.state().isUp() ? scalings.there(job, scaling.role()) : 0;
        var came = Scalings.isOfLauncher(job) ? "were ready" : "ran";
        var message = "%d of %d %s in time".formatted(there, scaling.to(), came);
        if (scaling.atomic()) {
            whole(job, scaling, "Timeout", message);
            return;
        }
        int kept = backToWhatCame(job, scaling);
        var words =
                kept == there
                        ? ", which are kept"
                        : "; %s is to have %d".formatted(scaling.role(), kept);
        scalings.end(tables.current(job), scaling, Stage.FAILED, "Timeout", message + words);
    }

    /** Some have not left in time. */
    private void lateShrink(Job job, Scaling scaling) {
        var left =
                tables.gang(job).leaving(scaling.role()).stream()
                        .filter(rank -> rank.tenure().isTakenBy(scaling.number()))
                        .map(Rank::id)
                        .toList();
        if (scaling.atomic()) {
            unshrink(job, scaling);
        } else {
            stay(job, scaling);
        }
        var words = scaling.atomic() ? "%s were still there" : "%s are still there, and leave";
        scalings.end(tables.current(job), scaling, Stage.FAILED, "Timeout", words.formatted(left));
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
    }

    /** The whole command fails: the size is what it was before it. */
    void whole(Job job, Scaling scaling, String reason, String message) {
        backTo(job, scaling, scaling.from());
        scalings.end(tables.current(job), scaling, Stage.FAILED, reason, message);
    }

    /** Its hook did not end well: by the command's terms, what that did is undone. */
    void ofHook(Job job, Scaling scaling, String reason, String message) {
        if (!scaling.atomic()) {
            scalings.end(job, scaling, Stage.FAILED, reason, message + "; its size stays");
            return;
        }
        if (scaling.isGrowth()) {
            whole(job, scaling, reason, message);
            return;
        }
        jobs.departures().stay(job, Rank::isUntold);
        var larger = scalings.wishing(tables.current(job), scaling.role(), scaling.from());
        tables.put(larger);
        tables.startsAreDue();
        var words = message + "; who was to leave stays";
        scalings.end(larger, scaling, Stage.FAILED, reason, words);
    }

    /**
     * Whoever asked for the command under way, or somebody else, has taken it back.
     *
     * @param meant its id; null: whatever it is
     */
    public Result withdraw(Job job, @Nullable String meant) {
        var phase = job.state().phase();
        var scaling = Scaling.underWay(job);
        if (scaling == null || meant != null && !scaling.id().equals(meant)) {
            return new Result(Outcome.REFUSED, phase, notUnderWay(job, meant));
        }
        if (!scaling.isGrowth()) {
            unshrink(job, scaling);
        } else {
            ungrow(job, scaling);
        }
        var now = tables.current(job);
        int wished = now.spec().role(scaling.role()).replicas();
        var message = "it was withdrawn; %s is to have %d".formatted(scaling.role(), wished);
        scalings.end(now, scaling, Stage.CANCELLED, "Withdrawn", message);
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
        var command = scaling.id().isEmpty() ? "the command" : "command " + scaling.id();
        var words = "%s is withdrawn; %s is to have %d";
        return new Result(
                Outcome.ACCEPTED, phase, words.formatted(command, scaling.role(), wished));
    }

    private static String notUnderWay(Job job, @Nullable String meant) {
        var last = job.past().scaling();
        if (meant == null || last == null) {
            return "no command of scale is under way";
        }
        if (last.id().equals(meant)) {
            return "command %s is %s"
                    .formatted(meant, last.stage().name().toLowerCase(Locale.ROOT));
        }
        var other = last.isOver() ? "none" : last.id().isEmpty() ? "another one" : last.id();
        return "command %s is not under way, %s is".formatted(meant, other);
    }

    /** What it brought goes again: all of it, or with best effort what does not run. */
    void ungrow(Job job, Scaling scaling) {
        if (scaling.atomic()) {
            backTo(job, scaling, scaling.from());
        } else {
            backToWhatCame(job, scaling);
        }
    }

    /**
     * Who was to leave and has not left stays. Atomic, others come for those that have; else the
     * size is what that leaves.
     */
    void unshrink(Job job, Scaling scaling) {
        long command = scaling.number();
        jobs.departures().stay(job, rank -> rank.tenure().isTakenBy(command) && mayStay(job, rank));
        int members = tables.gang(job).count(scaling.role());
        int size =
                scaling.atomic()
                        ? scaling.from()
                        : Math.clamp(members, scaling.to(), scaling.from());
        tables.put(scalings.wishing(tables.current(job), scaling.role(), size));
        tables.startsAreDue();
    }

    /** An agent that was told to go takes no more work: it goes. */
    private static boolean mayStay(Job job, Rank rank) {
        return !job.spec().work().hostList() || rank.isUntold() || job.defers(rank);
    }

    void backTo(Job job, Scaling scaling, int size) {
        var smaller = scalings.wishing(job, scaling.role(), size);
        tables.put(smaller);
        var leaving =
                Sizing.chosen(
                        job,
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
        Predicate<Rank> waits =
                rank ->
                        rank.tenure().isTakenBy(scaling.number())
                                && rank.tenure().awaitsCheckpoint();
        if (jobs.departures().stay(job, waits)) {
            tables.put(scalings.wishing(tables.current(job), scaling.role(), scaling.from()));
            tables.startsAreDue(); // Others may have left meanwhile.
        }
    }

    /**
     * Of what it brought that goes which is not there; what was there before is none of that,
     * whether it runs now or is made again.
     *
     * @return the size
     */
    private int backToWhatCame(Job job, Scaling scaling) {
        var brought =
                tables.gang(job).members(scaling.role()).stream()
                        .filter(rank -> rank.tenure().isBroughtBy(scaling.number()))
                        .toList();
        var late =
                brought.stream()
                        .filter(rank -> !job.state().isUp() || !Scalings.isThere(job, rank))
                        .map(Rank::id)
                        .sorted(Comparator.reverseOrder())
                        .toList();
        int size = scaling.from() + brought.size() - late.size();
        int spare = spare(job, scaling, size);
        var smaller = scalings.wishing(job, scaling.role(), size);
        tables.put(smaller);
        jobs.departures().takeBack(smaller, late.stream().limit(spare).toList());
        backTo(tables.current(smaller), scaling, size);
        return size;
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
