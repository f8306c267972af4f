package dev.muster.bench.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KueueItselfTest {
    @Test
    void readsWhatTheMeasurementLeaves(@TempDir Path out) throws Exception {
        Files.writeString(
                out.resolve("minimalkueue.stats.yaml"),
                "maxrss: 353408\nsysMs: 12693\nuserMs: 74969\nwallMs: 373467\n");
        Files.writeString(
                out.resolve("summary.yaml"),
                """
                clusterQueueClasses:
                  cq: {cpuAverageUsage: 342103, nominalQuota: 600000}
                workloadClasses:
                  large: {averageTimeToAdmissionMs: 10042, count: 1500, totalEvictions: 0}
                  small: {averageTimeToAdmissionMs: 225234, count: 10500, totalEvictions: 3}
                """);

        assertThat(KueueItself.read(out))
                .isEqualTo(
                        new KueueItself(
                                Duration.ofMillis(373_467),
                                Duration.ofMillis(87_662),
                                Map.of(
                                        "large", Duration.ofMillis(10_042),
                                        "small", Duration.ofMillis(225_234)),
                                12_000));
    }
}
