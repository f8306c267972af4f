package dev.muster.podmanager.agent;

import static dev.muster.podmanager.agent.OneAgent.HOST;
import static dev.muster.podmanager.agent.OneAgent.awaitFile;
import static dev.muster.podmanager.agent.OneAgent.awaitNoProcess;
import static dev.muster.podmanager.agent.OneAgent.isThere;
import static dev.muster.podmanager.agent.OneAgent.number;
import static dev.muster.podmanager.agent.OneAgent.signal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What an agent's processes have started in turn, and what becomes of it. */
@Execution(ExecutionMode.CONCURRENT)
class AgentLeftoversIT {
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

    /** As horovodrun asks for it: a shell that dies at once of a signal, and work that does not. */
    private Process stubborn() throws IOException {
        var work =
                """
                import os, signal, time
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                open("%1$s.new", "w").write(str(os.getpid()))
                os.rename("%1$s.new", "%1$s")
                time.sleep(1000)
                """
                        .formatted(running);
        var line = "cd / > /dev/null 2>&1 ; python3 -c '%s'; :".formatted(work);
        return agent.stays(running, agent.caller("rsh", HOST, line));
    }

    @Test
    void workThatOutlivesItsShellIsEndedWithTheCaller() throws Exception {
        stubborn().destroyForcibly();
        awaitNoProcess(running);
    }

    @Test
    void workThatOutlivesItsShellAfterASignalIsEndedBeforeTheCallIs() throws Exception {
        var call = stubborn();
        signal(call, "TERM");
        assertThat(call.waitFor()).isEqualTo(128 + 15);
        assertThat(isThere(number(running))).as("the work").isFalse();
    }

    @Test
    void leavingAgentStaysForWorkThatOutlivesItsShell() throws Exception {
        var call = stubborn();
        signal(agent.process(), "TERM");
        call.destroyForcibly();
        assertThat(agent.process().waitFor()).isEqualTo(128 + 15);
        assertThat(isThere(number(running))).as("the work").isFalse();
    }

    @Test
    void whatAProcessLeavesInTheBackgroundStays() throws Exception {
        var left = "sh -c 'echo $$ > %1$s.new; mv %1$s.new %1$s; exec sleep 1000' &";
        var call = agent.call("rsh", HOST, left.formatted(running));
        assertThat(call.waitFor()).isZero();
        awaitFile(running);
        assertThat(isThere(number(running))).isTrue();
    }
}
