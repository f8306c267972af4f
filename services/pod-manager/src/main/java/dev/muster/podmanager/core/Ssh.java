package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The image's own ssh among the pods of one job, with keys that no other job and no other attempt
 * has: the launcher's, which its workers let in, and one that all workers show as theirs.
 */
public final class Ssh {
    private static final String VOLUME = "muster-ssh";
    private static final String FOLDER = "/etc/muster/ssh";

    /**
     * A folder of the pod's own. OpenSSH takes no key that others may read, and who may read what a
     * kubelet mounts depends on the pod: so a private key is copied before it is used.
     */
    private static final String OWN_VOLUME = "muster-ssh-own";

    private static final String OWN = "/run/muster/ssh";

    private static final String ID = "id";
    private static final String CONFIG = "config";
    private static final String KNOWN_HOSTS = "known_hosts";
    private static final String PROGRAM = "ssh";
    private static final String HOST_KEY = "host_key";
    private static final String AUTHORIZED_KEYS = "authorized_keys";
    private static final String SSHD_CONFIG = "sshd_config";
    private static final String SERVER = "serve";

    static final List<String> SERVE = List.of("sh", FOLDER + "/" + SERVER);

    /** What is said first counts: no option of a caller's switches the check of host keys off. */
    private static final String CLIENT =
            """
            #!/bin/sh
            # ssh to the other pods of this job, with its key.
            keys="${MUSTER_SSH:-/etc/muster/ssh}"
            own="${MUSTER_SSH_OWN:-/run/muster/ssh}"
            if ! [ -r "$own/id" ]; then
                (umask 077; cp "$keys/id" "$own/id.$$" && mv "$own/id.$$" "$own/id") || exit 255
            fi
            exec /usr/bin/ssh -F "$keys/config" -o StrictHostKeyChecking=yes \\
                -o UserKnownHostsFile="$keys/known_hosts" -i "$own/id" "$@"
            """;

    private static final String SERVER_START =
            """
            #!/bin/sh
            # An sshd that lets in the launcher of this job, and nobody else.
            keys="${MUSTER_SSH:-/etc/muster/ssh}"
            own="${MUSTER_SSH_OWN:-/run/muster/ssh}"
            sshd=$(PATH="$PATH:/usr/sbin:/sbin:/usr/local/sbin" command -v sshd) || {
                echo "horovod.shell is ssh, and the image has no sshd" >&2
                exit 127
            }
            (umask 077; cp "$keys/host_key" "$own/host_key.$$" \\
                && mv -f "$own/host_key.$$" "$own/host_key") || exit 1
            # Without this folder it does not start as root.
            [ "$(id -u)" != 0 ] || mkdir -p /run/sshd || exit 1
            exec "$sshd" -D -e -f "$keys/sshd_config" -h "$own/host_key" \\
                -o AuthorizedKeysFile="$keys/authorized_keys" \\
                -o ListenAddress="$MUSTER_SSH_ADDRESS" -p "$MUSTER_SSH_PORT"
            """;

    /** The folder of the keys is the kubelet's, not the user's: it is not judged by its modes. */
    private static final String SERVER_SETTINGS =
            """
            AuthenticationMethods publickey
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            UsePAM no
            StrictModes no
            PidFile none
            AllowAgentForwarding no
            AllowTcpForwarding no
            X11Forwarding no
            PrintMotd no
            MaxStartups 1000
            MaxSessions 1000
            ClientAliveInterval 2
            ClientAliveCountMax 4
            """;

    /** Which host listens elsewhere stands in the host list. All show the same key. */
    private static final String CLIENT_SETTINGS =
            """
            Include %s/%s
            Host *
                Port %d
                HostKeyAlias %s
                GlobalKnownHostsFile none
                CheckHostIP no
                UpdateHostKeys no
                IdentitiesOnly yes
                BatchMode yes
                ConnectTimeout 8
                ServerAliveInterval 2
                ServerAliveCountMax 4
            """;

    private Ssh() {}

    /**
     * @param launcher whoever has it is let in by the workers
     * @param host by which the launcher knows the workers
     */
    public record Keys(Pair launcher, Pair host) {}

    /**
     * @param secret as OpenSSH keeps it in a file
     * @param open its algorithm and itself, in one line
     */
    public record Pair(String secret, String open) {
        /** A key is never told by accident. */
        @Override
        public String toString() {
            return open;
        }
    }

    static String secretName(Submission job, int attempt) {
        return "%s-%s-a%d-ssh".formatted(job.job().name(), job.uid(), attempt);
    }

    /** The keys of both sides, and what each side is told of the other. */
    public static Map<String, String> files(JobName job, Keys keys) {
        return Map.of(
                ID,
                keys.launcher().secret(),
                AUTHORIZED_KEYS,
                keys.launcher().open() + "\n",
                HOST_KEY,
                keys.host().secret(),
                KNOWN_HOSTS,
                job.name() + " " + keys.host().open() + "\n",
                CONFIG,
                CLIENT_SETTINGS.formatted(
                        Launching.HOSTS, HostList.SSH, Launching.PORT, job.name()),
                SSHD_CONFIG,
                SERVER_SETTINGS,
                PROGRAM,
                CLIENT,
                SERVER,
                SERVER_START);
    }

    static List<EnvVar> variables(PlannedPod pod) {
        var variables = new ArrayList<EnvVar>();
        variables.add(Launching.variable("MUSTER_SSH", FOLDER));
        variables.add(Launching.variable("MUSTER_SSH_OWN", OWN));
        if (pod.rank().isLauncher()) {
            variables.addAll(Launching.shellOfMpi(FOLDER + "/" + PROGRAM));
        } else {
            variables.add(
                    Launching.variable("MUSTER_SSH_PORT", Integer.toString(Launching.port(pod))));
            variables.add(Launching.ownAddress("MUSTER_SSH_ADDRESS"));
        }
        return variables;
    }

    /** Each side has its own private key alone. */
    static void join(PodSpecBuilder spec, Plan plan, PlannedPod pod, int main) {
        boolean isLauncher = pod.rank().isLauncher();
        spec.addNewVolume()
                .withName(VOLUME)
                .withNewSecret()
                .withSecretName(secretName(plan.job(), plan.attempt()))
                .withDefaultMode(FileModes.PRIVATE)
                .withItems(isLauncher ? ofTheLauncher() : ofAWorker())
                .endSecret()
                .endVolume();
        spec.addNewVolume()
                .withName(OWN_VOLUME)
                .withNewEmptyDir()
                .withMedium("Memory")
                .endEmptyDir()
                .endVolume();
        Launching.mount(spec, main, VOLUME, FOLDER, null);
        spec.editContainer(main)
                .addToVolumeMounts(
                        new VolumeMountBuilder().withName(OWN_VOLUME).withMountPath(OWN).build())
                .endContainer();
        if (isLauncher) {
            Launching.mount(spec, main, VOLUME, Launching.SSH_PLACE, PROGRAM);
        }
    }

    private static List<KeyToPath> ofTheLauncher() {
        return List.of(
                Launching.item(ID, FileModes.PRIVATE),
                Launching.item(CONFIG, FileModes.READABLE),
                Launching.item(KNOWN_HOSTS, FileModes.READABLE),
                Launching.item(PROGRAM, FileModes.EXECUTABLE));
    }

    private static List<KeyToPath> ofAWorker() {
        return List.of(
                Launching.item(HOST_KEY, FileModes.PRIVATE),
                Launching.item(AUTHORIZED_KEYS, FileModes.READABLE),
                Launching.item(SSHD_CONFIG, FileModes.READABLE),
                Launching.item(SERVER, FileModes.EXECUTABLE));
    }
}
