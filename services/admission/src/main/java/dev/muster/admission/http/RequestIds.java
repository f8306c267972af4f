package dev.muster.admission.http;

import dev.muster.admission.core.Problem;
import dev.muster.schemas.EnvelopeIds;
import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;

/** The client's idempotency key, by which a repeat gets the first answer. */
final class RequestIds {
    private RequestIds() {}

    /**
     * From the header, else the query; a client without one gets one that nobody else has.
     *
     * @throws TooLongException when it is longer than anybody keeps
     */
    static String of(HttpServletRequest request) {
        var header = request.getHeader("Idempotency-Key");
        var id =
                header == null || header.isBlank()
                        ? Query.of(request, "requestId")
                        : header.strip();
        if (id == null) {
            return UUID.randomUUID().toString();
        }
        if (EnvelopeIds.isTooLong(id)) {
            throw new TooLongException(id);
        }
        return id;
    }

    /** The client's own key is no key. */
    static final class TooLongException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String given;

        private TooLongException(String given) {
            super("Idempotency-Key " + EnvelopeIds.RULE);
            this.given = given;
        }

        Problem problem() {
            return new Problem("Idempotency-Key", given, EnvelopeIds.RULE);
        }
    }
}
