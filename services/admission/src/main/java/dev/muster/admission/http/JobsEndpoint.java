package dev.muster.admission.http;

import dev.muster.admission.AdmissionConfig;
import dev.muster.admission.core.Examined;
import dev.muster.admission.core.PriorityClasses;
import dev.muster.admission.core.Problem;
import dev.muster.admission.core.Queues;
import dev.muster.admission.core.ServiceNames;
import dev.muster.admission.core.TrainJob;
import dev.muster.admission.core.Validation;
import dev.muster.admission.stream.JobMapping;
import dev.muster.admission.stream.Lookup;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.trainjob.TrainJobForm;
import dev.muster.schemas.trainjob.TrainJobForm.Read;
import dev.muster.schemas.trainjob.TrainJobForm.Refused;
import dev.muster.v1.CancelSpec;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Submits and cancels jobs. */
@RestController
final class JobsEndpoint {
    private static final int NOT_WRITTEN = 0;

    private final Asking asking;
    private final Bodies bodies;
    private final PastRequests past;
    private final Lookup lookup;
    private final AdmissionConfig config;

    JobsEndpoint(
            Asking asking,
            Bodies bodies,
            PastRequests past,
            Lookup lookup,
            AdmissionConfig config) {
        this.asking = asking;
        this.bodies = bodies;
        this.past = past;
        this.lookup = lookup;
        this.config = config;
    }

    /** Takes a TrainJob, YAML or JSON, whatever the content type says: the one is the other. */
    @PostMapping("/v1/jobs")
    ResponseEntity<?> submit(HttpServletRequest http) throws IOException {
        var requestId = RequestIds.of(http);
        return switch (TrainJobForm.read(bodies.text(http))) {
            case Refused refused -> Replies.refused(everything(refused), requestId);
            case Read job -> submit(job, requestId);
        };
    }

    /** What is wrong with the form, and with the meaning of what is left of it. */
    private List<Replies.Said> everything(Refused refused) {
        var rest = refused.rest();
        if (rest == null) {
            return Replies.said(refused.problems());
        }
        var job = JobMapping.toCore(rest.namespace(), rest.name(), rest.spec());
        var meaning = Validation.examine(job, NOT_WRITTEN, config.closedNamespaces()).problems();
        return Replies.said(refused.with(JobMapping.toContract(with(meaning, job))));
    }

    /** What else is wrong with a job that is refused anyway. */
    private List<Problem> with(List<Problem> problems, TrainJob job) {
        return asFarAsKnown(problems, queues -> PriorityClasses.problems(job, queues));
    }

    private List<Problem> asFarAsKnown(
            List<Problem> problems, Function<Queues, List<Problem>> more) {
        try {
            return Stream.concat(problems.stream(), more.apply(lookup.shown()).stream()).toList();
        } catch (InvalidStateStoreException | RegistryUnavailableException notKnownNow) {
            return problems;
        }
    }

    private ResponseEntity<?> submit(Read job, String requestId) {
        var request =
                request(requestId, job.namespace(), job.name(), JobRequestKind.SUBMIT)
                        .setSubmit(job.spec())
                        .build();
        var written = asking.written(Topics.JOB_REQUESTS, request);
        var asked = JobMapping.toCore(job.namespace(), job.name(), job.spec());
        var examined = Validation.examine(asked, written.length, config.closedNamespaces());
        if (!examined.problems().isEmpty()) {
            var problems = with(examined.problems(), asked);
            return Replies.refused(Replies.said(JobMapping.toContract(problems)), requestId);
        }
        var key = JobKeys.of(job.namespace(), job.name());
        return Replies.of(
                HttpStatus.CREATED,
                requestId,
                asking.ask(Topics.JOB_REQUESTS, key, requestId, written),
                Replies.said(JobMapping.toContract(warnings(examined))));
    }

    /** Also what only its pool tells. */
    private List<Problem> warnings(Examined examined) {
        return asFarAsKnown(
                examined.warnings(), queues -> ServiceNames.warnings(examined.job(), queues));
    }

    /**
     * Submits an ended job anew, as it was submitted: what it asked for stands on the topic of
     * requests where its uid says, for as long as that is kept. Without {@code uid} it is the
     * newest, where this process knows the name.
     */
    @PostMapping("/v1/jobs/{namespace}/{name}/retry")
    ResponseEntity<?> retry(
            @PathVariable String namespace, @PathVariable String name, HttpServletRequest http) {
        var requestId = RequestIds.of(http);
        var uid = Query.uid(http);
        var known = uid == null ? lookup.find(namespace, name) : null;
        var of = known == null ? uid : known.uid();
        if (of == null) {
            return Replies.notFound("no job of this name is known here; name its submission: uid");
        }
        var spec = past.submitted(JobKeys.of(namespace, name), of);
        if (spec == null) {
            return Replies.notFound(
                    "what submission %s asked for is not kept any more; submit the job anew"
                            .formatted(of));
        }
        var request =
                request(requestId, namespace, name, JobRequestKind.SUBMIT)
                        .setSubmit(spec)
                        .setRetryOf(of)
                        .build();
        return Replies.of(
                HttpStatus.CREATED,
                requestId,
                asking.ask(
                        Topics.JOB_REQUESTS,
                        JobKeys.of(namespace, name),
                        requestId,
                        asking.written(Topics.JOB_REQUESTS, request)),
                List.of());
    }

    @DeleteMapping("/v1/jobs/{namespace}/{name}")
    ResponseEntity<?> cancel(
            @PathVariable String namespace,
            @PathVariable String name,
            @RequestParam(defaultValue = "") String message,
            HttpServletRequest http) {
        var requestId = RequestIds.of(http);
        var request =
                request(requestId, namespace, name, JobRequestKind.CANCEL)
                        .setUid(Query.uid(http))
                        .setCancel(new CancelSpec(null, message))
                        .build();
        var written = asking.written(Topics.JOB_REQUESTS, request);
        var key = JobKeys.of(namespace, name);
        return Replies.of(
                HttpStatus.OK,
                requestId,
                asking.ask(Topics.JOB_REQUESTS, key, requestId, written),
                List.of());
    }

    private JobRequest.Builder request(
            String requestId, String namespace, String name, JobRequestKind kind) {
        return JobRequest.newBuilder()
                .setEnvelope(asking.envelope(requestId))
                .setKind(kind)
                .setNamespace(namespace)
                .setName(name);
    }
}
