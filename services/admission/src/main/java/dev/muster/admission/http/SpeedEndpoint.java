package dev.muster.admission.http;

import dev.muster.admission.stream.JobMapping;
import dev.muster.admission.stream.SpeedMapping;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes what a script says of how fast its job trains, and puts it on the topic for it. */
@RestController
final class SpeedEndpoint {
    static final String PATH = "/v1/jobs/{namespace}/{name}/metrics";

    private final Asking asking;
    private final Bodies bodies;

    SpeedEndpoint(Asking asking, Bodies bodies) {
        this.asking = asking;
        this.bodies = bodies;
    }

    /** Written down, and no more: nobody answers a sample, and one of an unknown job is dropped. */
    @PostMapping(PATH)
    ResponseEntity<?> sample(
            @PathVariable String namespace, @PathVariable String name, HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        var envelope = Envelope.newBuilder(asking.envelope(requestId)).setJobUid(Query.uid(http));
        var read = SpeedForm.read(bodies.text(http), namespace, name, envelope);
        var metrics = read.metrics();
        if (metrics == null) {
            return Replies.refused(read.problems(), requestId);
        }
        var wrong =
                JobMapping.toContract(
                        SpeedMapping.sample(metrics, metrics.getEnvelope().getAt()).problems());
        if (!wrong.isEmpty()) {
            return Replies.refused(Replies.said(wrong), requestId);
        }
        asking.tell(Topics.TRAINING_METRICS, JobKeys.of(namespace, name), requestId, metrics);
        return Replies.writtenDown(requestId);
    }
}
