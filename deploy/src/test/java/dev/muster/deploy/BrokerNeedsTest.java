package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README asks of the broker is what the services' defaults ask of it. */
class BrokerNeedsTest {
    private static final Map<String, String> SESSIONS =
            Map.of(
                    "admission", "spring.kafka.streams.properties.main.consumer.session.timeout.ms",
                    "coordinator", "coordinator.session-timeout",
                    "pod-manager", "spring.kafka.consumer.properties.session.timeout.ms");

    private static final Pattern LEAST_SESSION =
            Pattern.compile(
                    "\\| `group\\.min\\.session\\.timeout\\.ms` \\| 6000 \\| (\\d+) or less");

    private static final Pattern SESSION =
            Pattern.compile(
                    "sessions are ([\\d.]+) s in admission and coordinator, ([\\d.]+) s in pod");

    private static final Pattern LONGER = Pattern.compile("(?m)^([A-Z_]+_TIMEOUT(?:_MS)?): ");

    @Test
    void brokerHasToAllowTheShortestSession() throws IOException {
        var shortest =
                List.of(session("admission"), session("coordinator"), session("pod-manager"));
        assertThat(told(LEAST_SESSION, 1))
                .isEqualTo(
                        String.valueOf(
                                shortest.stream().min(Duration::compareTo).get().toMillis()));
    }

    @Test
    void sessionsOfTheServicesAreTold() throws IOException {
        assertThat(session("admission"))
                .isEqualTo(session("coordinator"))
                .isEqualTo(Duration.parse("PT" + told(SESSION, 1) + "S"));
        assertThat(session("pod-manager")).isEqualTo(Duration.parse("PT" + told(SESSION, 2) + "S"));
    }

    @Test
    void longerSessionsAreSetByVariablesOfTheServices() throws IOException {
        var variables = LONGER.matcher(readme()).results().map(match -> match.group(1)).toList();
        assertThat(variables).hasSize(SESSIONS.size());
        for (var session : SESSIONS.entrySet()) {
            var known = ServiceSettings.of(session.getKey()).variables();
            assertThat(variables).filteredOn(known::contains).hasSize(1);
        }
    }

    private static Duration session(String service) throws IOException {
        var value = ServiceSettings.of(service).defaults().get(SESSIONS.get(service));
        return Duration.ofMillis(Long.parseLong(value.replace("ms", "")));
    }

    private static String told(Pattern pattern, int group) throws IOException {
        var match = pattern.matcher(readme());
        assertThat(match.find()).as("%s in the README", pattern).isTrue();
        return match.group(group);
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"));
    }
}
