package dev.muster.admission.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;

/** The client's idempotency key, by which a repeat gets the first answer. */
final class RequestIds {
    private RequestIds() {}

    /** From the header, else the query; a client without one gets one that nobody else has. */
    static String of(HttpServletRequest request) {
        var header = request.getHeader("Idempotency-Key");
        if (header != null && !header.isBlank()) {
            return header.strip();
        }
        var parameter = Query.of(request, "requestId");
        return parameter == null ? UUID.randomUUID().toString() : parameter;
    }
}
