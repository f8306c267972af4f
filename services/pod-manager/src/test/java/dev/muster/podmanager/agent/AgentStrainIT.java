package dev.muster.podmanager.agent;

import static dev.muster.podmanager.agent.OneAgent.HOST;
import static dev.muster.podmanager.agent.OneAgent.awaitNoProcess;
import static dev.muster.podmanager.agent.OneAgent.saysThatItRuns;
import static dev.muster.podmanager.agent.OneAgent.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Callers that read slowly, say nothing, come in great numbers, or lack what others have. */
@Execution(ExecutionMode.CONCURRENT)
class AgentStrainIT {
    /** More than the pipes on the way hold, and not more than they do with its connection. */
    private static final int MUCH = 600_000;

    /** Threads of an agent that nobody calls: it takes calls, and takes note of who ends. */
    private static final long AT_REST = 3;

    @TempDir Path folder;

    private OneAgent agent;
    private Path running = Path.of("");

    @BeforeEach
    void begin() throws IOException {
        agent = new OneAgent(folder);
        running = folder.resolve("running");
    }

    @AfterEach
    void end() {
        agent.close();
    }

    /** Longer than either end waits for anything but its reader. */
    private void aWhile() throws Exception {
        var other =
                agent.start(
                        agent.builder(
                                "other",
                                "token",
                                List.of(
                                        "python3",
                                        "-B",
                                        agent.program().toString(),
                                        "rsh",
                                        HOST,
                                        "sleep 5")));
        assertThat(other.waitFor()).isZero();
    }

    @Test
    void outputAndExitCodeWaitForASlowReader() throws Exception {
        var much = "import os; os.write(1, bytes(%d)); os._exit(7)".formatted(MUCH);
        var call =
                agent.start(
                        agent.caller("exec", HOST, "--", "python3", "-c", much)
                                .redirectOutput(Redirect.PIPE));
        aWhile();
        try (var output = call.getInputStream()) {
            assertThat(output.readAllBytes().length).isEqualTo(MUCH);
        }
        assertThat(call.waitFor()).isEqualTo(7);
    }

    @Test
    void exitCodeIsToldToWhoseReaderIsGone() throws Exception {
        var go = folder.resolve("go");
        var line = "while [ ! -e %s ]; do sleep 0.1; done; echo unread; exit 7".formatted(go);
        var call = agent.start(agent.caller("rsh", HOST, line).redirectOutput(Redirect.PIPE));
        call.getInputStream().close();
        Files.createFile(go);
        assertThat(call.waitFor()).isEqualTo(7);
    }

    /** As what saves its state on SIGTERM does, and says so. */
    @Test
    void whoseCallerIsGoneMayStillSayWhatItDoes() throws Exception {
        var saved = folder.resolve("saved");
        var line =
                "trap 'echo saving; echo saving >&2; touch %s; exit' TERM; %s; while :; do sleep 0.1; done"
                        .formatted(saved, saysThatItRuns(running));
        agent.stays(running, agent.caller("rsh", HOST, line)).destroyForcibly();
        OneAgent.awaitFile(saved);
    }

    @Test
    void callerThatReadsNothingAndFallsSilentHoldsNobody() throws Exception {
        var line = saysThatItRuns(running) + "; exec yes";
        var call =
                agent.stays(running, agent.caller("rsh", HOST, line).redirectOutput(Redirect.PIPE));
        signal(call, "STOP");
        awaitNoProcess(running);
        signal(agent.process(), "TERM");
        assertThat(agent.process().waitFor()).isEqualTo(128 + 15);
    }

    @Test
    void nothingIsLeftOfCallsWhoseInputNeverEnds() throws Exception {
        assertThat(agent.call("rsh", HOST, "true").waitFor()).isZero();
        await().atMost(Duration.ofMinutes(1)).until(() -> threads() == AT_REST);
        var before = files();
        for (int i = 0; i < 5; i++) {
            var call = agent.start(agent.caller("rsh", HOST, "true").redirectInput(Redirect.PIPE));
            assertThat(call.waitFor()).isZero();
        }
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> {
                    assertThat(threads()).isEqualTo(AT_REST);
                    assertThat(files()).isEqualTo(before);
                });
    }

    private Path ofAgent(String name) {
        return Path.of("/proc", Long.toString(agent.process().pid()), name);
    }

    private long threads() throws IOException {
        try (var tasks = Files.list(ofAgent("task"))) {
            return tasks.count();
        }
    }

    private long files() throws IOException {
        try (var files = Files.list(ofAgent("fd"))) {
            return files.count();
        }
    }

    @Test
    void agentGoesOnWhenItHasHadTooManyCallers(@TempDir Path other) throws Exception {
        try (var few = new OneAgent(other, "ulimit -n 40; exec \"$@\"")) {
            assertThat(few.call("rsh", HOST, "true").waitFor()).isZero();
            var idle = new ArrayList<Socket>();
            for (int i = 0; i < 60; i++) {
                idle.add(new Socket(HOST, few.port()));
            }
            few.awaitSaid("Too many open files");
            for (var socket : idle) {
                socket.close();
            }
            assertThat(few.call("rsh", HOST, "true").waitFor()).isZero();
        }
    }

    @Test
    void whoHasNoInputHasItsEnd() throws Exception {
        var line = "exec python3 -B '%s' rsh %s 'cat; echo end' <&-";
        var call =
                agent.start(
                        agent.builder(
                                "call",
                                "token",
                                List.of("sh", "-c", line.formatted(agent.program(), HOST))));
        assertThat(call.waitFor()).isZero();
        assertThat(agent.out("call.out")).isEqualTo("end\n");
    }

    @Test
    void whoHasNoOutputIsToldTheExitCodeAllTheSame() throws Exception {
        var line = "exec python3 -B '%s' rsh %s 'echo lost; exit 7' >&- 2>&-";
        var call =
                agent.start(
                        agent.builder(
                                "call",
                                "token",
                                List.of("sh", "-c", line.formatted(agent.program(), HOST))));
        assertThat(call.waitFor()).isEqualTo(7);
    }

    @Test
    void whoseParentIsGoneIsTakenNoteOf() throws Exception {
        var left = "sh -c '%s' > /dev/null 2>&1 &".formatted(saysThatItRuns(running));
        assertThat(agent.call("rsh", HOST, left).waitFor()).isZero();
        OneAgent.awaitFile(running);
        awaitNoProcess(running);
    }
}
