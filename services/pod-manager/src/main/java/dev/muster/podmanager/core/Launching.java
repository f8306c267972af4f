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
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the pods of a launcher's job find besides: the launcher its hosts, and all of them what one
 * needs to start processes on another, which is an {@link Agent} or {@link Ssh}.
 */
final class Launching {
    /** Where a worker listens, unless it is on its node's network. */
    static final int PORT = 23457;

    static final String HOSTS = "/etc/muster/hosts";

    /** Before the image's own ssh in every usual PATH, and in the way of nothing else. */
    static final String SSH_PLACE = "/usr/local/bin/ssh";

    private static final String HOSTS_VOLUME = "muster-hosts";

    private Launching() {}

    /** What the main container finds besides, before what the user says. */
    static List<EnvVar> variables(Run run, PlannedPod pod, Hosts hosts) {
        var variables =
                new ArrayList<>(
                        switch (hosts.shell()) {
                            case AGENT -> Agent.variables(pod);
                            case SSH -> Ssh.variables(pod);
                        });
        if (pod.rank().isLauncher()) {
            variables.add(variable("MUSTER_HOSTS", HOSTS));
            variables.add(variable("MUSTER_NP", processes(run, Plan.Role::replicas)));
            variables.add(variable("MUSTER_NP_MIN", processes(run, role -> least(run, role))));
            variables.add(variable("MUSTER_NP_MAX", processes(run, role -> most(run, role))));
        } else {
            variables.add(variable("MUSTER_SLOTS", slots(run, pod)));
        }
        variables.add(variable("PYTHONUNBUFFERED", "1"));
        return variables;
    }

    /** Open MPI's and MPICH's word for what they call in place of ssh. */
    static List<EnvVar> shellOfMpi(String program) {
        return List.of(
                variable("OMPI_MCA_plm_rsh_agent", program),
                variable("HYDRA_LAUNCHER_EXEC", program));
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

    static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    /** Not every address: on its node's network the pod is not alone. */
    static EnvVar ownAddress(String name) {
        return new EnvVarBuilder()
                .withName(name)
                .withValueFrom(
                        new EnvVarSourceBuilder()
                                .withNewFieldRef()
                                .withFieldPath("status.podIP")
                                .endFieldRef()
                                .build())
                .build();
    }

    static int port(PlannedPod pod) {
        return pod.port() == null ? PORT : pod.port();
    }

    /**
     * Mounts what the pod needs; a worker that says nothing of what it runs awaits its launcher.
     */
    static void join(PodSpecBuilder spec, Plan plan, PlannedPod pod, int main, Hosts hosts) {
        boolean awaits = !pod.rank().isLauncher() && saysNothing(spec.buildContainer(main));
        switch (hosts.shell()) {
            case AGENT -> Agent.join(spec, plan, pod, main);
            case SSH -> Ssh.join(spec, plan, pod, main);
        }
        if (pod.rank().isLauncher()) {
            spec.addNewVolume()
                    .withName(HOSTS_VOLUME)
                    .withNewConfigMap()
                    .withName(HostList.name(plan.job().job()))
                    .withDefaultMode(FileModes.EXECUTABLE)
                    .endConfigMap()
                    .endVolume();
            mount(spec, main, HOSTS_VOLUME, HOSTS, null);
        } else if (awaits) {
            var command =
                    switch (hosts.shell()) {
                        case AGENT -> Agent.SERVE;
                        case SSH -> Ssh.SERVE;
                    };
            serve(spec, main, command, port(pod));
        }
    }

    static KeyToPath item(String key, int mode) {
        return new KeyToPathBuilder().withKey(key).withPath(key).withMode(mode).build();
    }

    static void mount(
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

    /**
     * An agent, told to go, runs on until its work is done; an sshd would end all of it at once.
     */
    static boolean endsWithItsWork(Run run, Plan.Role role) {
        var hosts = run.hosts();
        return hosts != null
                && hosts.shell() == Hosts.Shell.AGENT
                && !role.name().equals(Rank.LAUNCHER)
                && saysNothing(MainContainer.of(role));
    }

    private static boolean saysNothing(Container container) {
        return container.getCommand().isEmpty() && container.getArgs().isEmpty();
    }

    private static void serve(PodSpecBuilder spec, int main, List<String> command, int port) {
        spec.editContainer(main).withCommand(command).endContainer();
        if (spec.buildContainer(main).getReadinessProbe() == null) {
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
