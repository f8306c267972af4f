package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Uid;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CountersTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry =
            new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final Counters counters = new Counters(registry);

    @Test
    void whatMeantNothingIsCountedByWhy() {
        var stays = new TreeMap<>(Map.of(Decision.Why.STALE, 2, Decision.Why.IMPOSSIBLE, 1));
        counters.decided(
                "gpus",
                new Step(List.of(), List.of(), Step.Own.NONE, new TreeMap<>(), stays, false));
        assertThat(registry.get("muster.coordinator.stays").tag("why", "STALE").counter().count())
                .isEqualTo(2);
        assertThat(
                        registry.get("muster.coordinator.stays")
                                .tag("why", "IMPOSSIBLE")
                                .counter()
                                .count())
                .isEqualTo(1);
    }

    @Test
    void queueShowsWhatItHasAndUses() {
        show(state("ml", 7, 2, Map.of("cpu", 1500L, "pods", 2L), Map.of("cpu", 4000L)));
        clock.add(Duration.ofMillis(NOON.toEpochMilli() - clock.wallTime()));
        clock.add(Duration.ofSeconds(90));
        assertThat(shown())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "waiting gpus ml", 7.0,
                                "running gpus ml", 2.0,
                                "in.line gpus ml", 7.0,
                                "in.line.oldest gpus ml", 90.0,
                                "paused gpus ml", 0.0,
                                "weight gpus ml", 1.0,
                                "used gpus ml cpu", 1.5,
                                "used gpus ml pods", 2.0,
                                "limit gpus ml cpu", 4.0));
        show(state("ml", 0, 0, Map.of(), Map.of()));
        assertThat(shown())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "waiting gpus ml", 0.0,
                                "running gpus ml", 0.0,
                                "in.line gpus ml", 0.0,
                                "in.line.oldest gpus ml", 0.0,
                                "paused gpus ml", 0.0,
                                "weight gpus ml", 1.0));
    }

    @Test
    void howLongJobsWaitedIsTimedPerQueueThatIsShown() {
        show(state("ml", 1, 0, Map.of(), Map.of()));
        starts("ml", Duration.ofMinutes(2));
        starts("ml", Duration.ofMinutes(4));
        starts("ml", null);
        starts("unshown", Duration.ofMinutes(4));
        var waits = registry.get("muster.queue.wait").tag("queue", "ml").timer();
        assertThat(waits.count()).isEqualTo(2);
        assertThat(waits.totalTime(TimeUnit.MINUTES)).isEqualTo(6);
        counters.decided("gpus", step(new Effect.QueueDeleted("ml")));
        assertThat(registry.find("muster.queue.wait").timers()).isEmpty();
    }

    private void starts(String queue, @Nullable Duration waited) {
        var job = new JobId("ml", "a", new Uid(0, 1));
        counters.decided(
                "gpus",
                step(new Effect.Started(job, queue, List.of(), new TreeMap<>(), 0, waited)));
    }

    @Test
    void queueThatIsDeletedOrHostedElsewhereIsShownNoMore() {
        show(state("ml", 1, 0, Map.of(), Map.of()));
        show(state("vision", 1, 0, Map.of(), Map.of()));
        counters.decided("gpus", step(new Effect.QueueDeleted("ml")));
        assertThat(shown().keySet()).isNotEmpty().allMatch(name -> name.endsWith("gpus vision"));
        counters.left("gpus");
        assertThat(shown()).isEmpty();
    }

    @Test
    void onlySoManyQueuesAreShown() {
        for (int i = 0; i <= QueueGauges.MOST; i++) {
            show(state("q" + i, 1, 0, Map.of(), Map.of()));
        }
        assertThat(shown()).hasSize(6 * QueueGauges.MOST);
        assertThat(registry.get("muster.queue.unshown").gauge().value()).isEqualTo(1);
    }

    private void show(Effect.QueueState state) {
        counters.decided("gpus", step(state));
    }

    private static Step step(Effect effect) {
        return new Step(
                List.of(), List.of(effect), Step.Own.NONE, new TreeMap<>(), new TreeMap<>(), false);
    }

    private static Effect.QueueState state(
            String name,
            int waiting,
            int running,
            Map<String, Long> used,
            Map<String, Long> limit) {
        var spec =
                new QueueSpec(
                        1,
                        new QueueSpec.Doors(false, false, 10, 10, new TreeSet<>()),
                        new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ZERO),
                        new Quota(
                                Amounts.NONE,
                                new TreeMap<>(limit),
                                true,
                                new TreeMap<>(),
                                new TreeMap<>(),
                                null));
        var queue = new Queue(name, spec, 0, null, false, null);
        return new Effect.QueueState(
                queue, waiting, running, waiting, waiting == 0 ? null : NOON, Amounts.of(used));
    }

    /** Meters of queues, by the last word of their names and their tags. */
    private Map<String, Double> shown() {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("muster.queue."))
                .filter(meter -> meter.getId().getTag("queue") != null)
                .collect(Collectors.toMap(CountersTest::name, CountersTest::value));
    }

    private static String name(Meter meter) {
        var tags = meter.getId().getTags().stream().map(Tag::getValue);
        return meter.getId().getName().substring("muster.queue.".length())
                + " "
                + tags.collect(Collectors.joining(" "));
    }

    private static double value(Meter meter) {
        return meter.measure().iterator().next().getValue();
    }
}
