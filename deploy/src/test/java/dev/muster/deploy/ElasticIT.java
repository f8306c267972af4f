package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The elastic example as real processes on the local node, while its size changes. */
class ElasticIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern STEP = Pattern.compile("step (\\d+): loss (\\S+) with (.*)");
    private static final Pattern PROCESS = Pattern.compile("is process (\\d+)");

    private final String namespace = TheSystem.namespace("elastic");

    @Test
    void trainingGoesOnStepByStepWhileWorkersComeAndGoAndAreKilled(@TempDir Path folder)
            throws Exception {
        var finish = folder.resolve("finish");
        try (var requests = Requests.open(TheSystem.context(), "elastic test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var _ = requests.submit(Jobs.read(job(finish)));
            awaitStepWith(client, "worker-0 worker-1");

            scale(statuses, "{\"role\":\"worker\",\"out\":1}", 3);
            awaitStepWith(client, "worker-0 worker-1 worker-2");

            kill(client, "elastic-worker-1");
            awaitStepWith(client, "worker-0 worker-2");
            awaitStepWith(client, "worker-0 worker-1 worker-2");

            scale(statuses, "{\"role\":\"worker\",\"names\":[\"worker-0\"]}", 2);
            awaitStepWith(client, "worker-1 worker-2");

            Files.createFile(finish);
            var end = Jobs.end(statuses, namespace, "elastic");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(1);
            noStepIsLost(log(client, "elastic-master-0"));
        }
        var ranks = PodLives.byRank(TheSystem.audit(), namespace);
        assertThat(ranks.get("elastic/master/0")).hasSize(1);
        assertThat(ranks.get("elastic/worker/0")).hasSize(1);
        assertThat(ranks.get("elastic/worker/1")).hasSize(2);
        assertThat(ranks.get("elastic/worker/2")).hasSize(1);
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
    }

    /** The example, which ends when the file is there. */
    private String job(Path finish) throws IOException {
        var example = Files.readString(TheSystem.REPOSITORY.resolve("examples/elastic.yaml"));
        var named =
                with(
                        example,
                        "  name: elastic\n",
                        "  name: elastic\n  namespace: %s\n".formatted(namespace));
        var ended =
                with(
                        named,
                        "          image: python:3.12\n",
                        "          image: python:3.12\n          env: [{name: FINISH, value: %s}]\n"
                                .formatted(finish));
        return with(
                ended,
                "  framework: pytorch",
                "  failure: {settle: 1s, delay: {initial: 1s}}\n  framework: pytorch");
    }

    private static String with(String example, String there, String instead) {
        assertThat(example).contains(there);
        return example.replace(there, instead);
    }

    private void scale(JobStatuses statuses, String wish, int to) {
        var answer =
                new Admission(TheSystem.context())
                        .change(namespace, "elastic", "scale", JsonMapper.shared().readTree(wish));
        await("the size " + to)
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    statuses.news();
                    var scaling = statuses.of(namespace, "elastic").map(JobStatus::getScaling);
                    assertThat(scaling)
                            .hasValueSatisfying(at -> {
                                assertThat(at.getRequestId()).isEqualTo(answer.requestId());
                                assertThat(at.getTo()).isEqualTo(to);
                                assertThat(at.getStage())
                                        .as(at.getMessage())
                                        .isEqualTo(ScaleStage.SUCCEEDED);
                            });
                });
    }

    private String log(KubernetesClient client, String pod) {
        return client.pods().inNamespace(namespace).withName(pod).getLog();
    }

    /** The last step was done with these. */
    private void awaitStepWith(KubernetesClient client, String workers) {
        await("a step with " + workers)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> {
                    var step =
                            STEP.matcher(
                                    log(client, "elastic-master-0").lines().toList().getLast());
                    assertThat(step.find()).isTrue();
                    assertThat(step.group(3)).isEqualTo(workers);
                });
    }

    private void kill(KubernetesClient client, String pod) throws Exception {
        var process = PROCESS.matcher(log(client, pod));
        assertThat(process.find()).isTrue();
        assertThat(new ProcessBuilder("kill", "-9", process.group(1)).start().waitFor()).isZero();
    }

    private static void noStepIsLost(String log) {
        var steps = log.lines().map(STEP::matcher).filter(step -> step.find()).toList();
        assertThat(steps)
                .extracting(step -> Integer.parseInt(step.group(1)))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, steps.size()).boxed().toList());
        var losses = steps.stream().map(step -> Double.parseDouble(step.group(2))).toList();
        assertThat(losses.getLast()).isLessThan(losses.getFirst() / 100);
    }
}
