package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.cli.kafka.Submissions;
import dev.muster.schemas.trainjob.TrainJobDocument;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.QueueSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code muster clone} and {@code muster retry}: jobs like one that has ended. */
class CloneIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String QUEUE = "clones";
    private static final String FIRST =
            """
            apiVersion: muster.dev/v1
            kind: TrainJob
            metadata: {name: first, namespace: %s, labels: {team: a}}
            spec:
              priority: 7
              cleanup: None
              failure: {backoffLimit: 5, rules: [{exitCodes: [42, 100-110], action: RestartPod}]}
              roles:
              - name: worker
                template:
                  spec:
                    containers:
                    - {name: main, image: busybox, command: [sh, -c, "echo first"]}
            """;

    @TempDir private static Path folder;
    private static String namespace;
    private static Requests requests;
    private static JobStatuses statuses;
    private static JobStatus first;

    @BeforeAll
    static void firstHasEnded() {
        TheSystem.context().write(folder.resolve("context.yaml"));
        namespace = TheSystem.namespace("clone");
        requests = Requests.open(TheSystem.context(), "clone test");
        statuses = JobStatuses.open(TheSystem.context());
        taken(requests.submit(Jobs.read(FIRST.formatted(namespace))));
        first = Jobs.end(statuses, namespace, "first");
        assertThat(first.getPhase()).as(first.getMessage()).isEqualTo(Phase.SUCCEEDED);
    }

    @AfterAll
    static void close() {
        requests.close();
        statuses.close();
    }

    @Test
    void aCloneRunsAsAJobOfItsOwnWithWhatIsSetAndNothingElse() throws Exception {
        taken(requests.put(QUEUE, QueueSpec.newBuilder().setPool("default").build()));
        var words =
                words(
                        clone("second"),
                        set("spec.queue=" + QUEUE),
                        set("spec.roles[worker].replicas=2"),
                        set("spec.roles[worker].template.spec.containers[main].image=alpine"),
                        set("spec.roles[0].template.spec.containers[0].command[2]=echo second"));
        var answer = cli(words);

        var second = succeeded("second");
        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.OK);
        assertThat(answer.text())
                .contains(
                        "%s/second submitted (uid %s)"
                                .formatted(namespace, second.getJob().getUid()));
        assertThat(second.getJob().getUid()).isNotEqualTo(first.getJob().getUid());
        assertThat(second.getRetryOf()).isNull();
        assertThat(second.getQueue()).isEqualTo(QUEUE);
        assertThat(second.getLabels()).isEqualTo(Map.of("team", "a"));
        var changed =
                FIRST.formatted(namespace)
                        .replace("name: first", "name: second")
                        .replace("priority: 7", "priority: 7\n  queue: " + QUEUE)
                        .replace("name: worker", "name: worker\n    replicas: 2")
                        .replace("image: busybox", "image: alpine")
                        .replace("echo first", "echo second");
        assertThat(asked(second))
                .isEqualTo(TrainJobDocument.of(namespace, "second", Jobs.read(changed).spec()));
        try (var client = TheSystem.administrator()) {
            assertThat(ran(client, "first")).containsExactly("busybox [sh, -c, echo first]");
            var one = "alpine [sh, -c, echo second]";
            assertThat(ran(client, "second")).containsExactly(one, one);
        }
    }

    @Test
    void aRetryRunsAgainAsANewSubmissionThatNamesTheOther() throws Exception {
        var answer = cli(Stream.of("retry", "first", "-n", namespace));

        var again = succeeded("first");
        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(ExitCode.OK);
        assertThat(again.getJob().getUid()).isNotEqualTo(first.getJob().getUid());
        assertThat(again.getRetryOf()).isEqualTo(first.getJob().getUid());
        assertThat(answer.text())
                .contains(
                        "%s/first submitted again (uid %s, retry of %s)"
                                .formatted(namespace, again.getJob().getUid(), again.getRetryOf()));
        assertThat(asked(again)).isEqualTo(asked(first));
        assertThat(PodLives.byRank(TheSystem.audit(), namespace).get("first/worker/0")).hasSize(2);
    }

    @Test
    void whatCannotBeClonedSaysSo() throws Exception {
        var unknown = cli(Stream.of("clone", "nobody", "-n", namespace, "--name", "third"));
        assertThat(unknown.exitCode()).as(unknown.text()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(unknown.text()).contains(namespace + "/nobody");

        var refused =
                cli(
                        words(
                                clone("third"),
                                set("spec.roles[worker].replicas=-1"),
                                set("spec.queu=b")));
        assertThat(refused.exitCode()).as(refused.text()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.text().lines().skip(1).map(line -> line.strip().split(" ")[0]))
                .containsExactlyInAnyOrder("spec.roles[0].replicas", "spec.queu");
        statuses.news();
        assertThat(statuses.of(namespace, "third")).isEmpty();
    }

    private static Stream<String> clone(String name) {
        return Stream.of("clone", "first", "-n", namespace, "--name", name);
    }

    private static Stream<String> set(String change) {
        return Stream.of("--set", change);
    }

    @SafeVarargs
    private static Stream<String> words(Stream<String>... parts) {
        return Arrays.stream(parts).flatMap(part -> part);
    }

    private static Manifests.Answer cli(Stream<String> words) throws Exception {
        return Cli.run(folder.resolve("context.yaml"), words.toList());
    }

    private static void taken(String requestId) {
        assertThat(requests.answer(requestId, PATIENCE).getOutcome()).isEqualTo(Outcome.ACCEPTED);
    }

    /** Its newest submission's end, which is not that of the first known. */
    private static JobStatus succeeded(String name) {
        var end = Jobs.endAfter(statuses, namespace, name, first.getJob());
        assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
        return end;
    }

    private static Map<String, Object> asked(JobStatus status) {
        var job = status.getJob();
        return Submissions.find(TheSystem.context(), namespace, job.getName(), job.getUid())
                .map(spec -> TrainJobDocument.of(namespace, job.getName(), spec))
                .orElseThrow();
    }

    private static List<String> ran(KubernetesClient client, String job) {
        return client
                .pods()
                .inNamespace(namespace)
                .withLabel("muster.dev/job", job)
                .list()
                .getItems()
                .stream()
                .map(pod -> pod.getSpec().getContainers().getFirst())
                .map(CloneIT::text)
                .toList();
    }

    private static String text(Container main) {
        return main.getImage() + " " + main.getCommand();
    }
}
