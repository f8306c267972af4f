package dev.muster.admission.http;

import dev.muster.admission.stream.JobMapping;
import dev.muster.admission.stream.SignalMapping;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes what a job has to say of itself, and puts it on the topic for it. */
@RestController
final class SignalEndpoint {
    static final String PATH = "/v1/jobs/{namespace}/{name}/signals";

    private final Asking asking;
    private final Bodies bodies;

    SignalEndpoint(Asking asking, Bodies bodies) {
        this.asking = asking;
        this.bodies = bodies;
    }

    /** Written down, and no more: what becomes of it stands in the job's status. */
    @PostMapping(PATH)
    ResponseEntity<?> signal(
            @PathVariable String namespace, @PathVariable String name, HttpServletRequest http)
            throws IOException {
        var requestId = RequestIds.of(http);
        var envelope = Envelope.newBuilder(asking.envelope(requestId)).setJobUid(Query.uid(http));
        var read = SignalForm.read(bodies.text(http), namespace, name, envelope);
        var signal = read.signal();
        if (signal == null) {
            return Replies.refused(read.problems(), requestId);
        }
        var wrong = JobMapping.toContract(SignalMapping.toCore(signal).problems());
        if (!wrong.isEmpty()) {
            return Replies.refused(Replies.said(wrong), requestId);
        }
        asking.tell(Topics.JOB_SIGNALS, JobKeys.of(namespace, name), requestId, signal);
        return Replies.writtenDown(requestId);
    }
}
