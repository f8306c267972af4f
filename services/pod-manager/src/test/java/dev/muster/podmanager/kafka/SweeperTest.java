package dev.muster.podmanager.kafka;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.Backoff;
import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Submission;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.podmanager.kubernetes.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leftovers in a cluster that does not let all of them go. */
class SweeperTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Duration LONG = Duration.ofHours(1);
    private static final int AT_MOST = 4;

    /** Of no HTTP: there is no answer. */
    private static final int SILENCE = 0;

    private final FakeApiServer server = new FakeApiServer();
    private final Cluster cluster = server.cluster(CLOCK);
    private final Work work = new Work(new Backoff(LONG, LONG), CLOCK);
    private final Tenure tenure = new Tenure(LONG, CLOCK);
    private final Sweeper sweeper =
            new Sweeper(cluster, new Inventory(cluster), work, tenure, AT_MOST, LONG);

    /** The path of what the roles do not let us list. */
    private volatile String hidden = "";

    SweeperTest() throws IOException {
        tenure.prove(CLOCK.instant());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void oneThatIsNotAnsweredHoldsNoOtherUp() {
        leftovers(3, index -> index == 0 ? SILENCE : 200);
        sweeper.sweep();
        assertThat(deletions()).containsExactly("j0", "j1", "j2");
    }

    @Test
    void whatIsRefusedTakesTheOthersPlacesOnlyOnce() {
        leftovers(10, index -> index < 9 ? 403 : 200);
        for (int pass = 0; pass < 3; pass++) {
            sweeper.sweep();
        }
        assertThat(deletions())
                .containsExactly(
                        "j0", "j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8", "j9", "j0", "j1");
    }

    /** Each sweep has its own turn. */
    @Test
    void whereNothingIsAnsweredThePassEndsAndTheNextGoesOnBehindIt() {
        leftovers(7, _ -> SILENCE);
        sweeper.sweep();
        assertThat(deletions()).containsExactly("j0", "j1", "j2");
        sweeper.sweepClosely();
        assertThat(deletions()).endsWith("j0", "j1", "j2");
        sweeper.sweep();
        assertThat(deletions()).endsWith("j3", "j4", "j5").hasSize(9);
    }

    /** Whoever has the partitions now may have a plan for what is still there. */
    @Test
    void nothingIsDeletedOnceItsPartitionIsGivenAway() {
        leftovers(
                2,
                _ -> {
                    giveAllAway();
                    return 200;
                });
        sweeper.sweep();
        assertThat(deletions()).containsExactly("j0");
    }

    private void giveAllAway() {
        try {
            tenure.close(tenure.partitions(), Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void kindThatTheRolesHideKeepsNothingElse() {
        hidden = "/apis/scheduling.volcano.sh/v1beta1/podgroups";
        leftovers(2, _ -> 200);
        sweeper.sweep();
        assertThat(deletions()).containsExactly("j0", "j1");
    }

    /** So many pods, each of a job that is gone. */
    private void leftovers(int number, IntUnaryOperator codes) {
        var jobs = IntStream.range(0, number).mapToObj(i -> new JobName("ml", "j" + i)).toList();
        for (var job : jobs) {
            int partition = Work.partitionOf(job);
            work.accept(partition, new PlanRecord.Known(gone(job)));
            work.open(Set.of(partition), new Work.Seeds(Map.of(), Set.of(), work.nextOrder()));
            tenure.open(Set.of(partition));
        }
        server.answers(exchange -> {
            var path = exchange.getRequestURI().getPath();
            if (path.equals(hidden)) {
                FakeApiServer.answer(exchange, 403, FakeApiServer.DENIAL);
                return;
            }
            if (exchange.getRequestMethod().equals("GET")) {
                var pods = jobs.stream().map(SweeperTest::pod).collect(joining(","));
                FakeApiServer.answer(
                        exchange,
                        200,
                        path.endsWith("/pods") ? "{\"items\": [%s]}".formatted(pods) : "{}");
                return;
            }
            int code = codes.applyAsInt(jobs.indexOf(new JobName("ml", jobOf(path))));
            if (code != SILENCE) {
                FakeApiServer.answer(exchange, code, "{\"message\": \"no\"}");
            }
        });
    }

    /** The jobs whose pods were to be deleted, in that order. */
    private List<String> deletions() {
        return server.asked().stream()
                .filter(asked -> asked.startsWith("DELETE "))
                .map(SweeperTest::jobOf)
                .toList();
    }

    private static String jobOf(String request) {
        return request.replaceAll(".*/|-worker-0$", "");
    }

    private static Plan gone(JobName job) {
        var uid = new Submission(job, "3-100");
        return new Plan(uid, "default", "team-a", 1, 9, false, "0-7/1", new Plan.Gone());
    }

    private static String pod(JobName job) {
        return """
        {"metadata": {"name": "%1$s-worker-0", "namespace": "ml", "uid": "u-%1$s", "labels": {
        "muster.dev/installation": "muster", "muster.dev/job": "%1$s",
        "muster.dev/uid": "3-100", "muster.dev/role": "worker", "muster.dev/index": "0",
        "muster.dev/attempt": "1", "muster.dev/incarnation": "1", "muster.dev/plan": "1"}}}
        """
                .formatted(job.name());
    }
}
