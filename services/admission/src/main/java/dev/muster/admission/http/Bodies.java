package dev.muster.admission.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.AdmissionConfig;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** Reads bodies, up to what is allowed and no further. */
@Component
final class Bodies {
    private final int most;

    Bodies(AdmissionConfig config) {
        most = Math.toIntExact(config.maxBody().toBytes());
    }

    /**
     * @throws BodyTooLargeException when there is more than may be
     */
    String text(HttpServletRequest request) throws IOException {
        if (request.getContentLengthLong() > most) {
            throw new BodyTooLargeException(most);
        }
        var bytes = request.getInputStream().readNBytes(most + 1);
        if (bytes.length > most) {
            throw new BodyTooLargeException(most);
        }
        return new String(bytes, UTF_8);
    }

    /** More than a body may have. */
    static final class BodyTooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BodyTooLargeException(int most) {
            super(
                    "a body must have at most %,d bytes; fetch large scripts and data in the pods instead"
                            .formatted(most));
        }
    }
}
