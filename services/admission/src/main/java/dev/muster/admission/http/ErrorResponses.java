package dev.muster.admission.http;

import dev.muster.schemas.serde.RegistryUnavailableException;
import java.util.List;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What goes wrong on the way, in the words of HTTP. */
@RestControllerAdvice
final class ErrorResponses {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);

    @ExceptionHandler
    ProblemDetail tooLarge(Bodies.BodyTooLargeException tooLarge) {
        var detail =
                ProblemDetail.forStatusAndDetail(
                        HttpStatus.CONTENT_TOO_LARGE, tooLarge.getMessage());
        detail.setTitle("Too large");
        return detail;
    }

    @ExceptionHandler
    ResponseEntity<?> tooLarge(Asking.TooLargeException tooLarge) {
        return Replies.refused(List.of(Replies.said(tooLarge.problem())), tooLarge.requestId());
    }

    @ExceptionHandler
    ResponseEntity<?> noKey(RequestIds.TooLongException tooLong) {
        return Replies.refused(List.of(Replies.said(tooLong.problem())), null);
    }

    @ExceptionHandler
    ResponseEntity<?> nobody(Actors.UnusableException unusable) {
        return Replies.refused(List.of(Replies.said(unusable.problem())), null);
    }

    @ExceptionHandler
    ResponseEntity<?> unreadable(Query.UnreadableException unreadable) {
        return Replies.refused(List.of(Replies.said(unreadable.problem())), null);
    }

    @ExceptionHandler
    ProblemDetail silent(RegistryUnavailableException silent) {
        LOG.atWarn().setCause(silent).log("nothing can be shown");
        var detail =
                ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "the schema registry does not answer; try again");
        detail.setTitle("Not now");
        return detail;
    }

    @ExceptionHandler
    ProblemDetail notReadable(InvalidStateStoreException notReadable) {
        LOG.atWarn().setCause(notReadable).log("nothing can be shown");
        var detail =
                ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "queues and pools are not read yet; try again");
        detail.setTitle("Not now");
        return detail;
    }

    @ExceptionHandler
    ProblemDetail notNow(Asking.UnavailableException notNow) {
        LOG.atWarn().setCause(notNow).log("request not taken");
        var detail =
                ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        notNow.getMessage() + "; try again with the same Idempotency-Key");
        detail.setTitle("Not now");
        return detail;
    }
}
