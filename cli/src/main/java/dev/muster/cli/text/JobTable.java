package dev.muster.cli.text;

import dev.muster.v1.Envelope;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.RestartBudget;
import dev.muster.v1.RoleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Jobs as lines of a table. */
public final class JobTable {
    private static final Envelope NONE =
            Envelope.newBuilder().setId("").setAt(Instant.EPOCH).setActor("").build();

    private final boolean namespaces;
    private final boolean wide;
    private final Table table;

    /**
     * @param namespaces whether the jobs are of several
     * @param first the jobs that the widths are taken from
     */
    public JobTable(boolean namespaces, boolean wide, List<JobStatus> first, Instant now) {
        this.namespaces = namespaces;
        this.wide = wide;
        this.table = new Table(headings(), List.of());
        // One at a time: there may be hundreds of thousands.
        first.forEach(status -> table.widen(cells(status, now)));
    }

    /** As much of a job as a table shows: it is kept in memory for each of all names. */
    public static JobStatus shown(JobStatus status, boolean wide) {
        var waiting = status.getWaiting();
        var message = status.getMessage();
        return JobStatus.newBuilder()
                .setEnvelope(NONE)
                .setJob(status.getJob())
                .setPhase(status.getPhase())
                .setReason(reason(status, false))
                .setMessage(
                        !wide
                                ? ""
                                : message.isEmpty() && waiting != null
                                        ? waiting.getMessage()
                                        : message)
                .setAttempt(status.getAttempt())
                .setQueue(status.getQueue().intern())
                .setPool(status.getPool().intern())
                .setRoles(
                        List.of(
                                RoleStatus.newBuilder()
                                        .setName("")
                                        .setDesired(sum(status, RoleStatus::getDesired))
                                        .setRunning(sum(status, RoleStatus::getRunning))
                                        .setSpot(sum(status, RoleStatus::getSpot))
                                        .setSpotRunning(sum(status, RoleStatus::getSpotRunning))
                                        .build()))
                .setRestarts(status.getRestarts())
                .setTimes(
                        JobTimes.newBuilder()
                                .setSubmitted(status.getTimes().getSubmitted())
                                .build())
                .setSeq(status.getSeq())
                .setPriority(status.getPriority())
                .setHeld(status.getHeld())
                .setBudget(wide ? status.getBudget() : null)
                .build();
    }

    /** The line above the jobs. */
    public String heading() {
        return table.line(headings());
    }

    /** One job. */
    public String line(JobStatus status, Instant now) {
        return table.line(cells(status, now));
    }

    /**
     * One job that has changed, under headings that fit it: they come again before one that is
     * wider than all so far.
     */
    public List<String> news(JobStatus status, Instant now) {
        var cells = cells(status, now);
        boolean isWider = table.isWidenedBy(cells);
        var line = table.line(cells);
        return isWider ? List.of(heading(), line) : List.of(line);
    }

    private List<String> headings() {
        var all = new ArrayList<String>();
        if (namespaces) {
            all.add("NAMESPACE");
        }
        all.addAll(List.of("NAME", "PHASE", "PODS", "QUEUE", "AGE"));
        if (wide) {
            all.addAll(List.of("PRIORITY", "HELD", "UID", "POOL", "ATTEMPT", "RESTARTS", "BUDGET"));
        }
        all.add("REASON");
        return all;
    }

    private List<String> cells(JobStatus status, Instant now) {
        var all = new ArrayList<String>();
        if (namespaces) {
            all.add(status.getJob().getNamespace());
        }
        all.add(status.getJob().getName());
        all.add(Words.constant(status.getPhase()));
        all.add(pods(status));
        all.add(status.getQueue());
        all.add(Words.age(Duration.between(status.getTimes().getSubmitted(), now)));
        if (wide) {
            var restarts = status.getRestarts();
            all.add("" + status.getPriority());
            all.add(status.getHeld() ? "yes" : "no");
            all.add(status.getJob().getUid());
            all.add(status.getPool());
            all.add("" + status.getAttempt());
            all.add(restarts.getOwn() + "+" + restarts.getInfrastructure());
            all.add(budget(status.getBudget()));
        }
        all.add(reason(status, wide));
        return all;
    }

    /** What its window counts of what its failure policy allows, in the order of restarts. */
    private static String budget(@Nullable RestartBudget budget) {
        return budget == null
                ? "-"
                : "%d/%d+%d/%d"
                        .formatted(
                                budget.getOwnCounted(),
                                budget.getBackoffLimit(),
                                budget.getInfrastructureCounted(),
                                budget.getInfrastructureLimit());
    }

    /**
     * Why it is where it is: the code, and what it speaks of in people's words if there is room.
     */
    public static String reason(JobStatus status, boolean sentence) {
        var waiting = status.getWaiting();
        var code =
                status.getReason().isEmpty() && waiting != null
                        ? waiting.getCode()
                        : status.getReason();
        var message =
                Words.sentence(
                        status.getMessage().isEmpty() && waiting != null
                                ? waiting.getMessage()
                                : status.getMessage());
        return !sentence || message.isEmpty()
                ? code
                : code.isEmpty() ? message : code + ": " + message;
    }

    /** Those that run of those that are wanted; of them spot pods, where it has any. */
    private static String pods(JobStatus status) {
        int spots = sum(status, RoleStatus::getSpot);
        var all = sum(status, RoleStatus::getRunning) + "/" + sum(status, RoleStatus::getDesired);
        return spots == 0
                ? all
                : "%s (%d/%d spot)".formatted(all, sum(status, RoleStatus::getSpotRunning), spots);
    }

    private static int sum(JobStatus status, ToIntFunction<RoleStatus> count) {
        return status.getRoles().stream().mapToInt(count).sum();
    }
}
