package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.EnvVarSourceBuilder;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.KeyToPathBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the place of ssh in the pods of a launcher's job: a program in each worker that
 * starts what the launcher asks for, and one in the launcher that is called as ssh is.
 */
public final class Agent {
    static final int PORT = 23457;

    private static final String HOSTS_VOLUME = "muster-hosts";
    private static final String AGENT_VOLUME = "muster-agent";
    private static final String HOSTS = "/etc/muster/hosts";
    private static final String FOLDER = "/etc/muster/agent";
    private static final String PROGRAM = "agent.py";
    private static final String TOKEN = "token";
    private static final String SSH = "ssh";

    /** Before the image's own ssh in every usual PATH, and in the way of nothing else. */
    private static final String SSH_PLACE = "/usr/local/bin/ssh";

    private static final int EXECUTABLE = 0555;
    private static final int READABLE = 0444;

    private static final String SHIM =
            """
            #!/bin/sh
            # Called as ssh is: runs a line on another pod of this job by that pod's agent.
            exec python3 -B "${MUSTER_AGENT:-/etc/muster/agent}/agent.py" rsh "$@"
            """;

    private Agent() {}

    /**
     * @param program its source
     * @param token nobody else can guess it
     */
    public record Files(String program, String token) {}

    /** Of one attempt, as the service that owns it: what an earlier one left is being collected. */
    static String secretName(Submission job, int attempt) {
        return "%s-%s-a%d-agent".formatted(job.job().name(), job.uid(), attempt);
    }

    /**
     * The programs, and what proves that both ends are of this job.
     *
     * @param anchor the job's service, with which it goes
     */
    static Secret secret(String installation, Plan plan, Run run, Files files, Seen anchor) {
        return new SecretBuilder()
                .withMetadata(
                        HeadlessService.owned(
                                secretName(plan.job(), plan.attempt()),
                                installation,
                                plan,
                                run,
                                anchor))
                .withType("Opaque")
                .withImmutable(true)
                .withStringData(
                        new TreeMap<>(
                                Map.of(
                                        TOKEN,
                                        files.token() + "\n",
                                        PROGRAM,
                                        files.program(),
                                        SSH,
                                        SHIM)))
                .build();
    }

    /** What the main container finds besides, before what the user says. */
    static List<EnvVar> variables(Run run, PlannedPod pod) {
        var variables = new ArrayList<EnvVar>();
        variables.add(variable("MUSTER_AGENT", FOLDER));
        variables.add(variable("MUSTER_AGENT_TOKEN", FOLDER + "/" + TOKEN));
        if (pod.rank().isLauncher()) {
            variables.add(variable("MUSTER_HOSTS", HOSTS));
            variables.add(variable("MUSTER_NP", processes(run, Plan.Role::replicas)));
            variables.add(variable("MUSTER_NP_MIN", processes(run, role -> least(run, role))));
            variables.add(variable("MUSTER_NP_MAX", processes(run, role -> most(run, role))));
            // Open MPI's and MPICH's word for what they call in place of ssh.
            variables.add(variable("OMPI_MCA_plm_rsh_agent", FOLDER + "/" + SSH));
            variables.add(variable("HYDRA_LAUNCHER_EXEC", FOLDER + "/" + SSH));
        } else {
            variables.add(variable("MUSTER_SLOTS", slots(run, pod)));
            variables.add(variable("MUSTER_AGENT_PORT", Integer.toString(port(pod))));
            variables.add(ownAddress());
        }
        variables.add(variable("PYTHONUNBUFFERED", "1"));
        return variables;
    }

    private static String slots(Run run, PlannedPod pod) {
        return Integer.toString(Environment.processes(run, run.role(pod.rank().role())));
    }

    private interface Size {
        int of(Plan.Role role);
    }

    private static String processes(Run run, Size size) {
        long all = 0;
        for (var role : run.roles()) {
            if (!role.name().equals(Rank.LAUNCHER)) {
                all += (long) Environment.processes(run, role) * size.of(role);
            }
        }
        return Long.toString(all);
    }

    private static int least(Run run, Plan.Role role) {
        var range = run.elastic();
        return range != null && role.elastic() ? range.min() : role.replicas();
    }

    private static int most(Run run, Plan.Role role) {
        var range = run.elastic();
        return range != null && role.elastic() ? range.max() : role.replicas();
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    /** Not every address: on its node's network the pod is not alone. */
    private static EnvVar ownAddress() {
        return new EnvVarBuilder()
                .withName("MUSTER_AGENT_ADDRESS")
                .withValueFrom(
                        new EnvVarSourceBuilder()
                                .withNewFieldRef()
                                .withFieldPath("status.podIP")
                                .endFieldRef()
                                .build())
                .build();
    }

    private static int port(PlannedPod pod) {
        return pod.port() == null ? PORT : pod.port();
    }

    /** Mounts what the pod needs; a worker that says nothing of what it runs is an agent. */
    static void join(PodSpecBuilder spec, Plan plan, PlannedPod pod, int main) {
        var container = spec.buildContainer(main);
        spec.addNewVolume()
                .withName(AGENT_VOLUME)
                .withNewSecret()
                .withSecretName(secretName(plan.job(), plan.attempt()))
                .withDefaultMode(EXECUTABLE)
                .withItems(items())
                .endSecret()
                .endVolume();
        mount(spec, main, AGENT_VOLUME, FOLDER, null);
        if (pod.rank().isLauncher()) {
            spec.addNewVolume()
                    .withName(HOSTS_VOLUME)
                    .withNewConfigMap()
                    .withName(HostList.name(plan.job().job()))
                    .withDefaultMode(EXECUTABLE)
                    .endConfigMap()
                    .endVolume();
            mount(spec, main, HOSTS_VOLUME, HOSTS, null);
            mount(spec, main, AGENT_VOLUME, SSH_PLACE, SSH);
        } else if (saysNothing(container)) {
            serve(spec, main, container, port(pod));
        }
    }

    private static List<KeyToPath> items() {
        return List.of(item(PROGRAM, EXECUTABLE), item(SSH, EXECUTABLE), item(TOKEN, READABLE));
    }

    private static KeyToPath item(String key, int mode) {
        return new KeyToPathBuilder().withKey(key).withPath(key).withMode(mode).build();
    }

    private static void mount(
            PodSpecBuilder spec, int main, String volume, String path, @Nullable String subPath) {
        spec.editContainer(main)
                .addToVolumeMounts(
                        new VolumeMountBuilder()
                                .withName(volume)
                                .withMountPath(path)
                                .withSubPath(subPath)
                                .withReadOnly(true)
                                .build())
                .endContainer();
    }

    /** Of a worker that is one, told to go, runs on until its work is done. */
    static boolean isOne(Plan.Role role) {
        return !role.name().equals(Rank.LAUNCHER) && saysNothing(MainContainer.of(role));
    }

    private static boolean saysNothing(Container container) {
        return container.getCommand().isEmpty() && container.getArgs().isEmpty();
    }

    private static void serve(PodSpecBuilder spec, int main, Container container, int port) {
        spec.editContainer(main)
                .withCommand("python3", "-B", FOLDER + "/" + PROGRAM, "serve")
                .endContainer();
        if (container.getReadinessProbe() == null) {
            spec.editContainer(main)
                    .withNewReadinessProbe()
                    .withNewTcpSocket()
                    .withNewPort(port)
                    .endTcpSocket()
                    .withPeriodSeconds(2)
                    .withTimeoutSeconds(1)
                    .withFailureThreshold(3)
                    .endReadinessProbe()
                    .endContainer();
        }
    }
}
