package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.http.FakeAdmission;
import dev.muster.schemas.trainjob.SettingsDocument;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.QueuePolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Queues and pools of a file. */
class QueueApplyTest {
    private static final String FILE =
            """
            apiVersion: muster.dev/v1
            kind: Pool
            metadata: {name: gpus}
            spec: {policy: RoundRobin}
            ---
            apiVersion: muster.dev/v1
            kind: Queue
            metadata: {name: research}
            spec: {pool: gpus, limit: {cpu: 20}, namespaces: [ml, cv]}
            """;

    private static final String RESEARCH =
            """
            {"apiVersion":"muster.dev/v1","kind":"Queue","metadata":{"name":"research"},
             "spec":{"pool":"gpus","weight":%d,"paused":true,"backfill":true,"maxWaiting":1000000,
             "limit":{%s},"borrowing":true,"order":"Priority","reserveAfter":"5m",
             "defaultPriority":0,"namespaces":["cv","ml"],"draining":true},
             "status":{"waiting":2}}
            """;

    private final FakeAdmission admission = new FakeAdmission();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir Path folder;

    @BeforeEach
    void writeTheFiles() throws IOException {
        admission.context().write(folder.resolve("context.yaml"));
        Files.writeString(folder.resolve("queues.yaml"), FILE);
    }

    @AfterEach
    void stop() {
        admission.close();
    }

    @Test
    void whatOperatorsSwitchIsSentOnlyWhereTheFileNamesIt() throws IOException {
        var queue = FILE.substring(FILE.indexOf("---"));
        Files.writeString(
                folder.resolve("queues.yaml"),
                queue + queue.replace("research", "vision").replace("gpus", "gpus, paused: false"));
        admission.says(200, "{}").says(200, "{}");
        assertThat(apply()).isEqualTo(ExitCode.OK);
        assertThat(admission.asked().getFirst()).doesNotContain("paused", "draining");
        assertThat(admission.asked().getLast())
                .contains("\"paused\":false")
                .doesNotContain("draining");
    }

    @Test
    void whatWasSoBeforeIsUnchanged() {
        admission.says(200, "{\"outcome\":\"Accepted\"}");
        admission.says(200, "{\"outcome\":\"Accepted\",\"message\":\"unchanged\"}");
        assertThat(apply()).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("pool gpus set\nqueue research unchanged\n");
    }

    @Test
    void whatIsKeptIsThere() {
        admission.says(200, "{\"outcome\":\"Accepted\"}");
        admission.says(200, "{\"outcome\":\"Accepted\",\"message\":\"unchanged\"}");
        assertThat(apply("--keep")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("pool gpus is there\nqueue research is there\n");
    }

    @Test
    void dryRunSaysWhatWouldChangeAndChangesNothing() {
        admission.says(404, "{}");
        admission.says(200, RESEARCH.formatted(3, "\"cpu\":\"10\",\"memory\":\"1Gi\""));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.DIFFERS);
        assertThat(admission.asked())
                .containsExactly("GET /v1/pools/gpus ", "GET /v1/queues/research ");
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        """
                        pool gpus: would be made
                        queue research: limit.cpu 10 -> 20, limit.memory 1Gi -> none, weight 3 -> 1
                        """);
    }

    @Test
    void dryRunOfWhatIsThereSaysSo() {
        admission.says(200, gpus(QueuePolicy.ROUND_ROBIN));
        admission.says(200, RESEARCH.formatted(1, "\"cpu\":\"20\""));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("pool gpus: unchanged\nqueue research: unchanged\n");
    }

    @Test
    void dryRunOfWhatIsKeptTellsOnlyWhatWouldBeMade() {
        admission.says(200, gpus(QueuePolicy.FIFO));
        admission.says(404, "{}");
        assertThat(apply("--dry-run", "--keep")).isEqualTo(ExitCode.DIFFERS);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "pool gpus: unchanged\nqueue research: would be made\n");
    }

    @Test
    void allOfAFileIsSentByTheIdThatItHadBefore() {
        admission.says(200, "{}").says(200, "{}");
        assertThat(apply("--request-id", "r1")).isEqualTo(ExitCode.OK);
        assertThat(admission.keys()).containsExactly("r1/pool", "r1");
    }

    @Test
    void whereTheLastIsNotAnsweredTheIdIsThatOfTheWholeFile() {
        admission.says(200, "{}").says(500, "{\"detail\":\"broken\"}");
        assertThat(apply()).isEqualTo(ExitCode.FAILED);
        var id = admission.keys().getLast();
        assertThat(admission.keys()).containsExactly(id + "/pool", id);
        assertThat(err.toString())
                .contains("the same command with --request-id " + id + " does it at most once");
    }

    /** Who asks knows an answer by name and id: that of the one would be taken for the other's. */
    @Test
    void poolAndQueueOfOneNameAreAskedForByIdsOfTheirOwn() throws IOException {
        Files.writeString(
                folder.resolve("queues.yaml"), FILE.replaceAll("gpus|research", "default"));
        for (int i = 0; i < 4; i++) {
            admission.says(200, "{}");
        }
        assertThat(apply()).isEqualTo(ExitCode.OK);
        assertThat(apply("--request-id", "r1")).isEqualTo(ExitCode.OK);
        assertThat(admission.keys()).hasSize(4).doesNotHaveDuplicates().endsWith("r1/pool", "r1");
    }

    @Test
    void whereThePoolIsAnsweredLateTheIdIsThatOfTheWholeFile() {
        for (int i = 0; i < 3; i++) {
            admission.says(202, "{\"outcome\":\"Pending\",\"requestId\":\"r1/pool\"}");
        }
        assertThat(apply("--request-id", "r1")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .endsWith("the same command with --request-id r1 does it at most once\n");
    }

    /** The pool remembers no more: given again whole, all of it would be done again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "31 | the same command with --request-id r1 does it at most once",
                "32 | the same command with only the rest of the file, from queue last on (what"
                        + " stands before it is done), and --request-id r1 does it at most once"
            })
    void ofAFileThatItsPoolForgetsOnlyTheRestIsGivenAgain(int done, String hint)
            throws IOException {
        var queue = FILE.substring(FILE.indexOf("---"));
        var file = new StringBuilder(FILE.replace("gpus", "other"));
        for (int i = 0; i < done; i++) {
            file.append(queue.replace("research", "queue-" + i));
            admission.says(200, "{}");
        }
        Files.writeString(
                folder.resolve("queues.yaml"),
                file.append(queue.replace("research", "last")).toString());
        admission.says(200, "{}").says(200, "{}").says(500, "{\"detail\":\"broken\"}");
        assertThat(apply("--request-id", "r1")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains(hint);
    }

    /** The second would be taken for a repeat of the first. */
    @Test
    void fileThatNamesAQueueTwiceIsNotApplied() throws IOException {
        Files.writeString(
                folder.resolve("queues.yaml"), FILE + FILE.substring(FILE.indexOf("---")));
        assertThat(apply()).isEqualTo(ExitCode.REFUSED);
        assertThat(admission.asked()).isEmpty();
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        """
                        muster: the file cannot be applied:
                          [2].metadata.name is the name of an earlier document of its kind (given: research)
                        """);
    }

    @Test
    void dryRunOfWhatSaysNothingMoreIsUnchanged() throws IOException {
        Files.writeString(
                folder.resolve("queues.yaml"),
                FILE.substring(FILE.indexOf("---"))
                        .replace("[ml, cv]", "[ml, cv, ml], guaranteed: {cpu: 0, memory: 0}"));
        admission.says(200, RESEARCH.formatted(1, "\"cpu\":\"20\""));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).isEqualToNormalizingNewlines("queue research: unchanged\n");
    }

    /** A limit of nothing is one. */
    @Test
    void dryRunTellsALimitOfNothing() throws IOException {
        Files.writeString(
                folder.resolve("queues.yaml"),
                FILE.substring(FILE.indexOf("---"))
                        .replace("cpu: 20", "cpu: 20, memory: 0}, lendLimit: {cpu: 0"));
        admission.says(200, RESEARCH.formatted(1, "\"cpu\":\"20\""));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.DIFFERS);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "queue research: lendLimit.cpu none -> 0, limit.memory none -> 0\n");
    }

    /** A label, a queue or a group may be called none. */
    @Test
    void dryRunTellsNoneFromNothing() throws IOException {
        Files.writeString(
                folder.resolve("queues.yaml"),
                FILE.replace("policy: RoundRobin", "policy: RoundRobin, nodeSelector: {gpu: none}")
                        .replace("namespaces:", "group: none, namespaces:"));
        admission.says(200, gpus(QueuePolicy.ROUND_ROBIN));
        admission.says(200, RESEARCH.formatted(1, "\"cpu\":\"20\""));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.DIFFERS);
        Files.writeString(folder.resolve("queues.yaml"), FILE);
        admission.says(
                200,
                shown(
                        PoolSpec.newBuilder()
                                .setPolicy(QueuePolicy.ROUND_ROBIN)
                                .setBackendQueue("none")));
        admission.says(200, RESEARCH.formatted(1, "\"cpu\":\"20\""));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.DIFFERS);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        """
                        pool gpus: nodeSelector.gpu none -> "none"
                        queue research: group none -> "none"
                        pool gpus: backendQueue "none" -> none
                        queue research: unchanged
                        """);
    }

    /**
     * The pool keeps them as they were sent; only a queue's namespaces have an order of its own.
     */
    @Test
    void dryRunTellsAnotherOrderOfTaints() throws IOException {
        Files.writeString(
                folder.resolve("queues.yaml"),
                FILE.substring(0, FILE.indexOf("---"))
                        .replace("RoundRobin", "RoundRobin, notices: {taints: [b, a]}"));
        admission.says(
                200,
                shown(
                        PoolSpec.newBuilder()
                                .setPolicy(QueuePolicy.ROUND_ROBIN)
                                .setNoticeTaints(List.of("a", "b"))));
        assertThat(apply("--dry-run")).isEqualTo(ExitCode.DIFFERS);
        assertThat(out.toString())
                .isEqualToNormalizingNewlines("pool gpus: notices.taints [a, b] -> [b, a]\n");
    }

    private static String gpus(QueuePolicy policy) {
        return shown(PoolSpec.newBuilder().setPolicy(policy));
    }

    /** As it is shown, with its number. */
    private static String shown(PoolSpec.Builder gpus) {
        var spec = gpus.setNumber(3).build();
        var document = SettingsDocument.of(new PoolSetting("gpus", spec));
        return JsonMapper.shared().writeValueAsString(document);
    }

    private int apply(String... more) {
        var words =
                Stream.of(
                        "queue",
                        "apply",
                        "-f",
                        folder.resolve("queues.yaml").toString(),
                        "--context",
                        folder.resolve("context.yaml").toString());
        return MusterCommand.commandLine(false)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(words, Arrays.stream(more)).toArray(String[]::new));
    }
}
