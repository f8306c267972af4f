package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.ExitCode;
import dev.muster.cli.kafka.Statuses;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobMoved;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** What is watched, and how a watch ends. */
@Timeout(20)
class GetCommandTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final JobRef RING = new JobRef("default", "ring", "3-7");
    private static final JobStatus QUEUED = Statuses.status(RING, Phase.QUEUED);
    private static final JobStatus RUNNING = Statuses.status(RING, Phase.RUNNING);

    private final StringWriter out = new StringWriter();

    private Function<JobStatus, String> shown(List<JobStatus> jobs, String... words) {
        return get(words).show(jobs, new PrintWriter(out));
    }

    private static GetCommand get(String... words) {
        var get = new GetCommand();
        new CommandLine(get).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words);
        return get;
    }

    @Test
    void aWatchInJsonIsALineForEachJobAndForEachChange() {
        var changes = shown(List.of(QUEUED), "-w", "-o", "json");

        var lines = (out + changes.apply(RUNNING)).lines().toList();

        assertThat(lines)
                .extracting(line ->
                        JsonMapper.shared().readTree(line).path("status").path("phase").asString())
                .containsExactly("Queued", "Running");
    }

    @Test
    void aWatchInYamlIsADocumentForEachJobAndForEachChange() {
        var changes = shown(List.of(QUEUED), "-w", "-o", "yaml");

        var text = out + changes.apply(RUNNING);

        assertThat(text.lines().filter(line -> line.equals("---"))).hasSize(2);
        assertThat(text).contains("  phase: Queued\n", "  phase: Running\n");
    }

    @Test
    void aWatchOfAJobThatIsNotThereYetBeginsWithNothing() {
        var changes = shown(List.of(), "nope", "-w", "-o", "json");
        assertThat(out.toString()).isEmpty();
        assertThat(changes.apply(RUNNING)).startsWith("{").endsWith("}\n");
    }

    @Test
    void withoutAWatchADocumentIsAsEver() {
        shown(List.of(QUEUED), "ring", "-o", "json");
        assertThat(out.toString()).startsWith("{\n");
    }

    @Test
    void jobsOfOneNameInAllNamespacesAreAList() {
        var other = Statuses.status(new JobRef("ml", "ring", "3-8"), Phase.RUNNING);
        shown(List.of(QUEUED, other), "ring", "-A", "-o", "json");
        assertThat(JsonMapper.shared().readTree(out.toString()))
                .extracting(job -> job.path("metadata").path("namespace").asString())
                .containsExactly("default", "ml");
    }

    @Test
    void oneJobInAllNamespacesIsAListToo() {
        shown(List.of(QUEUED), "ring", "-A", "-o", "json");
        assertThat(out.toString()).startsWith("[");
    }

    @Test
    void whatIsNotThereIsNamedWithItsNamespaceUnlessItWasSoughtInAll() {
        assertThat(get("x", "-n", "ml").asked("x")).isEqualTo("ml/x");
        assertThat(get("x", "-A").asked("x")).isEqualTo("x");
    }

    @Test
    void whereNoJobIsAsAskedForTheTableSaysSo() {
        shown(List.of(), "--queue", "a");
        shown(List.of(), "--ended", "-A");
        shown(List.of());
        assertThat(out.toString().lines())
                .containsExactly(
                        "no such jobs in namespace default",
                        "no such jobs",
                        "no jobs in namespace default");
    }

    @Test
    void aListInJsonOfNoJobIsEmptyAndOneOfManyIsWhole() {
        shown(List.of(), "-o", "json", "--living");
        assertThat(JsonMapper.shared().readTree(out.toString())).isEmpty();
        out.getBuffer().setLength(0);
        shown(List.of(QUEUED, RUNNING), "-o", "json");
        assertThat(out.toString()).startsWith("[ {\n").endsWith("} ]\n");
        assertThat(JsonMapper.shared().readTree(out.toString())).hasSize(2);
    }

    @Test
    void manyInYamlFollowEachOther() {
        shown(List.of(QUEUED, RUNNING), "-o", "yaml");
        assertThat(out.toString().lines().filter(line -> line.equals("---"))).hasSize(2);
    }

    @Test
    void aWatchEndsWhenNobodyReadsIt() {
        GetCommand.follow(() -> List.of(RUNNING), _ -> "line\n", pipe(3));
        GetCommand.follow(() -> List.of(RUNNING), _ -> "line\n", pipe(0));
    }

    @Test
    void eventsEndWhenNobodyReadsThemOrTheJobHasEnded() {
        assertThat(events().follow(() -> List.of(moved(Phase.RUNNING)), pipe(3))).isNull();

        Deque<JobEvent> events =
                new ArrayDeque<>(List.of(moved(Phase.RUNNING), moved(Phase.SUCCEEDED)));
        Supplier<List<JobEvent>> next = () -> List.of(events.remove());
        assertThat(events().follow(next, new PrintWriter(out))).isEqualTo(Phase.SUCCEEDED);
        assertThat(events).isEmpty();
    }

    @Test
    void eventsOfASubmissionThatWasPutAsideAreItsEnd() {
        var parked =
                JobStatus.newBuilder(Statuses.status(RING, Phase.REFUSED))
                        .setReason("Parked")
                        .setMessage("it was put aside")
                        .build();
        assertThat(events().show(parked, List.of(), new PrintWriter(out))).isEqualTo(Phase.REFUSED);
        assertThat(out.toString()).contains("job           Refused: Parked: it was put aside");
    }

    @Test
    void eventsOfAnEndedJobTellItsEndThoughItsLastIsNotKept() {
        var ended = Statuses.status(RING, Phase.SUCCEEDED);
        var kept = List.of(moved(Phase.RUNNING));
        assertThat(events().show(ended, kept, new PrintWriter(out))).isEqualTo(Phase.SUCCEEDED);
        assertThat(events().show(RUNNING, kept, new PrintWriter(out))).isNull();
        assertThat(out.toString().lines().map(line -> line.substring(line.lastIndexOf(' ') + 1)))
                .containsExactly("Running", "Succeeded", "Running");
    }

    @Test
    void endThatIsAmongTheEventsIsToldOnce() {
        var ended = Statuses.status(RING, Phase.SUCCEEDED);
        var kept = List.of(moved(Phase.RUNNING), moved(Phase.SUCCEEDED));
        assertThat(events().show(ended, kept, new PrintWriter(out))).isEqualTo(Phase.SUCCEEDED);
        assertThat(out.toString().lines()).hasSize(2);
    }

    @Test
    void whoFollowsAJobIsToldWhetherItSucceededByTheExitCode() {
        assertThat(EventsCommand.code(Phase.SUCCEEDED)).isZero();
        assertThat(EventsCommand.code(Phase.CANCELLED)).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(EventsCommand.code(null)).isZero();
    }

    @Test
    void eventsInJsonAreAListAndThoseThatAreFollowedALineEach() {
        var kept = List.of(moved(Phase.RUNNING), moved(Phase.FAILED));
        events("-o", "json").show(RUNNING, kept, new PrintWriter(out));
        assertThat(JsonMapper.shared().readTree(out.toString()))
                .extracting(event -> event.path("moved").path("to").asString())
                .containsExactly("Running", "Failed");
        out.getBuffer().setLength(0);
        assertThat(events("-f", "-o", "json").show(RUNNING, kept, new PrintWriter(out)))
                .isEqualTo(Phase.FAILED);
        assertThat(out.toString().lines())
                .extracting(line -> JsonMapper.shared().readTree(line).path("kind").asString())
                .containsExactly("Moved", "Moved");
    }

    @Test
    void eventsInYamlAreADocumentEach() {
        events("-o", "yaml").show(RUNNING, List.of(moved(Phase.RUNNING)), new PrintWriter(out));
        assertThat(out.toString()).startsWith("---\n").contains("  to: Running\n");
    }

    @Test
    void logsEndWhenNobodyReadsThem() {
        var gone = pipe(2);
        assertThat(LogsCommand.shown("one", gone)).isTrue();
        assertThat(LogsCommand.shown("two", gone)).isTrue();
        assertThat(LogsCommand.shown("three", gone)).isFalse();
    }

    @Test
    void theCommandsKnowWhetherTheStandardOutputIsRead() {
        var before = System.out;
        try {
            System.setOut(stream(1));
            var commands = MusterCommand.commandLine(false).getSubcommands();
            var gone = commands.get("logs").getOut();
            assertThat(LogsCommand.shown("one", gone)).isTrue();
            assertThat(LogsCommand.shown("two", gone)).isFalse();
        } finally {
            System.setOut(before);
        }
    }

    private static PrintWriter pipe(int writes) {
        return new PrintWriter(stream(writes), true, StandardCharsets.UTF_8);
    }

    /** As the standard output is: it throws nothing, and says when it is asked. */
    private static PrintStream stream(int writes) {
        var left = new int[] {writes};
        var broken =
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("one by one");
                    }

                    @Override
                    public void write(byte[] some, int from, int count) throws IOException {
                        if (left[0]-- <= 0) {
                            throw new IOException("Broken pipe");
                        }
                    }
                };
        return new PrintStream(broken, true, StandardCharsets.UTF_8);
    }

    private static EventsCommand events(String... words) {
        var events = new EventsCommand();
        new CommandLine(events)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(
                        Stream.concat(Stream.of("ring"), Stream.of(words)).toArray(String[]::new));
        return events;
    }

    private static JobEvent moved(Phase to) {
        return JobEvent.newBuilder()
                .setEnvelope(envelope())
                .setKind(JobEventKind.MOVED)
                .setJob(new JobRef("default", "ring", "3-7"))
                .setMoved(JobMoved.newBuilder().setTo(to).build())
                .build();
    }

    private static Envelope envelope() {
        return Envelope.newBuilder().setId("0-1/0").setAt(NOON).setActor("test").build();
    }
}
