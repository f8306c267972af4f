package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobScaling;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The elastic example tells how fast it trains, and its size follows. */
class AutoscalingIT {
    /** Three measurements of ten seconds at least are waited for, and then pods. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Training training =
            new Training(TheSystem.namespace("autoscaling"), "elastic", "master");

    @Test
    void jobWhoseWorkersAreWorthItGetsAnotherOne(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "autoscaling test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(autoscaled(training.yaml(finish))));
            await("a worker more")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> {
                        statuses.news();
                        assertThat(
                                        statuses.of(training.namespace(), "elastic")
                                                .map(JobStatus::getScaling))
                                .hasValueSatisfying(AutoscalingIT::hasGrown);
                    });
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            training.noStepIsLost(client, logs);
            assertThat(training.log(client)).doesNotContain("nobody hears");
        }
        assertThat(scalings()).first().satisfies(AutoscalingIT::isOfTheAutoscaler);
    }

    private String autoscaled(String yaml) {
        var ranged =
                Training.with(
                        yaml,
                        "elastic: {min: 1, max: 8}",
                        "elastic: {min: 1, max: 3, scaling: {policy: metrics, cooldown: 10s}}");
        var url =
                "%s/v1/jobs/%s/elastic/metrics"
                        .formatted(TheSystem.context().admission(), training.namespace());
        return Training.with(ranged, "env: [", "env: [{name: METRICS, value: %s}, ".formatted(url));
    }

    private static void hasGrown(JobScaling scaling) {
        isOfTheAutoscaler(scaling);
        assertThat(scaling.getStage()).as(scaling.getMessage()).isEqualTo(ScaleStage.SUCCEEDED);
    }

    private static void isOfTheAutoscaler(JobScaling scaling) {
        assertThat(scaling.getRequestId()).startsWith("autoscaler-");
        assertThat(scaling.getFrom()).isEqualTo(2);
        assertThat(scaling.getTo()).isEqualTo(3);
        assertThat(scaling.getMessage()).contains("2 do ").contains("more were not tried");
    }

    private List<JobScaling> scalings() {
        return Records.of(TheSystem.context(), Topics.JOB_EVENTS).stream()
                .filter(record -> record.key().startsWith(training.namespace() + "/"))
                .filter(record -> record.value().getKind() == JobEventKind.SCALED)
                .map(record -> record.value().getScaling())
                .toList();
    }
}
