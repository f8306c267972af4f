package dev.muster.cli.text;

import dev.muster.v1.JobEvent;
import dev.muster.v1.JobMoved;
import dev.muster.v1.RankEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/** One thing that happened to a job as a document, YAML or JSON, in the words of its status. */
public final class EventDocument {
    private EventDocument() {}

    /** With what its kind has. */
    public static Map<String, Object> of(JobEvent event) {
        var envelope = event.getEnvelope();
        var document = new LinkedHashMap<String, Object>();
        if (envelope.getSeq() != null) {
            document.put("seq", envelope.getSeq());
        }
        document.put("at", envelope.getAt().toString());
        document.put("kind", Words.constant(event.getKind()));
        document.put("namespace", event.getJob().getNamespace());
        document.put("job", event.getJob().getName());
        document.put("uid", event.getJob().getUid());
        if (envelope.getAttempt() != null) {
            document.put("attempt", envelope.getAttempt());
        }
        if (event.getMoved() != null) {
            document.put("moved", moved(event.getMoved()));
        }
        if (event.getRank() != null) {
            document.put("rank", rank(event.getRank()));
        }
        if (event.getScaling() != null) {
            document.put("scaling", StatusDocument.scaling(event.getScaling()));
        }
        if (event.getCheckpoint() != null) {
            document.put("checkpoint", StatusDocument.checkpoint(event.getCheckpoint()));
        }
        return document;
    }

    private static Map<String, Object> moved(JobMoved moved) {
        var said = new LinkedHashMap<String, Object>();
        if (moved.getFrom() != null) {
            said.put("from", Words.constant(moved.getFrom()));
        }
        said.put("to", Words.constant(moved.getTo()));
        said.put("reason", moved.getReason());
        said.put("message", moved.getMessage());
        if (moved.getBy() != null) {
            said.put("by", moved.getBy());
        }
        return said;
    }

    private static Map<String, Object> rank(RankEvent rank) {
        var said = new LinkedHashMap<String, Object>();
        said.put("role", rank.getRole());
        said.put("index", rank.getIndex());
        said.put("incarnation", rank.getIncarnation());
        if (rank.getNode() != null) {
            said.put("node", rank.getNode());
        }
        if (rank.getExitCode() != null) {
            said.put("exitCode", rank.getExitCode());
        }
        said.put("reason", rank.getReason());
        said.put("message", rank.getMessage());
        return said;
    }
}
