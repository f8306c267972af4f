package dev.muster.deploy;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.nio.file.Path;
import java.util.Map;

/** How often a PodDisruptionBudget of each name was made, as the API server's audit log has it. */
final class MadeBudgets {
    /** What is applied over one that is there is answered with 200. */
    private static final int CREATED = 201;

    private MadeBudgets() {}

    static Map<String, Long> byName(Path audit, String namespace) {
        return Audit.events(audit, "\"poddisruptionbudgets\"").stream()
                .filter(event ->
                        event.at("/objectRef/resource").asText().equals("poddisruptionbudgets"))
                .filter(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .filter(event -> event.at("/responseStatus/code").asInt() == CREATED)
                .collect(groupingBy(event -> event.at("/objectRef/name").asText(), counting()));
    }
}
