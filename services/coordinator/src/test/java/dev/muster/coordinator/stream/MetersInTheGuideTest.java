package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetersInTheGuideTest {
    private static final Path GUIDE = Path.of("../../docs/guide/reliability.md");
    private static final Pattern ROW =
            Pattern.compile(
                    "^\\| `(muster\\.(?:coordinator|queue)\\.[a-z.]+)` ", Pattern.MULTILINE);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void tableHasEveryMeterOfTheCoordinator() throws IOException {
        var counters = new Counters(registry);
        counters.published("job-status");
        counters.shows("gpus", List.of(queueWithQuota()));

        assertThat(rows()).isEqualTo(meters());
    }

    private SortedSet<String> meters() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> rows() throws IOException {
        return ROW.matcher(Files.readString(GUIDE))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Effect.QueueState queueWithQuota() {
        var cores = Amounts.of(Map.of("cpu", 4_000L));
        var quota =
                new Quota(
                        cores,
                        new TreeMap<>(cores.byName()),
                        true,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null);
        var spec =
                new QueueSpec(
                        1,
                        new QueueSpec.Doors(false, false, 10, 10, new TreeSet<>()),
                        new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ZERO),
                        quota);
        return new Effect.QueueState(new Queue("ml", spec, 0, null, false, null), 1, 1, cores);
    }
}
