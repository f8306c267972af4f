package dev.muster.admission.http;

import dev.muster.admission.AdmissionConfig;
import dev.muster.admission.core.Problem;
import dev.muster.schemas.contract.Limits;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/**
 * Who asks, by the word of whoever stands before us. It is written down and shown, and decides
 * nothing.
 */
@Component
final class Actors {
    /** Of whom nobody says who he is. */
    static final String UNNAMED = "http";

    private final String header;

    Actors(AdmissionConfig config) {
        header = config.actorHeader();
    }

    /**
     * Of this request.
     *
     * @throws UnusableException when it is no name
     */
    String of(HttpServletRequest http) {
        var given = header.isBlank() ? null : http.getHeader(header);
        if (given == null || given.isBlank()) {
            return UNNAMED;
        }
        var name = given.strip();
        if (name.length() > Limits.HTTP_ACTOR_CHARACTERS
                || !name.chars().allMatch(Actors::isPrintable)) {
            throw new UnusableException(
                    new Problem(
                            header,
                            name,
                            "must have at most %d characters, and only printable ones of ASCII"
                                    .formatted(Limits.HTTP_ACTOR_CHARACTERS)));
        }
        return name;
    }

    private static boolean isPrintable(int character) {
        return character >= ' ' && character <= '~';
    }

    /** What stands in the header can be nobody's name. */
    static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Problem problem;

        private UnusableException(Problem problem) {
            super("%s is no name".formatted(problem.path()));
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }
}
