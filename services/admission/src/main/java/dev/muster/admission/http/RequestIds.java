package dev.muster.admission.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/** The client's idempotency key, by which a repeat gets the first answer. */
final class RequestIds {
    private RequestIds() {}

    /** From the header, else the query; a client without one gets one that nobody else has. */
    static String of(HttpServletRequest request) {
        var header = request.getHeader("Idempotency-Key");
        if (header != null && !header.isBlank()) {
            return header.strip();
        }
        var query = request.getQueryString();
        // Not getParameter: of a body that curl calls a form it would leave nothing to read.
        var parameter =
                query == null
                        ? null
                        : UriComponentsBuilder.newInstance()
                                .query(query)
                                .build()
                                .getQueryParams()
                                .getFirst("requestId");
        return parameter != null && !parameter.isBlank()
                ? UriUtils.decode(parameter, UTF_8).strip()
                : UUID.randomUUID().toString();
    }
}
