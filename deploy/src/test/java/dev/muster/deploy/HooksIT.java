package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The elastic example, whose commands of scale are told to programs on the local node. */
class HooksIT {
    /** Leaves all that it was given to be read. */
    private static final String TELLS =
            """
            {"role": "worker", "out": 1, "hook": {
              "command": ["python3", "-c",
                "import os, sys; open('/dev/termination-log', 'w').write(' '.join([*sys.argv[1:],\
             os.environ['MUSTER_SCALE_ADDED'], os.environ['TO'], os.environ['MUSTER_HOOK_TRY'],\
             os.environ['MUSTER_ROLE']]))",
                "$(TO) $HOME; exit 1"],
              "env": {"TO": "them"}}}
            """;

    private static final String FAILS =
            """
            {"role": "worker", "names": ["worker-2"], "hook": {
              "command": ["sh", "-c", "echo try $MUSTER_HOOK_TRY of $MUSTER_SCALE_REMOVED; exit 7"],
              "retries": 1}}
            """;

    private final Training training =
            new Training(TheSystem.namespace("hooks"), "elastic", "master");

    @Test
    void commandEndsAsItsHookDoesAndSaysWhatItLeft(@TempDir Path folder) throws Exception {
        var finish = folder.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "hooks test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator();
                var logs = FollowedLogs.of(client, training.namespace())) {
            var _ = requests.submit(Jobs.read(training.yaml(finish)));
            training.awaitStepWith(client, "worker-0 worker-1");

            var told = training.scale(statuses, TELLS, ScaleStage.SUCCEEDED).getHook();
            assertThat(told.getOutput())
                    .isEqualTo("$(TO) $HOME; exit 1 elastic-worker-2 them 1 master");
            assertThat(told.getTries()).isEqualTo(1);
            assertThat(told.getExitCode()).isZero();
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            var failed = training.scale(statuses, FAILS, ScaleStage.FAILED);
            assertThat(failed.getReason()).isEqualTo("HookFailed");
            assertThat(failed.getHook().getTries()).isEqualTo(2);
            assertThat(failed.getHook().getExitCode()).isEqualTo(7);
            assertThat(failed.getHook().getOutput()).isEqualTo("try 2 of elastic-worker-2\n");
            training.awaitStepWith(client, "worker-0 worker-1 worker-2");

            Files.createFile(finish);
            var end = Jobs.end(statuses, training.namespace(), "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            training.noStepIsLost(client, logs);
        }
        var ranks = PodLives.byRank(TheSystem.audit(), training.namespace());
        assertThat(ranks.get("elastic/hook/0")).hasSize(3);
        assertThat(ranks.get("elastic/worker/2")).as("it was to leave, and stayed").hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
    }
}
