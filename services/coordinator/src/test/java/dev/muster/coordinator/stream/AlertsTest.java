package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A metric of an alert that nobody has is never above 0, and nobody hears of it. */
class AlertsTest {
    private static final Path ALERTS = Path.of("../../deploy/kustomize/observe/alerts.yaml");
    private static final Pattern NAMED = Pattern.compile("\\bmuster_[a-z_]+");

    @Test
    void everyMetricOfMusterThatAnAlertNamesIsThere() throws IOException {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        MetersInTheGuideTest.registerAll(registry);
        var scraped =
                registry.scrape()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.split("[{ ]")[0])
                        .collect(Collectors.toSet());
        var named =
                NAMED.matcher(Files.readString(ALERTS))
                        .results()
                        .map(found -> found.group())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).contains("muster_queue_in_line_oldest_seconds");
        assertThat(scraped).containsAll(named);
    }

    /** Each installation has a pool and a queue called default. */
    @Test
    void noAlertTakesAnotherInstallationsQueueForItsOwn() throws IOException {
        var matched =
                Pattern.compile("\\b(?:on|by) \\(([^)]*)\\)").matcher(Files.readString(ALERTS));
        assertThat(matched.results().map(found -> found.group(1)))
                .hasSizeGreaterThan(2)
                .allSatisfy(labels -> assertThat(labels).contains("namespace"));
    }

    /** The sum of what nobody tells is not less than anything: there is none. */
    @Test
    void alertOfTooFewPartitionsIsThereWhereNoCoordinatorIs() throws IOException {
        assertThat(Files.readString(ALERTS))
                .containsPattern(
                        "\\(muster_coordinator_pools_hosted\\) < 64\\s+or \\(\\s+"
                                + "group by \\(namespace\\) \\(last_over_time\\(")
                .containsPattern("or absent\\(muster_coordinator_pools_hosted\\)");
    }
}
