package dev.muster.podmanager.agent;

import static dev.muster.podmanager.agent.OneAgent.GONE;
import static dev.muster.podmanager.agent.OneAgent.HOST;
import static dev.muster.podmanager.agent.OneAgent.number;
import static dev.muster.podmanager.agent.OneAgent.saysThatItRuns;
import static dev.muster.podmanager.agent.OneAgent.signal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A caller has 10 s to end when its agent is dead. No clock is read here, which a busy machine
 * would put in the wrong: it is asked how long the caller was ready to wait, all in all, before it
 * gave up. Whatever it had heard was said before the agent was stopped, so its one wait of 8 s
 * began no later than that, but for the moment in which it reads; 2 s are left for the machine.
 */
@Execution(ExecutionMode.CONCURRENT)
class AgentLeaseIT {
    private static final double READY_TO_WAIT = 8;

    @TempDir Path folder;

    private OneAgent agent;
    private Path running = Path.of("");
    private Path waits = Path.of("");

    @BeforeEach
    void begin() throws IOException {
        agent = new OneAgent(folder);
        running = folder.resolve("running");
        waits = Files.createFile(folder.resolve("waits"));
    }

    @AfterEach
    void end() {
        agent.close();
    }

    /** A caller that writes down how long it waits for what does not come. */
    private ProcessBuilder caller(String line) throws Exception {
        var program = Files.createDirectories(folder.resolve("python"));
        try (var resource = AgentLeaseIT.class.getResourceAsStream("waits/sitecustomize.py")) {
            Files.copy(resource, program.resolve("sitecustomize.py"));
        }
        var caller = agent.caller("rsh", HOST, line);
        caller.environment().put("PYTHONPATH", program.toString());
        caller.environment().put("WAITS", waits.toString());
        return caller;
    }

    private Process stays() throws Exception {
        var line = saysThatItRuns(running) + "; exec sleep 1000";
        var call = agent.stays(running, caller(line));
        Files.writeString(waits, ""); // Its agent had just begun, and was not there at first.
        return call;
    }

    private List<Double> waits() throws IOException {
        return Files.readAllLines(waits).stream().map(Double::valueOf).toList();
    }

    private double waited() throws IOException {
        return waits().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** In a pod it goes with its container. */
    private void endWhatRan() throws IOException {
        ProcessHandle.of(number(running)).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void callerOfAKilledAgentEndsWithoutAWait() throws Exception {
        var call = stays();
        agent.process().destroyForcibly();
        assertThat(call.waitFor()).isEqualTo(GONE);
        assertThat(agent.out("call.err")).contains("127.0.0.7 is lost");
        assertThat(waits()).isEmpty();
        endWhatRan();
    }

    /** A dead node says nothing more, not even that it hangs up. */
    @Test
    void callerOfASilentAgentWaitsOnceForItsLease() throws Exception {
        var call = stays();
        signal(agent.process(), "STOP");
        assertThat(call.waitFor()).isEqualTo(GONE);
        assertThat(agent.out("call.err")).contains("127.0.0.7 is lost: it was not heard for 8 s");
        assertThat(waits()).containsExactly(READY_TO_WAIT);
        endWhatRan();
    }

    @Test
    void agentThatIsNotThereIsTriedAgainForNoLonger() throws Exception {
        agent.process().destroyForcibly().waitFor();
        assertThat(agent.start(caller("true")).waitFor()).isEqualTo(GONE);
        assertThat(waited()).isPositive().isLessThanOrEqualTo(READY_TO_WAIT);
    }

    /** The kernel takes its connection, and nobody says who it is. */
    @Test
    void agentThatDoesNotSayWhoItIsIsWaitedForNoLonger() throws Exception {
        assertThat(agent.call("rsh", HOST, "true").waitFor()).isZero();
        signal(agent.process(), "STOP");
        assertThat(agent.start(caller("true")).waitFor()).isEqualTo(GONE);
        assertThat(waited()).isPositive().isLessThanOrEqualTo(READY_TO_WAIT);
    }

    @Test
    void namesThatNobodyAnswersForAreNotWaitedForLonger() throws Exception {
        var caller = caller("true");
        Files.writeString(
                folder.resolve("python").resolve("sitecustomize.py"),
                "socket.getaddrinfo = lambda *_, **__: threading.Event().wait()\n",
                StandardOpenOption.APPEND);
        assertThat(agent.start(caller).waitFor()).isEqualTo(GONE);
        assertThat(agent.out("call.err")).contains("has no address yet");
        assertThat(waited()).isPositive().isLessThanOrEqualTo(READY_TO_WAIT);
    }
}
