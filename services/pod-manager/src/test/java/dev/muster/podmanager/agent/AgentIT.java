package dev.muster.podmanager.agent;

import static dev.muster.podmanager.agent.OneAgent.GONE;
import static dev.muster.podmanager.agent.OneAgent.HOST;
import static dev.muster.podmanager.agent.OneAgent.awaitFile;
import static dev.muster.podmanager.agent.OneAgent.awaitNoProcess;
import static dev.muster.podmanager.agent.OneAgent.saysThatItRuns;
import static dev.muster.podmanager.agent.OneAgent.signal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What stands in the place of ssh: the agent of a worker and its callers. */
@Execution(ExecutionMode.CONCURRENT)
class AgentIT {
    /** Long enough that a caller reads them one by one. */
    private static final long PIECES_APART = 200_000;

    @TempDir Path folder;

    private OneAgent agent;

    @BeforeEach
    void begin() throws IOException {
        agent = new OneAgent(folder);
    }

    @AfterEach
    void end() {
        agent.close();
    }

    @Test
    void outputErrorsAndExitCodeComeBack() throws Exception {
        assertThat(agent.call("rsh", HOST, "echo", "here;", "echo there >&2;", "exit 7").waitFor())
                .isEqualTo(7);
        assertThat(agent.out("call.out")).isEqualTo("here\n");
        assertThat(agent.out("call.err")).isEqualTo("there\n");
    }

    @Test
    void itIsCalledAsSshIs() throws Exception {
        var ssh = Files.copy(agent.program(), folder.resolve("ssh"));
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        var call =
                agent.start(
                        agent.builder(
                                "call",
                                "token",
                                List.of(
                                        ssh.toString(),
                                        "-o",
                                        "StrictHostKeyChecking=no",
                                        "-p",
                                        "22",
                                        "root@" + HOST,
                                        "echo \"$0\"")));
        assertThat(call.waitFor()).isZero();
        assertThat(agent.out("call.out")).isEqualTo("/bin/sh\n");
    }

    @Test
    void argumentsWithoutAShellStayAsTheyAre() throws Exception {
        var call = agent.call("exec", HOST, "--", "printf", "%s|", "a b", "$HOME", "'", "*");
        assertThat(call.waitFor()).isZero();
        assertThat(agent.out("call.out")).isEqualTo("a b|$HOME|'|*|");
    }

    @Test
    void programThatIsNotThereIsToldAsAShellTellsIt() throws Exception {
        assertThat(agent.call("exec", HOST, "--", "/no/such/program").waitFor()).isEqualTo(127);
        assertThat(agent.out("call.err"))
                .isEqualTo("/no/such/program: No such file or directory\n");
    }

    @Test
    void largeInputComesBackWhole() throws Exception {
        var text = "0123456789abcdef".repeat(200_000);
        var input = Files.writeString(folder.resolve("input"), text);
        var call =
                agent.start(
                        agent.builder(
                                "call",
                                "token",
                                List.of(
                                        "sh",
                                        "-c",
                                        "python3 -B '%s' exec %s -- cat < '%s'"
                                                .formatted(agent.program(), HOST, input))));
        assertThat(call.waitFor()).isZero();
        assertThat(agent.out("call.out")).isEqualTo(text);
    }

    @Test
    void signalsReachTheProcessAndItsEndByOneIsTold() throws Exception {
        var call = agent.stays(folder.resolve("running"));
        signal(call, "TERM");
        assertThat(call.waitFor()).isEqualTo(128 + 15);
        awaitNoProcess(folder.resolve("running"));
    }

    @Test
    void programThatExitsAsSshWouldIsNotTakenForALostHost() throws Exception {
        assertThat(agent.call("rsh", HOST, "exit 255").waitFor()).isEqualTo(255);
    }

    @Test
    void whatAKilledCallerHadStartedIsEnded() throws Exception {
        var call = agent.stays(folder.resolve("running"));
        call.destroyForcibly();
        awaitNoProcess(folder.resolve("running"));
    }

    @Test
    void whoDoesNotKnowTheTokenStartsNothing() throws Exception {
        var call =
                agent.start(
                        agent.callerWith(
                                "other", "rsh", HOST, "touch " + folder.resolve("touched")));
        assertThat(call.waitFor()).isEqualTo(GONE);
        assertThat(folder.resolve("touched")).doesNotExist();
        assertThat(agent.out("agent.err"))
                .contains("a caller is gone: it does not know the job's token");
    }

    @Test
    void leavingAgentTakesNoNewWorkAndEndsWithItsLastProcess() throws Exception {
        var running = folder.resolve("running");
        var call = agent.stays(running);
        signal(agent.process(), "TERM");
        agent.awaitSaid("is to go; 1 processes run");
        var late =
                agent.start(
                        agent.builder(
                                "late",
                                "token",
                                List.of(
                                        "python3",
                                        "-B",
                                        agent.program().toString(),
                                        "rsh",
                                        HOST,
                                        "true")));
        assertThat(late.waitFor()).isEqualTo(GONE);
        assertThat(agent.out("late.err")).contains("takes no new work");
        assertThat(agent.process().isAlive()).isTrue();
        signal(call, "TERM");
        assertThat(agent.process().waitFor()).as("its work was not done").isEqualTo(128 + 15);
    }

    @Test
    void processThatDoesNotReadIsEndedWithItsCallerAllTheSame() throws Exception {
        var input = Files.write(folder.resolve("input"), new byte[4 << 20]);
        var running = folder.resolve("running");
        var line = saysThatItRuns(running) + "; exec sleep 1000";
        var call =
                agent.stays(running, agent.caller("rsh", HOST, line).redirectInput(input.toFile()));
        call.destroyForcibly();
        awaitNoProcess(running);
    }

    @Test
    void processThatDoesNotReadHearsSignalsBehindManySmallPieces() throws Exception {
        var running = folder.resolve("running");
        var heard = folder.resolve("heard");
        var line = "trap 'touch %s' TERM; echo $$ > %s; while :; do sleep 0.1; done";
        var call =
                agent.start(
                        agent.caller("rsh", HOST, line.formatted(heard, running))
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
        var input = Files.write(folder.resolve("input"), new byte[5 << 20]);
        var caller = agent.caller("rsh", HOST, "sleep 0.2; wc -c").redirectInput(input.toFile());
        assertThat(agent.start(caller).waitFor()).isZero();
        assertThat(agent.out("call.out").strip()).isEqualTo(Integer.toString(5 << 20));
    }
}
