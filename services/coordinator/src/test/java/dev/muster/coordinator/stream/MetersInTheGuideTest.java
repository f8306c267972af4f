package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Uid;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
        registerAll(registry);

        assertThat(rows()).isEqualTo(meters());
    }

    /** As when a job of a queue has started. */
    static void registerAll(MeterRegistry registry) {
        var counters = new Counters(registry);
        counters.published("job-status");
        counters.shows("gpus", List.of(queueWithQuota()));
        counters.decided(
                "gpus",
                new Step(
                        List.of(),
                        List.of(start()),
                        Step.Own.NONE,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        false));
    }

    private SortedSet<String> meters() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.syntheticAssociation() == null) // No bucket of another's.
                .map(Meter.Id::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> rows() throws IOException {
        return ROW.matcher(Files.readString(GUIDE))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Effect start() {
        var job = new JobId("ml", "a", new Uid(0, 1));
        return new Effect.Started(job, "ml", List.of(), new TreeMap<>(), 0, Duration.ZERO);
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
        var queue = new Queue("ml", spec, 0, null, false, null);
        return new Effect.QueueState(queue, 1, 1, 1, Instant.EPOCH, cores);
    }
}
