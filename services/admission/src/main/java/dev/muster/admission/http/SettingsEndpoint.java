package dev.muster.admission.http;

import dev.muster.admission.stream.Lookup;
import dev.muster.schemas.Topics;
import dev.muster.schemas.trainjob.Form;
import dev.muster.schemas.trainjob.SettingsChangeForm;
import dev.muster.schemas.trainjob.SettingsChangeForm.Kind;
import dev.muster.schemas.trainjob.SettingsDocument;
import dev.muster.schemas.trainjob.SettingsForm;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.QueueRequestKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sets queues and pools, and shows them as their coordinators publish them. */
@RestController
final class SettingsEndpoint {
    private final Asking asking;
    private final Bodies bodies;
    private final Lookup lookup;

    SettingsEndpoint(Asking asking, Bodies bodies, Lookup lookup) {
        this.asking = asking;
        this.bodies = bodies;
        this.lookup = lookup;
    }

    @GetMapping("/v1/queues")
    ResponseEntity<?> queues() {
        return items(lookup.shown().queues().stream().map(SettingsDocument::of).toList());
    }

    @GetMapping("/v1/queues/{name}")
    ResponseEntity<?> queue(@PathVariable String name) {
        var state = lookup.shown().queue(name);
        return state == null
                ? Replies.notFound("no queue " + name + " is known")
                : ResponseEntity.ok(SettingsDocument.of(state));
    }

    @GetMapping("/v1/pools")
    ResponseEntity<?> pools() {
        return items(lookup.shown().pools().stream().map(SettingsDocument::of).toList());
    }

    @GetMapping("/v1/pools/{name}")
    ResponseEntity<?> pool(@PathVariable String name) {
        var state = lookup.shown().pool(name);
        return state == null
                ? Replies.notFound("no pool " + name + " is known")
                : ResponseEntity.ok(SettingsDocument.of(state));
    }

    private static ResponseEntity<?> items(List<Map<String, Object>> items) {
        return ResponseEntity.ok(Map.of("items", items));
    }

    /**
     * Sets a queue, but for {@code paused} and {@code draining} where it does not say them. With
     * {@code keep} in the address one that is there stays as it is.
     */
    @PutMapping("/v1/queues/{name}")
    ResponseEntity<?> putQueue(@PathVariable String name, HttpServletRequest http)
            throws IOException {
        return put(Kind.QUEUE, name, http);
    }

    /**
     * Changes what a merge patch (RFC 7396) names of a queue, and nothing else, whoever changes
     * something else at the same time. With {@code create} it is made if it is not there.
     */
    @PatchMapping("/v1/queues/{name}")
    ResponseEntity<?> changeQueue(@PathVariable String name, HttpServletRequest http)
            throws IOException {
        return change(Kind.QUEUE, name, http);
    }

    /** The same for a pool. */
    @PatchMapping("/v1/pools/{name}")
    ResponseEntity<?> changePool(@PathVariable String name, HttpServletRequest http)
            throws IOException {
        return change(Kind.POOL, name, http);
    }

    private ResponseEntity<?> change(Kind kind, String name, HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        boolean create = Query.isSet(http, "create");
        return switch (SettingsChangeForm.read(kind, name, bodies.text(http))) {
            case Form.Refused(var problems) -> Replies.refused(Replies.said(problems), requestId);
            case Form.Read(SettingsChangeForm.Change(var setting, var fields)) ->
                    ask(change(requestId, setting, fields, create), requestId);
        };
    }

    private QueueRequest change(
            String requestId, Setting setting, List<String> fields, boolean create) {
        var request = request(requestId, setting.name()).setFields(fields).setCreate(create);
        return switch (setting) {
            case QueueSetting(_, var spec, _) ->
                    request.setKind(QueueRequestKind.CHANGE_QUEUE).setQueue(spec).build();
            case PoolSetting(_, var spec) ->
                    request.setKind(QueueRequestKind.CHANGE_POOL).setPool(spec).build();
        };
    }

    /** The same for a pool. */
    @PutMapping("/v1/pools/{name}")
    ResponseEntity<?> putPool(@PathVariable String name, HttpServletRequest http)
            throws IOException {
        return put(Kind.POOL, name, http);
    }

    /**
     * Deletes a queue. With {@code drain} it may still have jobs: it takes no more, and goes with
     * the last.
     */
    @DeleteMapping("/v1/queues/{name}")
    ResponseEntity<?> deleteQueue(@PathVariable String name, HttpServletRequest http) {
        var requestId = RequestIds.of(http);
        return ask(
                request(requestId, name)
                        .setKind(QueueRequestKind.DELETE_QUEUE)
                        .setDrain(Query.isSet(http, "drain"))
                        .build(),
                requestId);
    }

    private ResponseEntity<?> put(Kind kind, String name, HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        boolean keep = Query.isSet(http, "keep");
        return switch (SettingsForm.read(bodies.text(http))) {
            case Form.Refused(var problems) -> Replies.refused(Replies.said(problems), requestId);
            case Form.Read(var settings) -> {
                if (settings.size() != 1 || !settings.getFirst().name().equals(name)) {
                    yield mismatch(
                            requestId, "metadata.name", "must be " + name + ", as in the address");
                }
                var setting = settings.getFirst();
                if (kindOf(setting) != kind) {
                    yield mismatch(
                            requestId, "kind", "must be " + kind.word() + ", as in the address");
                }
                // A change of no field: one that is there stays, and one that is not is made whole.
                yield keep
                        ? ask(change(requestId, setting, List.of(), true), requestId)
                        : ask(request(requestId, setting), requestId);
            }
        };
    }

    private static Kind kindOf(Setting setting) {
        return switch (setting) {
            case QueueSetting _ -> Kind.QUEUE;
            case PoolSetting _ -> Kind.POOL;
        };
    }

    private QueueRequest request(String requestId, Setting setting) {
        return switch (setting) {
            case QueueSetting queue -> change(requestId, queue, queue.fields(), true);
            case PoolSetting(var name, var spec) ->
                    request(requestId, name)
                            .setKind(QueueRequestKind.PUT_POOL)
                            .setPool(spec)
                            .build();
        };
    }

    private QueueRequest.Builder request(String requestId, String name) {
        return QueueRequest.newBuilder()
                .setEnvelope(asking.envelope(requestId))
                .setName(name)
                .setKind(QueueRequestKind.UNKNOWN);
    }

    private ResponseEntity<?> ask(QueueRequest request, String requestId) {
        var written = asking.written(Topics.QUEUE_REQUESTS, request);
        return Replies.of(
                HttpStatus.OK,
                requestId,
                asking.ask(Topics.QUEUE_REQUESTS, request.getName(), requestId, written),
                List.of());
    }

    private static ResponseEntity<?> mismatch(String requestId, String path, String message) {
        return Replies.refused(List.of(new Replies.Said(path, "", message)), requestId);
    }
}
