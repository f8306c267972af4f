package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.deploy.StepLogs.Life;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StepLogsTest {
    private static final List<String> MASTER =
            List.of(
                    "step 1: share 4",
                    "step 1: loss 4 with nobody else",
                    "step 2: share 3",
                    "step 2: loss 2 with worker-0",
                    "nobody hears how fast it trains: refused",
                    "step 3: share 0.3",
                    "step 3: loss 0.2 with worker-0 worker-1");
    private static final Life FIRST =
            new Life(
                    "worker-0",
                    List.of(
                            "worker 0 is process 17",
                            "step 2: share 1",
                            "step 2: loss 2 with worker-0",
                            "step 3: share 0.1",
                            "step 3: loss 0.2 with worker-0 worker-1"));
    private static final Life SECOND =
            new Life(
                    "worker-1",
                    List.of("step 3: share 0.2", "step 3: loss 0.2 with worker-0 worker-1"));

    @Test
    void logsThatAgreeAreRight() {
        assertThat(new StepLogs(MASTER, List.of(FIRST, SECOND)).wrong()).isEmpty();
    }

    @Test
    void whoWasKilledNeedNotHaveHeardTheResultOfItsLastStep() {
        var killed = without(SECOND, "step 3: loss 0.2 with worker-0 worker-1");
        assertThat(new StepLogs(MASTER, List.of(FIRST, killed)).wrong()).isEmpty();
    }

    @Test
    void whoWasKilledMayHaveGivenAShareThatWasLeftOut() {
        var killed = new Life("worker-2", List.of("step 2: share 9"));
        assertThat(new StepLogs(MASTER, List.of(FIRST, killed, SECOND)).wrong()).isEmpty();
    }

    @Test
    void launcherGivesNoShareAndItsWorkersDo(@TempDir Path folder) throws Exception {
        var launcher =
                List.of(
                        "step 1: loss 4 with worker-0",
                        "step 2: loss 2 with worker-0 worker-1",
                        "worker-1 ended with 213");
        Files.write(folder.resolve("worker-1-18.log"), List.of("step 2: share 3"));
        var first = folder.resolve("worker-0-17.log");
        Files.write(first, List.of("step 1: share 4", launcher.getFirst(), "step 2: share 1"));
        assertThat(StepLogs.ofLauncher(launcher, folder).wrong()).isEmpty();
        Files.write(first, List.of("step 1: share 4", launcher.getFirst()));
        assertThat(StepLogs.ofLauncher(launcher, folder).wrong())
                .containsExactly(
                        "step 2 was done by 0 processes of worker-0",
                        "step 2 has loss 2.000, and its shares 3.000");
    }

    @Test
    void aNameMayBeOfOneProcessAfterTheOther() {
        var master = new ArrayList<>(MASTER);
        master.addAll(List.of("step 4: share 0.1", "step 4: loss 0.3 with worker-1"));
        var again =
                new Life(
                        "worker-1", List.of("step 4: share 0.5", "step 4: loss 0.3 with worker-1"));
        assertThat(new StepLogs(master, List.of(FIRST, SECOND, again)).wrong()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void logsThatDisagreeAreWrong(List<String> master, List<Life> workers, String sentence) {
        assertThat(new StepLogs(master, workers).wrong()).contains(sentence);
    }

    static Stream<Arguments> logsThatDisagreeAreWrong() {
        var step = "step 3: loss 0.2 with worker-0 worker-1";
        return Stream.of(
                argumentSet(
                        "a step is lost",
                        without(MASTER, "step 2: loss 2 with worker-0"),
                        List.of(FIRST, SECOND),
                        "the master's step 2 is 3"),
                argumentSet(
                        "a step is done twice",
                        with(MASTER, step),
                        List.of(FIRST, SECOND),
                        "the master's step 4 is 3"),
                argumentSet(
                        "a share is counted that is not in the result",
                        instead(MASTER, step, "step 3: loss 0.3 with worker-0 worker-1"),
                        List.of(
                                new Life(
                                        "worker-0",
                                        instead(
                                                FIRST.log(),
                                                step,
                                                "step 3: loss 0.3 with worker-0 worker-1")),
                                new Life(
                                        "worker-1",
                                        instead(
                                                SECOND.log(),
                                                step,
                                                "step 3: loss 0.3 with worker-0 worker-1"))),
                        "step 3 has loss 0.3000, and its shares 0.2000"),
                argumentSet(
                        "the master's own share is missing",
                        without(MASTER, "step 3: share 0.3"),
                        List.of(FIRST, SECOND),
                        "step 3 has 0 shares of the master"),
                argumentSet(
                        "a member never did it",
                        MASTER,
                        List.of(FIRST),
                        "step 3 was done by 0 processes of worker-1"),
                argumentSet(
                        "a member never heard of it and went on",
                        MASTER,
                        List.of(without(FIRST, "step 2: loss 2 with worker-0"), SECOND),
                        "step 2 was done by 0 processes of worker-0"),
                argumentSet(
                        "a member did it in two processes",
                        MASTER,
                        List.of(FIRST, SECOND, SECOND),
                        "step 3 was done by 2 processes of worker-1"),
                argumentSet(
                        "a process did it twice",
                        MASTER,
                        List.of(FIRST, with(SECOND, "step 3: share 0.2")),
                        "worker-1 did step 3 after 3"),
                argumentSet(
                        "a process goes back",
                        MASTER,
                        List.of(with(FIRST, "step 1: share 1"), SECOND),
                        "worker-0 did step 1 after 3"),
                argumentSet(
                        "a member heard another result",
                        MASTER,
                        List.of(
                                FIRST,
                                new Life(
                                        "worker-1",
                                        List.of(
                                                "step 3: share 0.2",
                                                "step 3: loss 0.25 with worker-0 worker-1"))),
                        "worker-1 heard another result:"
                                + " Result[step=3, loss=0.25, with=[worker-0, worker-1]]"),
                argumentSet(
                        "the master knows nothing of a step",
                        MASTER,
                        List.of(with(FIRST, "step 4: share 0.1"), SECOND),
                        "worker-0 did step 4, of which the master does not know"),
                argumentSet(
                        "a result is heard by who was not in it",
                        MASTER,
                        List.of(
                                FIRST,
                                SECOND,
                                new Life("worker-2", List.of("step 3: share 1", step))),
                        "worker-2 heard of step 3, in which it was not"));
    }

    private static Life with(Life life, String line) {
        return new Life(life.name(), with(life.log(), line));
    }

    private static Life without(Life life, String line) {
        return new Life(life.name(), without(life.log(), line));
    }

    private static List<String> with(List<String> log, String line) {
        return Stream.concat(log.stream(), Stream.of(line)).toList();
    }

    private static List<String> without(List<String> log, String line) {
        assertThat(log).contains(line);
        return log.stream().filter(own -> !own.equals(line)).toList();
    }

    private static List<String> instead(List<String> log, String line, String other) {
        assertThat(log).contains(line);
        return log.stream().map(own -> own.equals(line) ? other : own).toList();
    }
}
