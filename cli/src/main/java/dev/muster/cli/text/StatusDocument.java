package dev.muster.cli.text;

import dev.muster.schemas.trainjob.GoDuration;
import dev.muster.v1.JobAutoscaling;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobHook;
import dev.muster.v1.JobScaling;
import dev.muster.v1.JobStatus;
import dev.muster.v1.NodeLack;
import dev.muster.v1.RestartBudget;
import dev.muster.v1.RoleStatus;
import dev.muster.v1.WaitReason;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job's status as a document, YAML or JSON, in the words of the form that users write. */
public final class StatusDocument {
    private StatusDocument() {}

    /** One document per job. */
    public static void yaml(List<JobStatus> jobs, PrintWriter to) {
        var documents = jobs.stream().map(StatusDocument::document).iterator();
        Documents.yaml(documents, jobs.size() > 1, to);
    }

    /** A list, or the first alone. */
    public static void json(List<JobStatus> jobs, boolean list, PrintWriter to) {
        if (list) {
            Documents.json(jobs.stream().map(StatusDocument::document).iterator(), to);
        } else {
            to.print(Documents.json(List.of(document(jobs.getFirst())), false));
        }
    }

    /** One of many that follow each other. */
    public static String yamlOfMany(JobStatus job) {
        return Documents.yamlOfMany(document(job));
    }

    /** One of many that follow each other, in one line. */
    public static String jsonOfMany(JobStatus job) {
        return Documents.jsonOfMany(document(job));
    }

    private static Object document(JobStatus job) {
        var metadata = new LinkedHashMap<String, Object>();
        metadata.put("name", job.getJob().getName());
        metadata.put("namespace", job.getJob().getNamespace());
        if (!job.getLabels().isEmpty()) {
            metadata.put("labels", new LinkedHashMap<>(job.getLabels()));
        }
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", "muster.dev/v1");
        document.put("kind", "TrainJob");
        document.put("metadata", metadata);
        document.put("status", status(job));
        return document;
    }

    private static Map<String, Object> status(JobStatus job) {
        var status = new LinkedHashMap<String, Object>();
        status.put("phase", Words.constant(job.getPhase()));
        status.put("reason", job.getReason());
        status.put("message", job.getMessage());
        status.put("uid", job.getJob().getUid());
        if (job.getRetryOf() != null) {
            status.put("retryOf", job.getRetryOf());
        }
        status.put("attempt", job.getAttempt());
        status.put("queue", job.getQueue());
        status.put("pool", job.getPool());
        status.put("priority", job.getPriority());
        status.put("held", job.getHeld());
        status.put("roles", job.getRoles().stream().map(StatusDocument::role).toList());
        var restarts = new LinkedHashMap<String, Object>();
        restarts.put("own", job.getRestarts().getOwn());
        restarts.put("infrastructure", job.getRestarts().getInfrastructure());
        status.put("restarts", restarts);
        putBudget(status, job.getBudget());
        status.put("excludedNodes", List.copyOf(job.getExcludedNodes()));
        if (job.getScaling() != null) {
            status.put("scaling", scaling(job.getScaling()));
        }
        if (job.getAutoscaling() != null) {
            status.put("autoscaling", autoscaling(job.getAutoscaling()));
        }
        if (job.getCheckpoint() != null) {
            status.put("checkpoint", checkpoint(job.getCheckpoint()));
        }
        status.put("times", times(job));
        status.put("seq", job.getSeq());
        if (job.getWaiting() != null) {
            status.put("waiting", waiting(job.getWaiting()));
        }
        return status;
    }

    static Map<String, Object> scaling(JobScaling scaling) {
        var said = new LinkedHashMap<String, Object>();
        said.put("requestId", scaling.getRequestId());
        said.put("role", scaling.getRole());
        said.put("from", scaling.getFrom());
        said.put("to", scaling.getTo());
        said.put("stage", Words.constant(scaling.getStage()));
        said.put("reason", scaling.getReason());
        said.put("message", scaling.getMessage());
        putTime(said, "since", scaling.getSince());
        var hook = scaling.getHook();
        if (hook != null) {
            said.put("hook", hook(hook));
        }
        return said;
    }

    private static Map<String, Object> hook(JobHook hook) {
        var said = new LinkedHashMap<String, Object>();
        said.put("tries", hook.getTries());
        said.put("succeeded", hook.getSucceeded());
        said.put("waiting", hook.getWaiting());
        if (hook.getExitCode() != null) {
            said.put("exitCode", hook.getExitCode());
        }
        said.put("reason", hook.getReason());
        said.put("output", hook.getOutput());
        return said;
    }

    private static Map<String, Object> autoscaling(JobAutoscaling autoscaling) {
        var said = new LinkedHashMap<String, Object>();
        said.put("code", autoscaling.getCode());
        said.put("message", autoscaling.getMessage());
        putTime(said, "since", autoscaling.getSince());
        return said;
    }

    static Map<String, Object> checkpoint(JobCheckpoint checkpoint) {
        var said = new LinkedHashMap<String, Object>();
        said.put("id", checkpoint.getId());
        said.put("stage", Words.constant(checkpoint.getStage()));
        said.put("purpose", checkpoint.getPurpose());
        said.put("message", checkpoint.getMessage());
        putTime(said, "until", checkpoint.getUntil());
        putTime(said, "since", checkpoint.getSince());
        return said;
    }

    private static void putBudget(Map<String, Object> document, @Nullable RestartBudget budget) {
        if (budget != null) {
            var said = new LinkedHashMap<String, Object>();
            said.put("own", budget.getOwn());
            said.put("infrastructure", budget.getInfrastructure());
            said.put("ownCounted", budget.getOwnCounted());
            said.put("infrastructureCounted", budget.getInfrastructureCounted());
            said.put("backoffLimit", budget.getBackoffLimit());
            said.put("infrastructureLimit", budget.getInfrastructureLimit());
            said.put("nextDelay", GoDuration.text(budget.getNextDelayMillis()));
            document.put("budget", said);
        }
    }

    private static Map<String, Object> role(RoleStatus role) {
        var counts = new LinkedHashMap<String, Object>();
        counts.put("name", role.getName());
        counts.put("desired", role.getDesired());
        counts.put("created", role.getCreated());
        counts.put("running", role.getRunning());
        counts.put("ready", role.getReady());
        counts.put("succeeded", role.getSucceeded());
        counts.put("failed", role.getFailed());
        putNumber(counts, "memory", role.getMemory());
        if (role.getSpot() > 0) {
            var spot = new LinkedHashMap<String, Object>();
            spot.put("desired", role.getSpot());
            spot.put("running", role.getSpotRunning());
            counts.put("spot", spot);
        }
        putBudget(counts, role.getBudget());
        return counts;
    }

    private static Map<String, Object> times(JobStatus job) {
        var times = new LinkedHashMap<String, Object>();
        putTime(times, "submitted", job.getTimes().getSubmitted());
        putTime(times, "admitted", job.getTimes().getAdmitted());
        putTime(times, "started", job.getTimes().getStarted());
        putTime(times, "running", job.getTimes().getRunning());
        putTime(times, "finished", job.getTimes().getFinished());
        return times;
    }

    private static void putTime(Map<String, Object> times, String name, @Nullable Instant at) {
        if (at != null) {
            times.put(name, at.toString());
        }
    }

    private static Map<String, Object> waiting(WaitReason reason) {
        var waiting = new LinkedHashMap<String, Object>();
        waiting.put("code", reason.getCode());
        waiting.put("scope", reason.getScope());
        putNumber(waiting, "need", reason.getNeed());
        putNumber(waiting, "have", reason.getHave());
        putNumber(waiting, "shortBy", reason.getShortBy());
        waiting.put("since", reason.getSince().toString());
        waiting.put("message", reason.getMessage());
        waiting.put("remedy", reason.getRemedy());
        if (!reason.getNearest().isEmpty()) {
            waiting.put("nearest", reason.getNearest().stream().map(StatusDocument::lack).toList());
        }
        return waiting;
    }

    private static Map<String, Object> lack(NodeLack lack) {
        var node = new LinkedHashMap<String, Object>();
        node.put("node", lack.getNode());
        node.put("lacks", lack.getLacks());
        return node;
    }

    private static void putNumber(Map<String, Object> map, String name, @Nullable Long number) {
        if (number != null) {
            map.put(name, number);
        }
    }
}
