package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.Topics;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobRef;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of a real broker, by which pools go, jumps ahead by hours and is set right. */
@Tag("crash")
@Tag("only-in-profile-crash")
class BrokerClockIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @TempDir private Path folder;

    @Test
    void operatorsAreToldAndNothingWaitsForTheTimeThatWas() {
        var broker = new AheadBroker(folder);
        var kafka = broker.kafka();
        try (var outside = new Outside(kafka)) {
            var pool = outside.pool(1).withNodes(5, 1);
            var ahead = Instant.EPOCH;
            try (var coordinator = coordinator(kafka)) {
                coordinator.start();
                pool.send(submitted(job("before", 1), workers(1)));
                assertThat(planned(outside, job("before", 1)))
                        .isBefore(Instant.now().plus(PATIENCE));
                assertThat(jumps()).isZero();

                broker.goAhead(() -> pool.send(InboxRecords.aliveWatcher()));
                pool.send(submitted(job("ahead", 2), workers(1)));
                ahead = planned(outside, job("ahead", 2));
                assertThat(ahead).isAfter(Instant.now().plus(AheadBroker.HOURS).minus(PATIENCE));
                assertThat(jumps()).isEqualTo(1);
            }
            pool.send(submitted(job("unread", 3), workers(1)));
            broker.setRight(() -> pool.send(InboxRecords.aliveWatcher()));
            try (var coordinator = coordinator(kafka)) {
                coordinator.start();
                pool.send(submitted(job("after", 4), workers(1)));
                assertThat(planned(outside, job("unread", 3))).isAfterOrEqualTo(ahead);
                assertThat(planned(outside, job("after", 4))).isAfterOrEqualTo(ahead);
                pool.send(submitted(job("last", 5), workers(1)));
                // What gathers is published by an alarm, by the hours that are kept.
                await().atMost(PATIENCE)
                        .until(() -> {
                            pool.send(InboxRecords.aliveWatcher());
                            return running() == 5;
                        });
                assertThat(coordinator.isBroken()).isFalse();
            }
        } finally {
            broker.kill();
        }
    }

    private double jumps() {
        return meters.counter("muster.coordinator.clock.jumps").count();
    }

    private double running() {
        return meters.find("muster.queue.running").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    private CoordinatorStreams coordinator(Map<String, Object> kafka) {
        var config =
                new CoordinatorConfig(
                        "broker-clock-it",
                        folder.resolve("state"),
                        1,
                        0,
                        "",
                        Duration.ofMillis(10),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2));
        return new CoordinatorStreams(kafka, config, meters, "core");
    }

    /** When, by the pool. */
    private static Instant planned(Outside outside, JobRef job) {
        await(job.getName())
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(plansOf(outside, job)).isNotEmpty());
        return plansOf(outside, job).getFirst().getEnvelope().getAt();
    }

    private static List<JobPlan> plansOf(Outside outside, JobRef job) {
        return outside.read(Topics.JOB_PLANS).stream()
                .map(Outside.Sent::value)
                .filter(plan -> plan.getJob().equals(job))
                .toList();
    }
}
