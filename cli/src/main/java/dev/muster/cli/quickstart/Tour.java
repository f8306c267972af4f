package dev.muster.cli.quickstart;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.cli.kubernetes.PodLogs;
import dev.muster.cli.system.MusterSystem;
import dev.muster.cli.text.JobTable;
import dev.muster.cli.text.ProblemLines;
import dev.muster.cli.text.Words;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the examples on a system: they train, one that does not fit waits and says why, one behind
 * it runs.
 */
public final class Tour {
    private static final String RING = "ring";
    private static final String TORCH = "torch";
    private static final String TOO_BIG = "too-big";
    private static final String SMALL = "small";
    private static final String NAMESPACE = "default";
    private static final int LAST_LINES = 6;

    /** Far more than the jobs need on a slow machine. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final MusterSystem system;
    private final Path examples;
    private final boolean withTorch;
    private final Consumer<String> told;
    private final long began = System.nanoTime();
    private final Map<String, List<Phase>> phases = new LinkedHashMap<>();
    private final Map<String, JobStatus> newest = new TreeMap<>();

    /**
     * @param examples the folder of that name
     * @param withTorch whether the machine's python3 has torch
     * @param told hears what goes on, line by line
     */
    public Tour(MusterSystem system, Path examples, boolean withTorch, Consumer<String> told) {
        this.system = system;
        this.examples = examples;
        this.withTorch = withTorch;
        this.told = told;
    }

    /**
     * What was seen.
     *
     * @param phases of each job, in the order in which they came
     * @param logs the last lines that each job's first pod printed
     * @param tooBig where the job that does not fit stands
     */
    public record Report(
            Map<String, List<Phase>> phases, Map<String, List<String>> logs, JobStatus tooBig) {}

    /**
     * Runs the jobs to their end; the one that does not fit is left waiting.
     *
     * @throws CommandFailedException when a job does not get where it should
     */
    public Report run() {
        try (var requests = Requests.open(system.context(), "quickstart");
                var statuses = JobStatuses.open(system.context())) {
            submit(RING, requests);
            if (withTorch) {
                submit(TORCH, requests);
            }
            submit(TOO_BIG, requests);
            watch(statuses, () -> waitsForRoom(), "job too-big did not say what it waits for");
            submit(SMALL, requests);
            watch(statuses, this::othersAreOver, "the jobs did not end");
        }
        var tooBig = stillWaiting();
        PodsOf.none(system, NAMESPACE, TOO_BIG);
        told.accept("");
        told.accept(
                "too-big still waits, and no pod of it was ever made: "
                        + JobTable.reason(tooBig, true));
        return new Report(phases, logs(), tooBig);
    }

    private void submit(String name, Requests requests) {
        var file = examples.resolve(name + ".yaml");
        try {
            switch (TrainJobForm.read(Files.readString(file))) {
                case TrainJobForm.Read job -> {
                    phases.put(name, new ArrayList<>());
                    var _ = requests.submit(job);
                    say(name, "submitted");
                }
                case TrainJobForm.Refused(var problems, var _) ->
                        throw CommandFailedException.failed(
                                String.join("\n", ProblemLines.of(file + " is no job:", problems)),
                                null);
            }
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read " + file, e);
        }
    }

    private void watch(JobStatuses statuses, BooleanSupplier over, String otherwise) {
        var end = System.nanoTime() + LIMIT.toNanos();
        while (!over.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw CommandFailedException.failed(
                        otherwise
                                + " within "
                                + LIMIT.toMinutes()
                                + " minutes; see the services' logs in "
                                + system.sandbox().place().folder().resolve("logs"),
                        null);
            }
            statuses.news().forEach(this::take);
        }
    }

    private void take(JobStatus status) {
        var name = status.getJob().getName();
        @Nullable List<Phase> seen = phases.get(name);
        if (seen == null || !status.getJob().getNamespace().equals(NAMESPACE)) {
            return; // Another's.
        }
        @Nullable JobStatus before = newest.put(name, status);
        if (seen.isEmpty() || seen.getLast() != status.getPhase()) {
            seen.add(status.getPhase());
        }
        var line = line(status);
        if (before == null || !line(before).equals(line)) {
            say(name, line);
        }
    }

    private static String line(JobStatus status) {
        var reason = JobTable.reason(status, true);
        return Words.constant(status.getPhase()) + (reason.isEmpty() ? "" : "  " + reason);
    }

    private void say(String job, String what) {
        var tenths = Duration.ofNanos(System.nanoTime() - began).toMillis() / 100;
        told.accept("%5d.%d s   %-8s %s".formatted(tenths / 10, tenths % 10, job, what));
    }

    private boolean waitsForRoom() {
        return Optional.ofNullable(newest.get(TOO_BIG))
                .filter(status -> status.getPhase() == Phase.QUEUED)
                .filter(status -> status.getWaiting() != null)
                .isPresent();
    }

    private boolean othersAreOver() {
        return (withTorch ? List.of(RING, TORCH, SMALL) : List.of(RING, SMALL))
                .stream().allMatch(this::hasSucceeded);
    }

    private boolean hasSucceeded(String job) {
        @Nullable JobStatus status = newest.get(job);
        if (status == null || !JobStatuses.isEnd(status.getPhase())) {
            return false;
        }
        if (status.getPhase() != Phase.SUCCEEDED) {
            tellLogs(job);
            throw CommandFailedException.failed("job " + job + " ended as " + line(status), null);
        }
        return true;
    }

    private JobStatus stillWaiting() {
        @Nullable JobStatus status = newest.get(TOO_BIG);
        if (status == null || status.getPhase() != Phase.QUEUED) {
            throw CommandFailedException.failed(
                    "job too-big should wait, but is "
                            + (status == null ? "unknown" : Words.constant(status.getPhase())),
                    null);
        }
        return status;
    }

    private Map<String, List<String>> logs() {
        var logs = new LinkedHashMap<String, List<String>>();
        for (var job : phases.keySet()) {
            if (job.equals(TOO_BIG)) {
                continue;
            }
            var lines = logs(job);
            logs.put(job, lines);
            told.accept("");
            told.accept("The last lines of " + job + ":");
            lines.forEach(line -> told.accept("    " + line));
        }
        return logs;
    }

    /** A job that failed may have no pods any more. */
    private void tellLogs(String job) {
        try {
            logs(job).forEach(told);
        } catch (CommandFailedException e) {
            told.accept(e.getMessage());
        }
    }

    private List<String> logs(String job) {
        var lines = new ArrayList<String>();
        try (var logs = PodLogs.open(system.context().kubeconfig())) {
            logs.print(
                    new PodLogs.Wanted(NAMESPACE, job, null, null, LAST_LINES, false), lines::add);
        }
        return lines;
    }
}
