package dev.muster.admission.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Problem;
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
     * @throws UnreadableException when its value is not written as addresses are
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
        try {
            return value == null || value.isBlank() ? null : UriUtils.decode(value, UTF_8).strip();
        } catch (IllegalArgumentException e) {
            throw new UnreadableException(name, value, e);
        }
    }

    /** What stands in an address and is none. */
    static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Problem problem;

        private UnreadableException(String name, String given, IllegalArgumentException cause) {
            super("%s cannot be read".formatted(name), cause);
            problem = new Problem(name, given, "must be written as in addresses, where a % is %25");
        }

        Problem problem() {
            return problem;
        }
    }
}
