package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.cli.http.Admission;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.v1.JobScaling;
import dev.muster.v1.JobStatus;
import dev.muster.v1.ScaleStage;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * An example that trains with whoever is there, and says so in the log of one of its pods.
 *
 * @param teller the role whose pod has that log
 */
record Training(String namespace, String job, String teller) {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The example, which ends when the file is there, and whose failures are judged soon. */
    String yaml(Path finish) throws IOException {
        var example =
                Files.readString(TheSystem.REPOSITORY.resolve("examples/%s.yaml".formatted(job)));
        var named =
                with(
                        example,
                        "  name: %s\n".formatted(job),
                        "  name: %s\n  namespace: %s\n".formatted(job, namespace));
        var ended =
                with(
                        named,
                        "          image: python:3.12\n",
                        "          image: python:3.12\n          env: [{name: FINISH, value: %s}]\n"
                                .formatted(finish));
        return with(
                ended,
                "\n  framework: ",
                "\n  failure: {settle: 1s, delay: {initial: 1s}}\n  framework: ");
    }

    static String with(String example, String there, String instead) {
        assertThat(example).contains(there);
        return example.replace(there, instead);
    }

    /** Sends the command, and waits until it has succeeded. */
    void scale(JobStatuses statuses, String wish, int to) {
        var scaling = scale(statuses, wish, ScaleStage.SUCCEEDED);
        assertThat(scaling.getTo()).isEqualTo(to);
    }

    /** Sends the command, waits until it has come to this end, and tells how it stands then. */
    JobScaling scale(JobStatuses statuses, String wish, ScaleStage end) {
        return scaled(statuses, command(wish), end);
    }

    /** Sends a command of scale; its id. */
    String command(String wish) {
        return new Admission(TheSystem.context())
                .change(namespace, job, "scale", JsonMapper.shared().readTree(wish))
                .requestId();
    }

    /** Waits until the command has come to this end, and tells how it stands then. */
    JobScaling scaled(JobStatuses statuses, String id, ScaleStage end) {
        await(end + " of " + id)
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    statuses.news();
                    var scaling = statuses.of(namespace, job).map(JobStatus::getScaling);
                    assertThat(scaling)
                            .hasValueSatisfying(at -> {
                                assertThat(at.getRequestId()).isEqualTo(id);
                                assertThat(at.getStage()).as(at.getMessage()).isEqualTo(end);
                            });
                });
        return statuses.of(namespace, job).orElseThrow().getScaling();
    }

    String log(KubernetesClient client, String pod) {
        return client.pods().inNamespace(namespace).withName(pod).getLog();
    }

    String log(KubernetesClient client) {
        return log(client, "%s-%s-0".formatted(job, teller));
    }

    /** The last step was done with these. */
    void awaitStepWith(KubernetesClient client, String workers) {
        await("a step with " + workers)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(steps(client).getLast().with())
                                .containsExactly(workers.split(" ")));
    }

    /** A step is done from now on with so many. */
    void awaitNextStepWith(KubernetesClient client, int workers) {
        int before = steps(client).size();
        await("another step with %d workers".formatted(workers))
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    var steps = steps(client);
                    assertThat(steps).hasSizeGreaterThan(before);
                    assertThat(steps.getLast().with()).hasSize(workers);
                });
    }

    /** So many are enough to see that it learns. */
    void awaitSteps(KubernetesClient client, int steps) {
        await(steps + " steps").atMost(PATIENCE).until(() -> steps(client).size() >= steps);
    }

    private List<StepLogs.Result> steps(KubernetesClient client) {
        return StepLogs.results(log(client).lines().toList());
    }

    /** From the first to the last, each once, and with less and less to lose. */
    void noStepIsLost(KubernetesClient client) {
        var steps = steps(client);
        assertThat(steps)
                .extracting(StepLogs.Result::step)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, steps.size()).boxed().toList());
        assertThat(steps.getLast().loss()).isLessThan(steps.getFirst().loss() / 100);
    }

    /** The same, and everyone who ever took part says so, too. */
    void noStepIsLost(KubernetesClient client, FollowedLogs logs) {
        noStepIsLost(client);
        var ended = logs.ended();
        assertThat(ended.master()).isEqualTo(log(client).lines().toList());
        assertThat(ended.wrong()).isEmpty();
    }

    static void kill(String process) throws Exception {
        signal(process, "KILL");
    }

    /**
     * Sends a signal to a process of a pod.
     *
     * @param signal its name, as {@code STOP}
     */
    static void signal(String process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, process).start().waitFor()).isZero();
    }
}
