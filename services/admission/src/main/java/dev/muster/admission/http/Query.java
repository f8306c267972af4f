package dev.muster.admission.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
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
        var value = all(request).getFirst(name);
        if (value == null) {
            return null;
        }
        try {
            var read = UriUtils.decode(value, UTF_8).strip();
            return read.isEmpty() ? null : read;
        } catch (IllegalArgumentException e) {
            throw new UnreadableException(
                    new Problem(name, value, "must be written as in addresses, where a % is %25"));
        }
    }

    /**
     * Whether the address says so; without a value it does. An empty value is none of these: a
     * script may have meant one, and what it asks for may be a deletion.
     *
     * @throws UnreadableException when its value is neither true nor false
     */
    static boolean isSet(HttpServletRequest request, String name) {
        var given = all(request);
        if (!given.containsKey(name)) {
            return false;
        }
        if (given.getFirst(name) == null) {
            return true;
        }
        var value = Objects.requireNonNullElse(of(request, name), "");
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default ->
                    throw new UnreadableException(
                            new Problem(name, value, "must be true or false"));
        };
    }

    /**
     * The submission that is meant. An empty one is refused, and is not the newest: a script may
     * have meant one, and what it asks for may be its end.
     *
     * @throws UnreadableException when none stands where the address names one
     * @return null where the address names none
     */
    static @Nullable String uid(HttpServletRequest request) {
        var uid = of(request, "uid");
        if (uid == null && all(request).containsKey("uid")) {
            throw new UnreadableException(
                    new Problem("uid", "", "must have the form partition-offset, as in 3-4711"));
        }
        return uid;
    }

    private static MultiValueMap<String, String> all(HttpServletRequest request) {
        return UriComponentsBuilder.newInstance()
                .query(request.getQueryString())
                .build()
                .getQueryParams();
    }

    /** What stands in an address and is none. */
    static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Problem problem;

        private UnreadableException(Problem problem) {
            super("%s cannot be read".formatted(problem.path()));
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }
}
