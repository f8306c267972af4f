package dev.muster.admission.http;

import dev.muster.admission.stream.JobMapping;
import dev.muster.admission.stream.SpeedMapping;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.TrainingMetrics;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes what a script says of how fast its job trains, and puts it on the topic for it. */
@RestController
final class SpeedEndpoint {
    private final Asking asking;
    private final Bodies bodies;

    SpeedEndpoint(Asking asking, Bodies bodies) {
        this.asking = asking;
        this.bodies = bodies;
    }

    /** Written down, and no more: nobody answers a sample, and one of an unknown job is dropped. */
    @PostMapping("/v1/jobs/{namespace}/{name}/metrics")
    ResponseEntity<?> sample(
            @PathVariable String namespace, @PathVariable String name, HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        var envelope =
                Envelope.newBuilder(asking.envelope(requestId)).setJobUid(Query.of(http, "uid"));
        var read = SpeedForm.read(bodies.text(http), namespace, name, envelope);
        var metrics = read.metrics();
        if (metrics == null) {
            return Replies.refused(read.problems(), requestId);
        }
        var wrong =
                JobMapping.toContract(
                        SpeedMapping.sample(metrics, metrics.getEnvelope().getAt()).problems());
        return wrong.isEmpty()
                ? written(metrics, requestId)
                : Replies.refused(Replies.said(wrong), requestId);
    }

    private ResponseEntity<?> written(TrainingMetrics metrics, String requestId) {
        var key = JobKeys.of(metrics.getNamespace(), metrics.getName());
        asking.tell(Topics.TRAINING_METRICS, key, asking.written(Topics.TRAINING_METRICS, metrics));
        return ResponseEntity.status(HttpStatus.ACCEPTED)
                .body(Map.of("outcome", "Written", "requestId", requestId));
    }
}
