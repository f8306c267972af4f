package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.podmanager.core.JobName;
import dev.muster.podmanager.core.Ssh;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OpenSSH's own programs with the keys and settings of a job. Those that need an sshd are left out
 * where there is none; a system property {@code muster.sshd} names one outside of the usual places.
 */
class SshIT {
    private static final String HOST = "127.0.0.7";
    private static final int UNKNOWN = 255;
    private static final JobName JOB = new JobName("ml", "mnist");

    @TempDir Path folder;

    private final List<Process> processes = new ArrayList<>();
    private Path keys = Path.of("");
    private int port;

    @BeforeEach
    void begin() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/ssh")), "there is no ssh");
        keys = files("keys");
        try (var free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
    }

    /** As a kubelet mounts them. */
    private Path files(String name) throws IOException {
        var files = Files.createDirectories(folder.resolve(name));
        for (var file : Ssh.files(JOB, new SshKeys().get()).entrySet()) {
            var modes =
                    switch (file.getKey()) {
                        case "id", "host_key" -> "r--------";
                        case "ssh", "serve" -> "r-xr-xr-x";
                        default -> "r--r--r--";
                    };
            var settings = file.getValue().replace("/etc/muster/hosts", folder.toString());
            Files.setPosixFilePermissions(
                    Files.writeString(files.resolve(file.getKey()), settings),
                    PosixFilePermissions.fromString(modes));
        }
        return files;
    }

    @AfterEach
    void end() {
        processes.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    private Process started(String name, Path keys, List<String> command) throws IOException {
        var builder =
                new ProcessBuilder(command)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(folder.resolve(name + ".out").toFile())
                        .redirectError(folder.resolve(name + ".err").toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "MUSTER_SSH", keys.toString(),
                                "MUSTER_SSH_OWN",
                                        Files.createTempDirectory(folder, "own").toString(),
                                "MUSTER_SSH_ADDRESS", HOST,
                                "MUSTER_SSH_PORT", Integer.toString(port)));
        var sshd = System.getProperty("muster.sshd");
        if (sshd != null) {
            builder.environment()
                    .merge("PATH", "" + Path.of(sshd).getParent(), (is, more) -> more + ":" + is);
        }
        var process = builder.start();
        processes.add(process);
        return process;
    }

    private Process ssh(String name, Path keys, String... arguments) throws IOException {
        // As a launcher reads of a host that listens elsewhere.
        Files.writeString(
                folder.resolve("ssh_config"), "Host %s\n    Port %d\n".formatted(HOST, port));
        var command = new ArrayList<>(List.of(keys.resolve("ssh").toString()));
        command.addAll(List.of(arguments));
        return started(name, keys, command);
    }

    private String out(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private void serves() throws IOException {
        var there =
                Stream.of(
                                System.getProperty("muster.sshd", ""),
                                "/usr/sbin/sshd",
                                "/usr/local/sbin/sshd")
                        .filter(sshd -> !sshd.isEmpty())
                        .anyMatch(sshd -> Files.isExecutable(Path.of(sshd)));
        assumeTrue(there, "there is no sshd");
        started("sshd", keys, List.of("sh", keys.resolve("serve").toString()));
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> new Socket(HOST, port).close());
    }

    @Test
    void openSshReadsThePrivateKeysAndFindsTheirPublicOnes() throws Exception {
        for (var pair :
                List.of(
                        List.of("id", out("keys/authorized_keys")),
                        List.of("host_key", out("keys/known_hosts").replace("mnist ", "")))) {
            var secret = keys.resolve(pair.getFirst()).toString();
            assertThat(started("open", keys, List.of("ssh-keygen", "-y", "-f", secret)).waitFor())
                    .as(out("open.err"))
                    .isZero();
            assertThat(out("open.out")).isEqualTo(pair.getLast());
        }
    }

    @Test
    void sshTakesTheSettings() throws Exception {
        assertThat(ssh("says", keys, "-G", "-o", "StrictHostKeyChecking=no", HOST).waitFor())
                .as(out("says.err"))
                .isZero();
        assertThat(out("says.out"))
                .contains(
                        "port " + port,
                        "hostkeyalias mnist",
                        "stricthostkeychecking true",
                        "userknownhostsfile " + keys.resolve("known_hosts"),
                        "serveraliveinterval 2");
        assertThat(ssh("says", keys, "-G", "mnist-worker-0.mnist").waitFor()).isZero();
        assertThat(out("says.out")).contains("port 23457\n");
    }

    @Test
    void launcherOfTheJobIsLetIn() throws Exception {
        serves();
        assertThat(ssh("call", keys, HOST, "echo", "here;", "echo there >&2;", "exit 7").waitFor())
                .as(out("call.err"))
                .isEqualTo(7);
        assertThat(out("call.out")).isEqualTo("here\n");
        assertThat(out("call.err")).isEqualTo("there\n");
    }

    @Test
    void launcherOfAnotherJobIsNot() throws Exception {
        serves();
        var other = files("other");
        var known = other.resolve("known_hosts");
        Files.delete(known);
        Files.copy(keys.resolve("known_hosts"), known);
        assertThat(ssh("call", other, HOST, "true").waitFor()).isEqualTo(UNKNOWN);
        assertThat(out("call.err")).contains("Permission denied (publickey)");
    }

    @Test
    void hostOfAnotherJobIsToldNothingWhateverTheCallerSays() throws Exception {
        serves();
        var touched = folder.resolve("touched");
        var call =
                ssh(
                        "call",
                        files("other"),
                        "-o",
                        "StrictHostKeyChecking=no",
                        HOST,
                        "touch " + touched);
        assertThat(call.waitFor()).isEqualTo(UNKNOWN);
        assertThat(out("call.err")).contains("Host key verification failed");
        assertThat(touched).doesNotExist();
    }
}
