package dev.muster.admission.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/** Parameters in an address. */
final class Query {
    private Query() {}

    /**
     * Not getParameter: of a body that curl calls a form it would leave nothing to read.
     *
     * @return null where the address has none of that name, or a blank one
     */
    static @Nullable String of(HttpServletRequest request, String name) {
        var query = request.getQueryString();
        var value =
                query == null
                        ? null
                        : UriComponentsBuilder.newInstance()
                                .query(query)
                                .build()
                                .getQueryParams()
                                .getFirst(name);
        return value == null || value.isBlank() ? null : UriUtils.decode(value, UTF_8).strip();
    }
}
