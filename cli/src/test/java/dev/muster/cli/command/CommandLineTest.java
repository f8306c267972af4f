package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gte | muster: Unmatched argument at index 0: 'gte' (see: muster --help)",
                "submit | muster: Missing required option: '--file=FILE' (see: muster submit --help)",
                "queue apply | muster: Missing required option: '--file=FILE' (see: muster queue apply --help)",
                "hold | muster: name one of JOB, --queue=QUEUE and --pool=POOL (see: muster hold --help)",
                "resume a --pool=b | muster: name one of JOB, --queue=QUEUE and --pool=POOL (see: muster resume --help)",
                "hold a -l b=c | muster: --label goes with --queue or --pool, not with one job (see: muster hold --help)",
                "release a -m why | muster: Unknown options: '-m', 'why' (see: muster release --help)",
                "priority a | muster: Missing required option: '--to=N' (see: muster priority --help)",
                "explain | muster: Missing required parameter: 'JOB' (see: muster explain --help)",
                "explain a --at=noon | muster: Invalid value for option '--at': 'noon' is no time, as in 19:30, 19:30:05, 2026-11-21T19:30 or 2026-11-21T18:30:00Z (see: muster explain --help)",
                "what-if | muster: say what is altered: --weight, --limit, --policy, --nodes or --without-node (see: muster what-if --help)",
                "what-if --policy=Lottery | muster: Invalid value for option '--policy': 'Lottery' is no policy: known are SmoothWeightedRoundRobin, RoundRobin, Fifo, DominantShare (see: muster what-if --help)",
                "what-if --weight=a=x | muster: 'x' in a=x is no number of 1 or more (see: muster what-if --help)",
                "what-if --limit=a=memory=2E | muster: '2E' in a=memory=2E is no limit: it must be at most 1,000,000,000,000,000,000 (see: muster what-if --help)",
                "what-if --limit=a=cpu=2P | muster: '2P' in a=cpu=2P is no limit: it must be at most 1,000,000,000,000,000 (see: muster what-if --help)",
                "what-if --weight=a=1000001 | muster: '1000001' in a=1000001 is no weight: it must be 1 to 1,000,000 (see: muster what-if --help)",
                "what-if --limit=a=cpu=x | muster: 'x' in a=cpu=x must be a quantity of Kubernetes that is not negative, as in 500m, 2, 1.5 or 16Gi (see: muster what-if --help)",
                "what-if --nodes +x like n | muster: 'x' in +x like n is no number of 1 or more (see: muster what-if --help)",
                "what-if --nodes +10001 like n | muster: '10001' in +10001 like n is no number of nodes: it must be 1 to 10,000 (see: muster what-if --help)",
                "what-if --nodes +9999 like n --nodes +2 like m | muster: --nodes adds 10,001 nodes in all: it must be 1 to 10,000 (see: muster what-if --help)",
                "clone a --name=b --uid=rubbish | muster: Invalid value for option '--uid': 'rubbish' is no uid, as in 3-4711 (see: muster clone --help)",
                "retry a --uid=rubbish | muster: Invalid value for option '--uid': 'rubbish' is no uid, as in 3-4711 (see: muster retry --help)",
                "force-delete a --uid=rubbish | muster: Invalid value for option '--uid': 'rubbish' is no uid, as in 3-4711 (see: muster force-delete --help)",
                "hold a --request-id=ä | muster: Invalid value for option '--request-id': 'ä' is no id: it must be letters, digits and signs (see: muster hold --help)",
                "replay --file=a --save=b | muster: --save writes what the topic has, and does not go with --file (see: muster replay --help)",
                "queue drain | muster: Missing required parameter: 'NAME' (see: muster queue drain --help)",
                "events | muster: Missing required parameter: 'JOB' (see: muster events --help)",
                "logs | muster: Missing required parameter: 'NAME' (see: muster logs --help)",
                "logs a --tail=x | muster: Invalid value for option '--tail': 'x' is not an int (see: muster logs --help)"
            })
    void aWrongCommandLineIsOneLineThatNamesTheHelp(String line, String told) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).isEqualToNormalizingNewlines(told + "\n");
    }

    @Test
    void aFileThatIsNotThereIsOneLine() {
        assertThat(run("submit", "-f", "no-such-file")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines("muster: there is no file no-such-file\n");
    }

    @Test
    void aSavedLogIsNotWrittenOverWhereItIsNamedToBeReadToo(@TempDir Path folder)
            throws IOException {
        var file = Files.writeString(folder.resolve("saved"), "what was saved");
        assertThat(run("replay", "--file=" + file, "--save=" + file)).isEqualTo(ExitCode.USAGE);
        assertThat(file).hasContent("what was saved");
    }

    @Test
    void everyProblemOfAQueueFileIsALine(@TempDir Path folder) throws IOException {
        var file = folder.resolve("queues.yaml");
        Files.writeString(file, "apiVersion: muster.dev/v1\nkind: Queue\nspec: {weigth: 0}\n");
        assertThat(run("queue", "apply", "-f", file.toString())).isEqualTo(ExitCode.REFUSED);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        """
                        muster: the file cannot be applied:
                          spec.weigth is not a known field; did you mean weight?
                          metadata is required
                        """);
    }

    @Test
    void helpNamesTheExitCodes() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("Exit codes:", "3   the request was refused");
    }

    @Test
    void helpNamesAllExitCodes() throws IllegalAccessException {
        var codes = new ArrayList<String>();
        for (var constant : ExitCode.class.getFields()) {
            codes.add(" " + constant.getInt(null));
        }
        var told = MusterCommand.class.getAnnotation(Command.class).exitCodeList();
        assertThat(told)
                .extracting(entry -> entry.substring(0, entry.indexOf(':')))
                .containsExactlyElementsOf(codes.stream().sorted().toList());
    }

    @Test
    void theContextThatIsWrittenIsRead(@TempDir Path folder) {
        var file = folder.resolve("new").resolve("context.yaml");
        var context = new Context("http://a:1", "b:2", "http://c:3", Path.of("/d e/k.yaml"));
        context.write(file);
        assertThat(Context.read(file)).isEqualTo(context);
    }

    @Test
    void aContextHasToSayWhereAdmissionIs(@TempDir Path folder) throws IOException {
        var file = folder.resolve("context.yaml");
        Files.writeString(file, "bootstrapServers: b:2\n");
        assertThatThrownBy(() -> Context.read(file)).hasMessage(file + " lacks admission");
    }

    @Test
    void aCommandThatNeedsMoreOfTheContextSaysSo(@TempDir Path folder) throws IOException {
        var file = folder.resolve("context.yaml");
        Files.writeString(file, "admission: http://a:1\nkubeconfig: ''\n");
        var context = Context.read(file);
        assertThat(context.admission()).isEqualTo("http://a:1");
        assertThatThrownBy(context::bootstrapServers)
                .hasMessage("this command needs bootstrapServers in the context file");
        assertThatThrownBy(context::registry)
                .hasMessage("this command needs registry in the context file");
        assertThatThrownBy(context::kubeconfig)
                .hasMessage("this command needs kubeconfig in the context file");
    }

    private int run(String... words) {
        return MusterCommand.commandLine(false)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
