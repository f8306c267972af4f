package dev.muster.podmanager.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An agent on this machine, who calls it, and what they all said. As in a pod, whom nobody waits
 * for any more becomes a child of the agent.
 */
final class OneAgent implements AutoCloseable {
    static final String HOST = "127.0.0.7";

    /** How a call ends whose other end is gone. */
    static final int GONE = 213;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** PR_SET_CHILD_SUBREAPER, which stays with the process whatever program it becomes. */
    private static final String INHERITS =
            "import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0);"
                    + " os.execvp(sys.argv[1], sys.argv[1:])";

    private final Path folder;
    private final Path program;
    private final int port;
    private final List<Process> processes = new ArrayList<>();
    private final Process agent;

    OneAgent(Path folder) throws IOException {
        this(folder, "exec \"$@\"");
    }

    /**
     * @param line of a shell, which becomes the agent in the end: {@code "$@"}
     */
    OneAgent(Path folder, String line) throws IOException {
        this.folder = folder;
        this.program = folder.resolve("agent.py");
        try (var resource = OneAgent.class.getResourceAsStream("agent.py")) {
            Files.copy(resource, program);
        }
        Files.writeString(folder.resolve("token"), "the job's own\n");
        Files.writeString(folder.resolve("other"), "another job's\n");
        try (var free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        agent =
                builder(
                                "agent",
                                "token",
                                List.of(
                                        "sh",
                                        "-c",
                                        line,
                                        "sh",
                                        "python3",
                                        "-c",
                                        INHERITS,
                                        "python3",
                                        "-B",
                                        program.toString(),
                                        "serve"))
                        .start();
    }

    /** The agent itself. */
    Process process() {
        return agent;
    }

    Path program() {
        return program;
    }

    int port() {
        return port;
    }

    ProcessBuilder builder(String name, String token, List<String> command) {
        var builder =
                new ProcessBuilder(command)
                        .redirectInput(Path.of("/dev/null").toFile())
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

    /** A caller that says what it says to {@code call.out} and {@code call.err}. */
    ProcessBuilder caller(String... arguments) {
        return callerWith("token", arguments);
    }

    ProcessBuilder callerWith(String token, String... arguments) {
        var command = new ArrayList<>(List.of("python3", "-B", program.toString()));
        command.addAll(List.of(arguments));
        return builder("call", token, command);
    }

    Process start(ProcessBuilder builder) throws IOException {
        var process = builder.start();
        processes.add(process);
        return process;
    }

    Process call(String... arguments) throws IOException {
        return start(caller(arguments));
    }

    /** A process over there that says that it runs, and then stays. */
    Process stays(Path running) throws IOException {
        return stays(running, caller("rsh", HOST, saysThatItRuns(running) + "; exec sleep 1000"));
    }

    Process stays(Path running, ProcessBuilder caller) throws IOException {
        var call = start(caller);
        awaitFile(running);
        return call;
    }

    /** A line of a shell that says its own number. */
    static String saysThatItRuns(Path running) {
        return "echo $$ > %1$s.new; mv %1$s.new %1$s".formatted(running);
    }

    String out(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    void awaitSaid(String words) {
        await().atMost(PATIENCE).until(() -> out("agent.err").contains(words));
    }

    static void signal(Process process, String signal) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    static void awaitFile(Path file) {
        await().atMost(PATIENCE).until(() -> Files.exists(file));
    }

    static void awaitNoProcess(Path running) throws IOException {
        long pid = number(running);
        await().atMost(PATIENCE).until(() -> !isThere(pid));
    }

    static long number(Path running) throws IOException {
        return Long.parseLong(Files.readString(running).strip());
    }

    /** Also one that has ended and that nobody has taken note of. */
    static boolean isThere(long pid) {
        return Files.exists(Path.of("/proc", Long.toString(pid)));
    }

    @Override
    public void close() {
        processes.add(agent);
        processes.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }
}
