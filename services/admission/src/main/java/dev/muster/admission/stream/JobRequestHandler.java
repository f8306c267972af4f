package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Directory;
import dev.muster.admission.core.OtherJobs;
import dev.muster.admission.core.Outcome;
import dev.muster.admission.core.Problem;
import dev.muster.admission.core.Queues;
import dev.muster.admission.core.Request;
import dev.muster.admission.core.Validation;
import dev.muster.admission.core.Verdict;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.CancelSpec;
import dev.muster.v1.JobRequest;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Takes what is asked of jobs to the directory's rules. */
final class JobRequestHandler implements RecordHandler {
    private final KeyValueStore<String, byte[]> directory;
    private final Queues queues;
    private final OtherJobs others;
    private final Codec codec;
    private final Results results;
    private final Duration queueWait;
    private final Set<String> closed;

    /**
     * @param others the names that other partitions have
     * @param queueWait how long a job may wait for its queue to appear
     * @param closed the namespaces in which nobody may have jobs
     */
    JobRequestHandler(
            KeyValueStore<String, byte[]> directory,
            Queues queues,
            OtherJobs others,
            Codec codec,
            Duration queueWait,
            Set<String> closed) {
        this.directory = directory;
        this.queues = queues;
        this.others = others;
        this.codec = codec;
        this.results = new Results(codec);
        this.queueWait = queueWait;
        this.closed = closed;
    }

    @Override
    public Step handle(Arrival arrival, Instant now) {
        var value = arrival.value();
        if (value == null) {
            throw new UnreadableRecordException("has no value");
        }
        var request = codec.read(Topics.JOB_REQUESTS, value);
        var key = arrival.key();
        if (!key.equals(JobKeys.of(request.getNamespace(), request.getName()))) {
            throw new UnreadableRecordException(
                    "has the key '%s' and speaks of %s/%s"
                            .formatted(key, request.getNamespace(), request.getName()));
        }
        if (value.length > Validation.MOST_BYTES) {
            Envelopes.check(request.getEnvelope());
            if (request.getSubmit() == null) {
                throw new UnreadableRecordException(
                        "is a command of %d bytes".formatted(value.length));
            }
        }
        var right = Partitions.ofKey(Topics.JOB_REQUESTS, key);
        // One that is too large is refused wherever it lies: it might not fit when it is sent on.
        if (arrival.partition() != right && value.length <= Validation.MOST_BYTES) {
            return Misplaced.sendTo(right, arrival);
        }
        var wrong = Envelopes.problem(request.getEnvelope());
        return wrong == null
                ? decided(arrival, request, value.length, now)
                : refused(arrival, request, wrong, wrong.path() + " " + wrong.message(), now);
    }

    private Step decided(Arrival arrival, JobRequest request, int bytes, Instant now) {
        return switch (request.getKind()) {
            case SUBMIT -> submit(arrival, request, bytes, now);
            case CANCEL -> cancel(arrival, request, now);
            case CHANGE -> change(arrival, request, now);
            case UNKNOWN ->
                    throw new UnreadableRecordException("asks for what this release does not know");
        };
    }

    private Step submit(Arrival arrival, JobRequest request, int bytes, Instant now) {
        var spec = request.getSubmit();
        if (spec == null) {
            var problem = new Problem("submit", "", "must be set in a request of kind SUBMIT");
            return refused(arrival, request, problem, "nothing to run", now);
        }
        var examined =
                Validation.examine(
                        JobMapping.toCore(request.getNamespace(), request.getName(), spec),
                        bytes,
                        closed);
        var submit =
                new Request.Submit(
                        request.getEnvelope().getRequestId(),
                        arrival.partition() + "-" + arrival.offset(),
                        examined,
                        Sha256.hex(examined.canonical()),
                        request.getRetryOf(),
                        arrival.received().plus(queueWait));
        return decided(arrival, request, spec, submit, now);
    }

    private Step cancel(Arrival arrival, JobRequest request, Instant now) {
        var spec = request.getCancel() == null ? new CancelSpec(null, "") : request.getCancel();
        var grace = spec.getGracePeriodMillis();
        if (grace != null && (grace < 0 || grace > Limits.LONGEST_DURATION.toMillis())) {
            var why = grace < 0 ? "must not be a negative duration" : Limits.TOO_LONG;
            var problem = new Problem("gracePeriod", grace + "ms", why);
            return refused(arrival, request, problem, "no such time", now);
        }
        int length = spec.getMessage().length();
        if (length > Limits.MESSAGE_CHARACTERS) {
            var most = "must have at most %,d characters".formatted(Limits.MESSAGE_CHARACTERS);
            var problem = new Problem("message", "%,d characters".formatted(length), most);
            return refused(arrival, request, problem, "message " + most, now);
        }
        var cancel =
                new Request.Cancel(
                        request.getEnvelope().getRequestId(),
                        request.getUid(),
                        grace == null ? null : Duration.ofMillis(grace),
                        spec.getMessage());
        return decided(arrival, request, null, cancel, now);
    }

    private Step change(Arrival arrival, JobRequest request, Instant now) {
        var change = request.getChange();
        if (change == null) {
            var problem = new Problem("change", "", "must be set in a request of kind CHANGE");
            return refused(arrival, request, problem, "nothing to change", now);
        }
        var asked =
                new Request.Change(
                        request.getEnvelope().getRequestId(),
                        request.getUid(),
                        ChangeMapping.toCore(change));
        return decided(arrival, request, null, asked, now);
    }

    private Step refused(
            Arrival arrival, JobRequest request, Problem problem, String message, Instant now) {
        var answer =
                new Verdict.Answer(Outcome.REFUSED, null, null, List.of(problem), message, null);
        return carried(arrival, request, null, answer, now);
    }

    private Step decided(
            Arrival arrival,
            JobRequest request,
            @Nullable TrainJobSpec spec,
            Request asked,
            Instant now) {
        var entry = Rows.entry(directory.get(arrival.key()));
        var verdict = Directory.decide(entry, asked, queues, others, now);
        return carried(arrival, request, spec, verdict, now);
    }

    private Step carried(
            Arrival arrival,
            JobRequest request,
            @Nullable TrainJobSpec spec,
            Verdict verdict,
            Instant now) {
        return switch (verdict) {
            case Verdict.Wait(var message) -> new Step.Later(message);
            case Verdict.Underway(var pool) ->
                    new Step.Done(List.of(), null, "awaits the answer of " + pool);
            case Verdict.Answer answer ->
                    new Step.Done(
                            List.of(results.of(arrival, request, answer, now)),
                            answer.next() == null
                                    ? null
                                    : new Step.Row(arrival.key(), Rows.entry(answer.next())),
                            answer.outcome().name());
            case Verdict.Forward forward -> {
                var event = InboxEvents.of(arrival, request, spec, forward, now);
                var bytes = codec.write(Topics.INBOX, event);
                yield bytes.length > Limits.VALUE_BYTES
                        ? tooLarge(arrival, request, bytes.length, now)
                        : forwarded(arrival, forward, bytes);
            }
        };
    }

    /** The pool is told more than was asked: what the pods of each role need. */
    private Step tooLarge(Arrival arrival, JobRequest request, int bytes, Instant now) {
        var why =
                "must be smaller with what its pods need, which is told to its pool in at most %,d"
                                .formatted(Limits.VALUE_BYTES)
                        + " bytes; use fewer roles, or terms of affinity that select fewer";
        var problem = new Problem("spec.roles", "%,d bytes".formatted(bytes), why);
        return refused(arrival, request, problem, "the job is too large", now);
    }

    private static Step forwarded(Arrival arrival, Verdict.Forward forward, byte[] event) {
        return new Step.Done(
                List.of(
                        new Outgoing(
                                new Target(
                                        Topics.INBOX.name(),
                                        forward.number(),
                                        forward.pool().getBytes(UTF_8)),
                                event)),
                new Step.Row(arrival.key(), Rows.entry(forward.next())),
                "forwarded to " + forward.pool());
    }
}
