package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.http.FakeAdmission;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands ask of admission, and what they say. */
class ChangesTest {
    private static final String RESEARCH =
            """
            {"apiVersion":"muster.dev/v1","kind":"Queue","metadata":{"name":"research"},
             "spec":{"pool":"default","weight":3,"limit":{"cpu":"20"}},
             "status":{"waiting":2,"running":1,"used":{"cpu":"1500m"}}}
            """;

    private final FakeAdmission admission = new FakeAdmission();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir Path folder;

    @BeforeEach
    void writeTheContext() {
        admission.context().write(folder.resolve("context.yaml"));
    }

    @AfterEach
    void stop() {
        admission.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "cancel a | POST /v1/jobs/default/a/cancel {} | default/a cancelled",
                "hold a | POST /v1/jobs/default/a/hold {} | default/a held",
                "hold a -n ml -m why | POST /v1/jobs/ml/a/hold {\"message\":\"why\"} | ml/a held",
                "release a | POST /v1/jobs/default/a/release {} | default/a released",
                "priority a --to -7 | POST /v1/jobs/default/a/priority {\"priority\":-7} | default/a set to priority -7",
                "move a --to b | POST /v1/jobs/default/a/move {\"queue\":\"b\"} | default/a moved to b",
                "suspend a --grace-period 5s | POST /v1/jobs/default/a/suspend {\"gracePeriod\":\"5s\"} | default/a suspended",
                "resume a | POST /v1/jobs/default/a/resume {} | default/a resumed",
                "include-node a | POST /v1/jobs/default/a/include-node {} | default/a changed",
                "include-node a --node n1 | POST /v1/jobs/default/a/include-node {\"node\":\"n1\"} | default/a changed",
                "retry a --uid 3-10 | POST /v1/jobs/default/a/retry?uid=3-10 {} | default/a submitted again (uid , retry of 3-10)",
                "force-delete a --uid 3-9 | POST /v1/jobs/default/a/force-delete?uid=3-9 {} | default/a forced",
                "force-delete a | POST /v1/jobs/default/a/force-delete {} | default/a forced"
            })
    void oneJobIsChangedByItsName(String line, String asked, String said) {
        admission.says(200, "{\"outcome\":\"Done\"}");
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.OK);
        assertThat(admission.asked()).containsExactly(asked);
        assertThat(out.toString()).isEqualToNormalizingNewlines(said + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "scale a worker=8 | {\"role\":\"worker\",\"replicas\":8}",
                "scale a --out worker=2 --timeout 5m --best-effort | {\"role\":\"worker\",\"out\":2,\"timeout\":\"5m\",\"bestEffort\":true}",
                "scale a --in worker=2 --drain 30s | {\"role\":\"worker\",\"in\":2,\"drain\":\"30s\"}",
                "scale a --in-names worker-3,worker-1 --dry-run | {\"role\":\"worker\",\"names\":[\"worker-3\",\"worker-1\"],\"dryRun\":true}",
                "scale a --in worker=2 --drain 0s | {\"role\":\"worker\",\"in\":2,\"drain\":\"0s\"}",
                "scale a --cancel | {\"cancel\":true}",
                "scale a --cancel --wait | {\"cancel\":true}",
                "scale a --cancel --id r1 | {\"cancel\":true,\"command\":\"r1\"}"
            })
    void jobIsScaled(String line, String body) {
        admission.says(200, "{\"outcome\":\"Accepted\",\"message\":\"worker goes from 3 to 4\"}");
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.OK);
        assertThat(admission.asked()).containsExactly("POST /v1/jobs/default/a/scale " + body);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("default/a: worker goes from 3 to 4\n");
    }

    @ParameterizedTest
    @CsvSource({
        "hold a, with",
        "hold --queue a, with",
        "scale a --out worker=2, with",
        "scale a --out worker=2 --wait --dry-run, with",
        "scale a --cancel --wait, with",
        "queue put a weight=3, with",
        "queue pause a, with",
        "queue resume a, with",
        "queue drain a, with",
        "queue delete a, with",
        "pool put a policy=Fifo, with",
        "retry a --uid 3-10, with --uid 3-10"
    })
    void changeIsSentByTheIdThatItHadBefore(String line, String with) {
        admission.says(202, "{}").says(202, "{}");
        admission.says(202, "{\"outcome\":\"Pending\",\"requestId\":\"r1\"}");
        var words = (line + " --request-id r1").split(" ");
        assertThat(run(words)).isEqualTo(ExitCode.FAILED);
        assertThat(admission.keys()).containsExactly("r1", "r1", "r1");
        assertThat(err.toString())
                .endsWith(
                        " was sent, but nobody answered in time: whether it was done is not known;"
                                + " the same command "
                                + with
                                + " --request-id r1 does it at most once\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scale a worker=5 --wait | without --wait, with",
                "scale a worker=5 --wait --dry-run | with",
                "scale a --cancel --wait | with",
                "scale a worker=5 | with"
            })
    void sizeThatIsWaitedForIsAskedForAgainWithoutWaiting(String line, String again) {
        var parsed = MusterCommand.commandLine(false).parseArgs(line.split(" "));
        var scale = (ScaleCommand) parsed.subcommand().commandSpec().userObject();
        assertThat(scale.again()).isEqualTo(again);
    }

    @Test
    void idOfTheCommandIsTold() {
        admission.says(200, "{\"message\":\"worker goes to 4\",\"requestId\":\"r1\"}");
        assertThat(run("scale", "a", "worker=4")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "default/a: worker goes to 4\ndefault/a: command r1\n");
    }

    @Test
    void hookOfAScaleIsReadFromItsFile() throws IOException {
        var file = folder.resolve("hook.yaml");
        Files.writeString(file, "command: [tell, a b]\ntimeout: 30s\n");
        admission.says(200, "{\"outcome\":\"Accepted\",\"message\":\"said\"}");
        assertThat(run("scale", "a", "worker=8", "--hook", file.toString())).isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly(
                        "POST /v1/jobs/default/a/scale {\"role\":\"worker\",\"replicas\":8,"
                                + "\"hook\":{\"command\":[\"tell\",\"a b\"],\"timeout\":\"30s\"}}");
    }

    @Test
    void hookThatIsNoYamlIsALine() throws IOException {
        var file = folder.resolve("hook.yaml");
        Files.writeString(file, "command: [tell");
        assertThat(run("scale", "a", "worker=8", "--hook", file.toString()))
                .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("muster: " + file + " is no YAML: ");
        assertThat(admission.asked()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "scale a",
        "scale a worker",
        "scale a worker=2 --out worker=1",
        "scale a worker=2 --cancel",
        "scale a worker=2 --id r1",
        "scale a --out worker=1 --cancel",
        "scale a --in-names x",
        "scale a worker=2 --wait --request-id r1"
    })
    void sizeThatIsNoneIsWrongUsage(String line) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(admission.asked()).isEmpty();
    }

    @Test
    void manyJobsAreChangedAtOnceAndCounted() {
        admission.says(200, "{\"outcome\":\"Done\",\"counts\":{\"meant\":4,\"changed\":3}}");
        assertThat(
                        run(
                                "move", "--queue", "a", "-l", "team=x", "-l", "k=v", "-n", "ml",
                                "--to", "b"))
                .isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly(
                        "POST /v1/queues/a/jobs:change {\"labels\":{\"team\":\"x\",\"k\":\"v\"},"
                                + "\"namespace\":\"ml\",\"change\":{\"queue\":\"b\",\"kind\":\"Move\"}}");
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("jobs of queue a moved to b: 3 of 4 changed\n");
    }

    @Test
    void aWholePoolIsChangedToo() {
        admission.says(200, "{\"outcome\":\"Done\"}");
        assertThat(run("hold", "--pool", "gpus")).isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly(
                        "POST /v1/pools/gpus/jobs:change {\"change\":{\"kind\":\"Hold\"}}");
    }

    @Test
    void aPoolIsToForgetWhatItHoldsAgainstANode() {
        admission.says(
                200, "{\"outcome\":\"Done\",\"counts\":{\"meant\":4,\"changed\":4,\"nodes\":1}}");
        assertThat(run("include-node", "--pool", "gpus", "--node", "n7")).isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly(
                        "POST /v1/pools/gpus/jobs:change"
                                + " {\"change\":{\"node\":\"n7\",\"kind\":\"IncludeNode\"}}");
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "jobs of pool gpus changed: 4 of 4 changed, 1 node relied on again\n");
    }

    @Test
    void onlyWhatIsNamedOfAQueueIsSent() {
        admission.says(200, "{\"outcome\":\"Accepted\"}");
        assertThat(
                        run(
                                "queue",
                                "put",
                                "research",
                                "weight=5",
                                "limit.nvidia.com/gpu=8",
                                "limit.cpu="))
                .isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly(
                        "PATCH /v1/queues/research?create=true {\"spec\":{\"weight\":5,"
                                + "\"limit\":{\"nvidia.com/gpu\":8,\"cpu\":null}}}");
        assertThat(out.toString()).isEqualToNormalizingNewlines("queue research set\n");
    }

    @Test
    void onlyWhatIsNamedOfAPoolIsSent() {
        admission.says(200, "{\"outcome\":\"Accepted\"}");
        assertThat(run("pool", "put", "gpus", "nodeSelector.example.com/zone=1", "aging.step=1m"))
                .isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly(
                        "PATCH /v1/pools/gpus?create=true {\"spec\":{\"nodeSelector\":"
                                + "{\"example.com/zone\":\"1\"},\"aging\":{\"step\":\"1m\"}}}");
        assertThat(out.toString()).isEqualToNormalizingNewlines("pool gpus set\n");
    }

    @ParameterizedTest
    @CsvSource({
        "pause, '\"paused\":true', paused",
        "resume, '\"paused\":false,\"draining\":false', resumed",
        "drain, '\"draining\":true', draining"
    })
    void aQueueIsSwitched(String command, String field, String said) {
        admission.says(200, "{\"outcome\":\"Accepted\"}");
        assertThat(run("queue", command, "research")).isEqualTo(ExitCode.OK);
        assertThat(admission.asked())
                .containsExactly("PATCH /v1/queues/research {\"spec\":{" + field + "}}");
        assertThat(out.toString()).isEqualToNormalizingNewlines("queue research " + said + "\n");
    }

    @Test
    void aQueueThatIsNotThereIsNotSwitched() {
        admission.says(404, "{\"detail\":\"no queue nowhere is known\"}");
        assertThat(run("queue", "pause", "nowhere")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines("muster: no queue nowhere is known\n");
    }

    @Test
    void whatIsNoFieldIsALine() {
        assertThat(run("queue", "put", "research", "weight")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "muster: weight is no FIELD=VALUE, as in weight=3 or limit.cpu=20\n");
    }

    @Test
    void queuesAreShownAsATable() {
        admission.says(200, "{\"items\":[" + RESEARCH + "]}");
        assertThat(run("queue", "get")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        """
                        NAME       POOL      WEIGHT   WAITING   RUNNING   STATE   USED
                        research   default   3        2         1         Open    cpu=1500m
                        """);
    }

    @Test
    void oneQueueIsShownAsItsFile() {
        admission.says(200, RESEARCH);
        assertThat(run("queue", "get", "research", "-o", "yaml")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        """
                        apiVersion: muster.dev/v1
                        kind: Queue
                        metadata:
                          name: research
                        spec:
                          pool: default
                          weight: 3
                          limit:
                            cpu: '20'
                        status:
                          waiting: 2
                          running: 1
                          used:
                            cpu: 1500m
                        """);
    }

    @Test
    void aQueueMayDrainBeforeItGoes() {
        admission.says(200, "{\"outcome\":\"Accepted\"}");
        assertThat(run("queue", "delete", "research", "--drain")).isEqualTo(ExitCode.OK);
        assertThat(admission.asked()).containsExactly("DELETE /v1/queues/research?drain=true ");
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("queue research draining, then deleted\n");
    }

    private int run(String... words) {
        var context = Stream.of("--context", folder.resolve("context.yaml").toString());
        return MusterCommand.commandLine(false)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Arrays.stream(words), context).toArray(String[]::new));
    }
}
