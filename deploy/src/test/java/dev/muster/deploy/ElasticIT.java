package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The elastic example as real processes on the local node, while its size changes. */
class ElasticIT {
    private static final Pattern PROCESS = Pattern.compile("is process (\\d+)");

    private final Training training =
            new Training(TheSystem.namespace("elastic"), "elastic", "master");

    @Test
    void trainingGoesOnStepByStepWhileWorkersComeAndGoAndAreKilled(@TempDir Path folder)
            throws Exception {
        var finish = folder.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "elastic test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(training.yaml(finish)));
            training.awaitStepWith(client, "worker-0 worker-1");

            training.scale(statuses, "{\"role\":\"worker\",\"out\":1}", 3);
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            var process = PROCESS.matcher(training.log(client, "elastic-worker-1"));
            assertThat(process.find()).isTrue();
            Training.kill(process.group(1));
            training.awaitStepWith(client, "worker-0 worker-2");
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            var context = folder.resolve("context.yaml");
            TheSystem.context().write(context);
            var told =
                    Cli.run(
                            context,
                            List.of(
                                    "scale",
                                    "elastic",
                                    "-n",
                                    training.namespace(),
                                    "--in-names",
                                    "worker-0",
                                    "--wait"));
            assertThat(told.exitCode()).as(told.text()).isEqualTo(ExitCode.OK);
            assertThat(told.text()).contains("Succeeded");
            training.awaitStepWith(client, "worker-1 worker-2");

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            training.noStepIsLost(client, logs);
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("elastic/master/0")).hasSize(1);
        assertThat(ranks.get("elastic/worker/0")).hasSize(1);
        assertThat(ranks.get("elastic/worker/1")).hasSize(2);
        assertThat(ranks.get("elastic/worker/2")).hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
    }
}
