package dev.muster.admission.http;

import dev.muster.admission.stream.ChangeMapping;
import dev.muster.admission.stream.JobMapping;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.ChangeForm;
import dev.muster.schemas.trainjob.Form;
import dev.muster.v1.BulkChange;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueRequestKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Changes jobs that are there: one by its name, or many of a queue or pool. */
@RestController
final class ChangesEndpoint {
    private static final Map<String, JobChangeKind> KINDS =
            Map.ofEntries(
                    Map.entry("cancel", JobChangeKind.CANCEL),
                    Map.entry("hold", JobChangeKind.HOLD),
                    Map.entry("release", JobChangeKind.RELEASE),
                    Map.entry("priority", JobChangeKind.SET_PRIORITY),
                    Map.entry("move", JobChangeKind.MOVE),
                    Map.entry("suspend", JobChangeKind.SUSPEND),
                    Map.entry("resume", JobChangeKind.RESUME),
                    Map.entry("force-delete", JobChangeKind.FORCE_DELETE),
                    Map.entry("include-node", JobChangeKind.INCLUDE_NODE),
                    Map.entry("scale", JobChangeKind.SCALE));

    private final Asking asking;
    private final Bodies bodies;

    ChangesEndpoint(Asking asking, Bodies bodies) {
        this.asking = asking;
        this.bodies = bodies;
    }

    @PostMapping(
            "/v1/jobs/{namespace}/{name}/"
                    + "{verb:cancel|hold|release|priority|move|suspend|resume|force-delete"
                    + "|include-node|scale}")
    ResponseEntity<?> change(
            @PathVariable String namespace,
            @PathVariable String name,
            @PathVariable String verb,
            HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        var kind = Objects.requireNonNull(KINDS.get(verb));
        return switch (ChangeForm.one(kind, bodies.text(http))) {
            case Form.Refused(var problems) -> Replies.refused(Replies.said(problems), requestId);
            case Form.Read(var change) -> {
                var wrong = wrong(change, "");
                yield wrong.isEmpty()
                        ? ask(request(namespace, name, change, http), requestId)
                        : Replies.refused(wrong, requestId);
            }
        };
    }

    private static JobRequest.Builder request(
            String namespace, String name, JobChange change, HttpServletRequest http) {
        return JobRequest.newBuilder()
                .setKind(JobRequestKind.CHANGE)
                .setNamespace(namespace)
                .setName(name)
                .setUid(Query.uid(http))
                .setChange(change);
    }

    private ResponseEntity<?> ask(JobRequest.Builder change, String requestId) {
        var request = change.setEnvelope(asking.envelope(requestId)).build();
        var written = asking.written(Topics.JOB_REQUESTS, request);
        var key = JobKeys.of(request.getNamespace(), request.getName());
        return Replies.of(
                HttpStatus.OK,
                requestId,
                asking.ask(Topics.JOB_REQUESTS, key, requestId, written),
                List.of());
    }

    @PostMapping("/v1/queues/{name}/jobs:change")
    ResponseEntity<?> ofQueue(@PathVariable String name, HttpServletRequest http)
            throws IOException {
        return bulk(name, false, http);
    }

    @PostMapping("/v1/pools/{name}/jobs:change")
    ResponseEntity<?> ofPool(@PathVariable String name, HttpServletRequest http)
            throws IOException {
        return bulk(name, true, http);
    }

    private ResponseEntity<?> bulk(String name, boolean wholePool, HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        return switch (ChangeForm.many(wholePool, bodies.text(http))) {
            case Form.Refused(var problems) -> Replies.refused(Replies.said(problems), requestId);
            case Form.Read(var bulk) -> {
                var wrong = wrong(bulk.getChange(), "change");
                yield wrong.isEmpty()
                        ? ask(name, bulk, requestId)
                        : Replies.refused(wrong, requestId);
            }
        };
    }

    private ResponseEntity<?> ask(String name, BulkChange bulk, String requestId) {
        var request =
                QueueRequest.newBuilder()
                        .setEnvelope(asking.envelope(requestId))
                        .setKind(QueueRequestKind.BULK)
                        .setName(name)
                        .setBulk(bulk)
                        .build();
        var written = asking.written(Topics.QUEUE_REQUESTS, request);
        return Replies.of(
                HttpStatus.OK,
                requestId,
                asking.ask(Topics.QUEUE_REQUESTS, name, requestId, written),
                List.of());
    }

    private static List<Replies.Said> wrong(JobChange change, String path) {
        return Replies.said(JobMapping.toContract(ChangeMapping.toCore(change).problems(path)));
    }
}
