package dev.muster.admission;

import static java.util.Objects.requireNonNull;

import dev.muster.admission.core.Names;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * All that can be set in admission, under {@code admission.} in application.yaml, where the
 * defaults stand.
 *
 * @param queueWait how long a job waits for a queue that is not there yet, and a queue for its
 *     pool, 0 or more; zero: it is refused at once
 * @param answerTimeout how long an HTTP request waits for its answer before it is told 202, more
 *     than 0
 * @param maxBody the largest body that HTTP takes, from 1 B to 2 GB
 * @param closedNamespaces in which nobody may have jobs, whatever a queue says; the empty name,
 *     which a variable that is not set leaves, is none
 * @param actorHeader the header of HTTP that says who asks; blank: none does
 * @param reportPort a second port of HTTP, on which jobs say how they do, and nothing else is
 *     answered, up to 65535; 0: there is none
 */
@ConfigurationProperties(value = "admission", ignoreUnknownFields = false)
public record AdmissionConfig(
        Duration queueWait,
        Duration answerTimeout,
        DataSize maxBody,
        Set<String> closedNamespaces,
        String actorHeader,
        int reportPort) {
    private static final int MOST_PORT = 65_535;

    public AdmissionConfig {
        requireNonNull(queueWait, "admission.queue-wait is not set");
        requireNonNull(answerTimeout, "admission.answer-timeout is not set");
        requireNonNull(maxBody, "admission.max-body is not set");
        requireNonNull(closedNamespaces, "admission.closed-namespaces is not set");
        requireNonNull(actorHeader, "admission.actor-header is not set");
        if (queueWait.isNegative()) {
            throw new IllegalArgumentException(
                    "admission.queue-wait must not be negative, was " + queueWait);
        }
        if (!answerTimeout.isPositive()) {
            throw new IllegalArgumentException(
                    "admission.answer-timeout must be more than zero, was " + answerTimeout);
        }
        if (maxBody.toBytes() < 1 || maxBody.toBytes() > Integer.MAX_VALUE - 16) {
            throw new IllegalArgumentException(
                    "admission.max-body must be 1 B to 2 GB, was " + maxBody);
        }
        if (reportPort < 0 || reportPort > MOST_PORT) {
            throw new IllegalArgumentException(
                    "admission.report-port must be 0 to %d, was %d"
                            .formatted(MOST_PORT, reportPort));
        }
        closedNamespaces =
                closedNamespaces.stream()
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toUnmodifiableSet());
        for (var name : closedNamespaces) {
            if (!Names.isDnsLabel(name)) {
                throw new IllegalArgumentException(
                        "admission.closed-namespaces must be names of namespaces, was " + name);
            }
        }
    }
}
