package dev.muster.deploy;

import dev.muster.schemas.Topics;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.Outcome;
import dev.muster.v1.PlanKind;
import dev.muster.v1.ScaleStage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the topics have of the jobs of a namespace, as {@link Invariants} judges it. */
record JobRecords(String namespace) {
    /** All of them, in their order. */
    List<Invariants.Event> events() {
        return Records.of(TheSystem.context(), Topics.JOB_EVENTS).stream()
                .filter(record -> record.key().startsWith(namespace + "/"))
                .map(record -> {
                    var event = record.value();
                    var moved = event.getKind() == JobEventKind.MOVED;
                    return new Invariants.Event(
                            record.key(),
                            event.getEnvelope().getSeq(),
                            event.getEnvelope().getAttempt(),
                            event.getEnvelope().getAt(),
                            moved ? event.getMoved().getTo() : null);
                })
                .toList();
    }

    /** The stages of each command of scale. */
    Map<String, List<ScaleStage>> scalings() {
        var scalings = new TreeMap<String, List<ScaleStage>>();
        for (var record : Records.of(TheSystem.context(), Topics.JOB_EVENTS)) {
            var event = record.value();
            if (record.key().startsWith(namespace + "/")
                    && event.getKind() == JobEventKind.SCALED) {
                var command = record.key() + " " + event.getScaling().getRequestId();
                scalings.computeIfAbsent(command, _ -> new ArrayList<>())
                        .add(event.getScaling().getStage());
            }
        }
        return scalings;
    }

    /** What was asked of a job, or became of that. */
    record Ask(Instant at, CheckpointStage stage) {}

    /** All that jobs were asked to save, by name. */
    Map<String, List<Ask>> asks() {
        var asks = new TreeMap<String, List<Ask>>();
        for (var record : Records.of(TheSystem.context(), Topics.JOB_EVENTS)) {
            var event = record.value();
            if (record.key().startsWith(namespace + "/")
                    && event.getKind() == JobEventKind.CHECKPOINT) {
                asks.computeIfAbsent(event.getJob().getName(), _ -> new ArrayList<>())
                        .add(
                                new Ask(
                                        event.getEnvelope().getAt(),
                                        event.getCheckpoint().getStage()));
            }
        }
        return asks;
    }

    /** By id of the request, whoever asked. */
    static Map<String, List<Outcome>> answers() {
        var answers = new TreeMap<String, List<Outcome>>();
        for (var record : Records.of(TheSystem.context(), Topics.REQUEST_RESULTS)) {
            var id = record.value().getEnvelope().getRequestId();
            if (id != null) {
                answers.computeIfAbsent(id, _ -> new ArrayList<>())
                        .add(record.value().getOutcome());
            }
        }
        return answers;
    }

    /** The pool has asked for the last of what the job had. */
    boolean isGone(String name) {
        return Records.of(TheSystem.context(), Topics.JOB_PLANS).stream()
                .filter(plan -> plan.value() != null && plan.value().getKind() == PlanKind.GONE)
                .map(plan -> plan.value().getJob())
                .anyMatch(
                        job -> job.getNamespace().equals(namespace) && job.getName().equals(name));
    }
}
