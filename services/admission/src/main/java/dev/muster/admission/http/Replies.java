package dev.muster.admission.http;

import dev.muster.v1.JobRef;
import dev.muster.v1.Problem;
import dev.muster.v1.RequestResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** Answers in the words of HTTP; refusals as problem details (RFC 9457). */
final class Replies {
    private Replies() {}

    /** The body of every answer that is no refusal. */
    record Reply(
            String outcome,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid,
            @Nullable String phase,
            @Nullable String requestId,
            String message,
            Map<String, Long> counts,
            List<Said> warnings) {}

    /** One problem or warning. */
    record Said(String path, String given, String message) {}

    /** Of what nobody answers. */
    static ResponseEntity<?> writtenDown(String requestId) {
        return ResponseEntity.status(HttpStatus.ACCEPTED)
                .body(Map.of("outcome", "Written", "requestId", requestId));
    }

    /**
     * @param accepted the status of what was accepted or done
     * @param result null: it did not come in time
     */
    static ResponseEntity<?> of(
            HttpStatus accepted,
            String requestId,
            @Nullable RequestResult result,
            List<Said> warnings) {
        if (result == null) {
            var message = "taken, but not answered yet; ask again with the same Idempotency-Key";
            return ResponseEntity.status(HttpStatus.ACCEPTED)
                    .body(
                            new Reply(
                                    "Pending", null, null, null, null, requestId, message, Map.of(),
                                    warnings));
        }
        return switch (result.getOutcome()) {
            case ACCEPTED, DONE ->
                    ResponseEntity.status(accepted).body(reply(requestId, result, warnings));
            case DUPLICATE -> ResponseEntity.ok(reply(requestId, result, warnings));
            case CONFLICT, ENDED -> refusal(HttpStatus.CONFLICT, requestId, result);
            case REFUSED -> refusal(HttpStatus.UNPROCESSABLE_CONTENT, requestId, result);
            case NOT_FOUND -> refusal(HttpStatus.NOT_FOUND, requestId, result);
            case UNKNOWN -> refusal(HttpStatus.BAD_GATEWAY, requestId, result);
        };
    }

    /** Refused at the door, before anything was asked. */
    static ResponseEntity<?> refused(List<Said> all, @Nullable String requestId) {
        var problems = first(all);
        var detail = ProblemDetail.forStatus(HttpStatus.UNPROCESSABLE_CONTENT);
        detail.setTitle("Refused");
        detail.setDetail(summary(problems));
        detail.setProperty("outcome", "Refused");
        detail.setProperty("requestId", requestId);
        detail.setProperty("problems", problems);
        return ResponseEntity.of(detail).build();
    }

    /** As many as are told elsewhere, and as much of each: of a form there is no end. */
    private static List<Said> first(List<Said> all) {
        var problems = all.stream().map(Replies::toCore).toList();
        return dev.muster.admission.core.Problem.first(problems).stream()
                .map(Replies::said)
                .toList();
    }

    private static dev.muster.admission.core.Problem toCore(Said said) {
        return new dev.muster.admission.core.Problem(said.path(), said.given(), said.message());
    }

    static ResponseEntity<?> notFound(String message) {
        var detail = ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, message);
        detail.setTitle("NotFound");
        detail.setProperty("outcome", "NotFound");
        return ResponseEntity.of(detail).build();
    }

    static Said said(dev.muster.admission.core.Problem problem) {
        return new Said(problem.path(), problem.given(), problem.message());
    }

    static List<Said> said(List<Problem> problems) {
        return problems.stream()
                .map(p -> new Said(p.getPath(), p.getGiven(), p.getMessage()))
                .toList();
    }

    private static Reply reply(String requestId, RequestResult result, List<Said> warnings) {
        var job = result.getJob();
        return new Reply(
                words(result.getOutcome()),
                job == null ? null : job.getNamespace(),
                job == null ? null : job.getName(),
                job == null ? null : job.getUid(),
                result.getPhase() == null ? null : words(result.getPhase()),
                requestId,
                result.getMessage(),
                result.getCounts(),
                warnings);
    }

    private static ResponseEntity<?> refusal(
            HttpStatus status, String requestId, RequestResult result) {
        var problems = said(result.getProblems());
        var detail = ProblemDetail.forStatus(status);
        detail.setTitle(words(result.getOutcome()));
        detail.setDetail(result.getMessage().isEmpty() ? summary(problems) : result.getMessage());
        detail.setProperty("outcome", words(result.getOutcome()));
        detail.setProperty("requestId", requestId);
        detail.setProperty("problems", problems);
        detail.setProperty("job", job(result.getJob()));
        if (result.getPhase() != null) {
            detail.setProperty("phase", words(result.getPhase()));
        }
        return ResponseEntity.of(detail).build();
    }

    private static @Nullable Map<String, String> job(@Nullable JobRef job) {
        return job == null
                ? null
                : Map.of(
                        "namespace",
                        job.getNamespace(),
                        "name",
                        job.getName(),
                        "uid",
                        job.getUid());
    }

    private static String summary(List<Said> problems) {
        int most = dev.muster.admission.core.Problem.MOST;
        if (problems.size() > most) {
            return "more than %d things are wrong".formatted(most);
        }
        return problems.size() == 1 ? "one thing is wrong" : problems.size() + " things are wrong";
    }

    /** NOT_FOUND is NotFound to people. */
    private static String words(Enum<?> value) {
        return Arrays.stream(value.name().split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
