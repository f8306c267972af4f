package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.QueueSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A name that was used in one pool and then in another. */
@Tag("only-in-profile-long")
class PastPoolIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String FIRST = "first-" + UUID.randomUUID();
    private static final String SECOND = "second-" + UUID.randomUUID();
    private static final String NAMESPACE = "past-pool-" + UUID.randomUUID();

    @TempDir private Path folder;

    @BeforeEach
    void saysWhereTheSystemIs() {
        TheSystem.context().write(context());
    }

    private Path context() {
        return folder.resolve("context.yaml");
    }

    @Test
    void pastIsExplainedFromThePoolInWhichTheJobWasThen() throws Exception {
        try (var requests = Requests.open(TheSystem.context(), "past pool test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            put(requests, FIRST);
            put(requests, SECOND);
            submit(requests, "moved", FIRST);
            await(statuses, Phase.SUSPENDED);
            var then = Instant.now();
            cli("cancel", "moved", "-n", NAMESPACE);
            await(statuses, Phase.CANCELLED);
            submit(requests, "moved", SECOND);
            await(statuses, Phase.SUSPENDED);

            assertThat(cli("explain", "moved", "-n", NAMESPACE))
                    .startsWith(NAMESPACE + "/moved is suspended in queue " + SECOND);
            assertThat(cli("explain", "moved", "-n", NAMESPACE, "--at", then.toString()))
                    .startsWith(NAMESPACE + "/moved is suspended in queue " + FIRST);
        }
    }

    /** What a file holds is replayed as the topic would be. */
    @Test
    void inboxInAFileLeadsToWhatWasPublished() throws Exception {
        var pool = "replayed-" + UUID.randomUUID();
        try (var requests = Requests.open(TheSystem.context(), "replay test")) {
            put(requests, pool);
            submit(requests, "replayed", pool);
        }
        var file = folder.resolve("inbox").toString();
        cli("replay", "--pool", pool, "--save", file);
        assertThat(cli("replay", "--pool", pool, "--file", file)).startsWith("identical: ");
    }

    /** It has what comes before that time since the replay begins there. */
    @Test
    void laterPartOfAnInboxInAFileLeadsToWhatWasPublished() throws Exception {
        var pool = "replayed-" + UUID.randomUUID();
        Instant between;
        try (var requests = Requests.open(TheSystem.context(), "replay test")) {
            put(requests, pool);
            submit(requests, "earlier", pool);
            between = Instant.now();
            submit(requests, "later", pool);
        }
        var file = folder.resolve("inbox").toString();
        var from = between.toString();
        cli("replay", "--pool", pool, "--from", from, "--save", file);
        assertThat(cli("replay", "--pool", pool, "--from", from, "--file", file))
                .startsWith("identical: ");
    }

    /** A pool of that name, which has no nodes, and its queue. */
    private static void put(Requests requests, String name) {
        var pool = PoolSpec.newBuilder().setNodeSelector(Map.of("size", name)).build();
        var queue = QueueSpec.newBuilder().setPool(name).build();
        assertThat(requests.answer(requests.put(name, pool), PATIENCE).getOutcome())
                .isEqualTo(Outcome.ACCEPTED);
        assertThat(requests.answer(requests.put(name, queue), PATIENCE).getOutcome())
                .isEqualTo(Outcome.ACCEPTED);
    }

    private static void submit(Requests requests, String name, String queue) {
        var job =
                Jobs.read(
                        """
                        apiVersion: muster.dev/v1
                        kind: TrainJob
                        metadata: {name: %s, namespace: %s}
                        spec:
                          queue: %s
                          suspend: true
                          roles:
                          - name: worker
                            template: {spec: {containers: [{name: main, image: a}]}}
                        """
                                .formatted(name, NAMESPACE, queue));
        assertThat(requests.answer(requests.submit(job), PATIENCE).getOutcome())
                .isEqualTo(Outcome.ACCEPTED);
    }

    private static void await(JobStatuses statuses, Phase phase) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> {
                    statuses.news();
                    return statuses.of(NAMESPACE, "moved")
                            .filter(status -> status.getPhase() == phase)
                            .isPresent();
                });
    }

    private String cli(String... words) throws Exception {
        var answer = Cli.run(context(), List.of(words));
        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.OK);
        return answer.text();
    }
}
