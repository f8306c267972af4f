package dev.muster.podmanager.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands in the place of ssh: the agent of a worker and its callers. */
class AgentIT {
    private static final String HOST = "127.0.0.7";
    private static final int GONE = 213;

    /** No caller may need longer to find out that its agent is dead. */
    private static final Duration LOST = Duration.ofSeconds(10);

    /** Long enough that a caller reads them one by one. */
    private static final long PIECES_APART = 200_000;

    @TempDir Path folder;

    private final List<Process> processes = new ArrayList<>();
    private Path program = Path.of("");
    private Path input = Path.of("/dev/null");
    private int port;
    private Process agent;

    @BeforeEach
    void begin() throws IOException {
        program = folder.resolve("agent.py");
        try (var resource = AgentIT.class.getResourceAsStream("agent.py")) {
            Files.copy(resource, program);
        }
        Files.writeString(folder.resolve("token"), "the job's own\n");
        Files.writeString(folder.resolve("other"), "another job's\n");
        try (var free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        agent = started("agent", "token", List.of("python3", "-B", program.toString(), "serve"));
    }

    @AfterEach
    void end() {
        processes.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    private Process started(String name, String token, List<String> command) throws IOException {
        return start(builder(name, token, command));
    }

    private ProcessBuilder builder(String name, String token, List<String> command) {
        var builder =
                new ProcessBuilder(command)
                        .redirectInput(input.toFile())
                        .redirectOutput(folder.resolve(name + ".out").toFile())
                        .redirectError(folder.resolve(name + ".err").toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "MUSTER_AGENT_TOKEN", folder.resolve(token).toString(),
                                "MUSTER_AGENT_PORT", Integer.toString(port),
                                "MUSTER_AGENT_ADDRESS", HOST));
        return builder;
    }

    private Process start(ProcessBuilder builder) throws IOException {
        var process = builder.start();
        processes.add(process);
        return process;
    }

    private Process call(String... arguments) throws IOException {
        return callWith("token", arguments);
    }

    private Process callWith(String token, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("python3", "-B", program.toString()));
        command.addAll(List.of(arguments));
        return started("call", token, command);
    }

    private String out(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private static void signal(Process process, String signal) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private void awaitFile(Path file) {
        await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(file));
    }

    /** A process over there that says that it runs, and then stays. */
    private Process stays(Path running) throws IOException {
        var call =
                call(
                        "rsh",
                        HOST,
                        "echo $$ > "
                                + running
                                + ".new; mv "
                                + running
                                + ".new "
                                + running
                                + "; exec sleep 1000");
        awaitFile(running);
        return call;
    }

    private void awaitNoProcess(Path running) throws IOException {
        long pid = Long.parseLong(Files.readString(running).strip());
        await().atMost(Duration.ofMinutes(2))
                .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void outputErrorsAndExitCodeComeBack() throws Exception {
        assertThat(call("rsh", HOST, "echo", "here;", "echo there >&2;", "exit 7").waitFor())
                .isEqualTo(7);
        assertThat(out("call.out")).isEqualTo("here\n");
        assertThat(out("call.err")).isEqualTo("there\n");
    }

    @Test
    void itIsCalledAsSshIs() throws Exception {
        var ssh = Files.copy(program, folder.resolve("ssh"));
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        var call =
                started(
                        "call",
                        "token",
                        List.of(
                                ssh.toString(),
                                "-o",
                                "StrictHostKeyChecking=no",
                                "-p",
                                "22",
                                "root@" + HOST,
                                "echo \"$0\""));
        assertThat(call.waitFor()).isZero();
        assertThat(out("call.out")).isEqualTo("/bin/sh\n");
    }

    @Test
    void argumentsWithoutAShellStayAsTheyAre() throws Exception {
        var call = call("exec", HOST, "--", "printf", "%s|", "a b", "$HOME", "'", "*");
        assertThat(call.waitFor()).isZero();
        assertThat(out("call.out")).isEqualTo("a b|$HOME|'|*|");
    }

    @Test
    void programThatIsNotThereIsToldAsAShellTellsIt() throws Exception {
        assertThat(call("exec", HOST, "--", "/no/such/program").waitFor()).isEqualTo(127);
        assertThat(out("call.err")).isEqualTo("/no/such/program: No such file or directory\n");
    }

    @Test
    void largeInputComesBackWhole() throws Exception {
        var text = "0123456789abcdef".repeat(200_000);
        var input = Files.writeString(folder.resolve("input"), text);
        var call =
                started(
                        "call",
                        "token",
                        List.of(
                                "sh",
                                "-c",
                                "python3 -B '%s' exec %s -- cat < '%s'"
                                        .formatted(program, HOST, input)));
        assertThat(call.waitFor()).isZero();
        assertThat(out("call.out")).isEqualTo(text);
    }

    @Test
    void signalsReachTheProcessAndItsEndByOneIsTold() throws Exception {
        var call = stays(folder.resolve("running"));
        signal(call, "TERM");
        assertThat(call.waitFor()).isEqualTo(128 + 15);
        awaitNoProcess(folder.resolve("running"));
    }

    @Test
    void programThatExitsAsSshWouldIsNotTakenForALostHost() throws Exception {
        assertThat(call("rsh", HOST, "exit 255").waitFor()).isEqualTo(255);
    }

    @Test
    void callerOfAKilledAgentEndsAtOnce() throws Exception {
        var call = stays(folder.resolve("running"));
        agent.destroyForcibly();
        assertThat(call.waitFor(LOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(call.exitValue()).isEqualTo(GONE);
        assertThat(out("call.err")).contains("127.0.0.7 is lost");
        endByItsOwnNumber(folder.resolve("running"));
    }

    /** A dead node says nothing more, not even that it hangs up. */
    @Test
    void callerOfASilentAgentEndsWithinTenSeconds() throws Exception {
        var call = stays(folder.resolve("running"));
        signal(agent, "STOP");
        assertThat(call.waitFor(2 * LOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(call.exitValue()).isEqualTo(GONE);
        assertThat(out("call.err")).contains("127.0.0.7 is lost: it was not heard for 8 s");
        endByItsOwnNumber(folder.resolve("running"));
    }

    /** In a pod it goes with its container. */
    private static void endByItsOwnNumber(Path running) throws IOException {
        ProcessHandle.of(Long.parseLong(Files.readString(running).strip()))
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void whatAKilledCallerHadStartedIsEnded() throws Exception {
        var call = stays(folder.resolve("running"));
        call.destroyForcibly();
        awaitNoProcess(folder.resolve("running"));
    }

    @Test
    void whoDoesNotKnowTheTokenStartsNothing() throws Exception {
        var call = callWith("other", "rsh", HOST, "touch " + folder.resolve("touched"));
        assertThat(call.waitFor()).isEqualTo(GONE);
        assertThat(folder.resolve("touched")).doesNotExist();
        assertThat(out("agent.err")).contains("a caller is gone: it does not know the job's token");
    }

    @Test
    void leavingAgentTakesNoNewWorkAndEndsWithItsLastProcess() throws Exception {
        var running = folder.resolve("running");
        var call = stays(running);
        signal(agent, "TERM");
        await().until(() -> out("agent.err").contains("is to go; 1 processes run"));
        var late =
                started(
                        "late",
                        "token",
                        List.of("python3", "-B", program.toString(), "rsh", HOST, "true"));
        assertThat(late.waitFor()).isEqualTo(GONE);
        assertThat(out("late.err")).contains("takes no new work");
        assertThat(agent.isAlive()).isTrue();
        signal(call, "TERM");
        assertThat(agent.waitFor()).as("its work was not done").isEqualTo(128 + 15);
    }

    @Test
    void processThatDoesNotReadIsEndedWithItsCallerAllTheSame() throws Exception {
        input = Files.write(folder.resolve("input"), new byte[4 << 20]);
        var running = folder.resolve("running");
        var call = stays(running);
        call.destroyForcibly();
        awaitNoProcess(running);
    }

    @Test
    void processThatDoesNotReadHearsSignalsBehindManySmallPieces() throws Exception {
        var running = folder.resolve("running");
        var heard = folder.resolve("heard");
        var line = "trap 'touch %s' TERM; echo $$ > %s; while :; do sleep 0.1; done";
        var call =
                start(
                        builder(
                                        "call",
                                        "token",
                                        List.of(
                                                "python3",
                                                "-B",
                                                program.toString(),
                                                "rsh",
                                                HOST,
                                                line.formatted(heard, running)))
                                .redirectInput(Redirect.PIPE));
        awaitFile(running);
        var typed = call.getOutputStream();
        for (int i = 0; i < 4000; i++) {
            typed.write(new byte[50]);
            typed.flush();
            LockSupport.parkNanos(PIECES_APART);
        }
        signal(call, "TERM");
        awaitFile(heard);
        call.destroyForcibly();
        awaitNoProcess(running);
    }

    @Test
    void moreInputThanFitsAheadArrivesWhole() throws Exception {
        input = Files.write(folder.resolve("input"), new byte[5 << 20]);
        assertThat(call("rsh", HOST, "sleep 0.2; wc -c").waitFor()).isZero();
        assertThat(out("call.out").strip()).isEqualTo(Integer.toString(5 << 20));
    }

    @Test
    void agentThatIsNotThereIsToldAndNotWaitedForLong() throws Exception {
        agent.destroyForcibly().waitFor();
        var call = call("rsh", HOST, "true");
        assertThat(call.waitFor(2 * LOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(call.exitValue()).isEqualTo(GONE);
    }
}
