package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.v1.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A launcher with this machine's own ssh, and workers that are an sshd: OpenSSH's where there is
 * one or the system property {@code muster.sshd} names it, else {@link Sshd}. The keys and settings
 * are those that were made for the job, as its pods find them.
 */
class ShellSshIT {
    /**
     * The first attempt leaves what it had to the second, which tries it, too: on both sides the
     * keys are others.
     */
    private static final String LAUNCHER =
            """
            if [ "$MUSTER_ATTEMPT" = 1 ]; then
                cp -rL "$MUSTER_SSH" "$KEPT/ssh" && mkdir "$KEPT/own"
                exit 1
            fi
            for host in $(cut -d: -f1 "$MUSTER_HOSTS/hosts"); do
                until "$MUSTER_SSH/ssh" "$host" true; do sleep 1; done
                "$MUSTER_SSH/ssh" "$host" 'echo let in; cat; exit 7' < "$MUSTER_SSH/known_hosts"
                echo "with its own keys: $?"
                /usr/bin/ssh -F "$MUSTER_SSH/config" -o UserKnownHostsFile="$MUSTER_SSH/known_hosts" \
                    -i "$KEPT/ssh/id" "$host" "touch $KEPT/touched"
                echo "with the key of before: $?"
                MUSTER_SSH="$KEPT/ssh" MUSTER_SSH_OWN="$KEPT/own" "$KEPT/ssh/ssh" \
                    -o StrictHostKeyChecking=no "$host" "touch $KEPT/touched"
                echo "to the host of before: $?"
            done
            """;

    private final String namespace = TheSystem.namespace("ssh");

    @Test
    void launcherReachesItsWorkersAndNobodyWithTheKeysOfAnotherAttemptDoes(@TempDir Path folder)
            throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/ssh")), "there is no ssh");
        try (var requests = Requests.open(TheSystem.context(), "ssh test");
                var statuses = JobStatuses.open(TheSystem.context());
                var client = TheSystem.administrator()) {
            var _ = requests.submit(Jobs.read(job(folder, sshd(folder))));
            var end = Jobs.end(statuses, namespace, "shell");
            assertThat(end.getPhase()).as(end.getMessage()).isEqualTo(Phase.SUCCEEDED);
            assertThat(end.getAttempt()).isEqualTo(2);
            var log = client.pods().inNamespace(namespace).withName("shell-launcher-0").getLog();
            assertThat(times(log, "let in")).as(log).isEqualTo(2);
            assertThat(times(log, "shell ssh-ed25519 ")).as("what it was given").isEqualTo(2);
            assertThat(times(log, "with its own keys: 7")).as(log).isEqualTo(2);
            assertThat(times(log, "Permission denied (publickey)")).as(log).isEqualTo(2);
            assertThat(times(log, "with the key of before: 255")).as(log).isEqualTo(2);
            assertThat(times(log, "Host key verification failed")).as(log).isEqualTo(2);
            assertThat(times(log, "to the host of before: 255")).as(log).isEqualTo(2);
            assertThat(folder.resolve("touched")).doesNotExist();
        }
    }

    private static long times(String log, String words) {
        return log.lines().filter(line -> line.contains(words)).count();
    }

    /** The folder of the program. */
    private static Path sshd(Path folder) throws IOException {
        var known =
                Stream.concat(
                                Optional.ofNullable(System.getProperty("muster.sshd")).stream(),
                                Stream.of("/usr/sbin/sshd", "/usr/local/sbin/sshd"))
                        .map(Path::of)
                        .filter(Files::isExecutable)
                        .findFirst();
        if (known.isPresent()) {
            return known.get().getParent();
        }
        var own = Files.createDirectory(folder.resolve("sshd"));
        Sshd.install(own);
        return own;
    }

    private String job(Path folder, Path sshd) {
        return """
        apiVersion: muster.dev/v1
        kind: TrainJob
        metadata: {name: shell, namespace: %s}
        spec:
          framework: horovod
          horovod: {shell: ssh}
          failure: {settle: 1s, delay: {initial: 1s}, rules: [{role: launcher, action: RestartGang}]}
          roles:
          - name: launcher
            template:
              spec:
                containers:
                - name: main
                  image: none
                  env: [{name: KEPT, value: %s}]
                  command: [sh, -c]
                  args:
                  - |
        %s
          - name: worker
            replicas: 2
            template:
              spec:
                containers:
                - name: main
                  image: none
                  env: [{name: PATH, value: "%s:/usr/bin:/bin"}]
        """
                .formatted(namespace, folder, LAUNCHER.indent(12).stripTrailing(), sshd);
    }
}
