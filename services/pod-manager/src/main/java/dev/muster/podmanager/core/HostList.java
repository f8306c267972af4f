package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.Edits;
import dev.muster.podmanager.core.Action.Wait;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The config map that tells a job's launcher where it may start processes. A reader sees one
 * version of all its files or another one, never a part of both: that is how kubelets mount config
 * maps.
 *
 * <ul>
 *   <li>{@code discover_hosts.sh} prints {@code host:slots} lines, as elastic Horovod asks for
 *       them, and fails after a while without any;
 *   <li>{@code hosts} has those lines;
 *   <li>{@code hostfile} has them as {@code host slots=n}, for mpirun, DeepSpeed and a horovodrun
 *       of fixed size;
 *   <li>{@code version} only grows, and is another whenever a host came, went or was made anew;
 *   <li>{@code ports}: {@code host port} lines of the agents that listen elsewhere than they
 *       usually do; {@code ssh_config} says the same to ssh.
 * </ul>
 */
public final class HostList {
    /** On the launcher: the version that its kubelet has been told of. */
    public static final String TOLD = "muster.dev/hosts";

    /** No object has it: what is applied with it is made, and changes nothing that is there. */
    private static final String NOT_THERE = "1";

    /** Where hosts listen, as ssh reads it. */
    static final String SSH = "ssh_config";

    /**
     * Its end is an error where nobody is listed, which horovodrun survives but at its first
     * question.
     */
    static final String DISCOVER =
            """
            #!/bin/sh
            # The hosts on which processes may be started now, one a line: host:slots. Where there is none
            # for half a minute it fails: no lines at all are a host without a name to horovodrun.
            seconds=0
            while :; do
                hosts=$(cat "${0%/*}/hosts" 2> /dev/null)
                if [ -n "$hosts" ]; then
                    printf '%s\\n' "$hosts"
                    exit 0
                fi
                if [ "$seconds" -ge 30 ]; then
                    echo "muster: no host of this job is ready" >&2
                    exit 1
                fi
                sleep 1
                seconds=$((seconds + 1))
            done
            """;

    private HostList() {}

    public static String name(JobName job) {
        return job.name() + "-hosts";
    }

    /**
     * The list first, then whoever has to look at it; nothing when both are as they should be. It
     * is written over the list that was seen and over no other: a write that is late on its way
     * finds what came meanwhile.
     */
    static List<Action> tell(String installation, Plan plan, Run run, Listing listing) {
        var told = run.hosts();
        var service = listing.ours(Kind.SERVICE).stream().findFirst().orElse(null);
        if (told == null || service == null || service.deleting()) {
            return List.of(); // It is made first, and owns the list.
        }
        var list = listing.ours(Kind.HOST_LIST).stream().findFirst().orElse(null);
        if (list != null && list.deleting()) {
            return List.of(Wait.forEnd(list));
        }
        long version = told.version();
        if (list == null || isOlder(Fences.mark(list), plan, version)) {
            var next = of(installation, plan, run, told, service);
            next.getMetadata().setResourceVersion(list == null ? NOT_THERE : list.version());
            var edits = list == null ? Edits.LOOKED_AT : Edits.UNDONE;
            return List.of(new Apply(Kind.HOST_LIST, next, edits));
        }
        return listing.ours(Kind.POD).stream()
                .filter(HostList::isLauncher)
                .filter(pod -> !pod.deleting() && pod.notes().hosts() < version)
                .<Action>map(pod -> pod.notes().hosts(version).applied(plan.job().job(), pod))
                .toList();
    }

    /** The one of an attempt before goes with that one's service, whatever it says. */
    private static boolean isOlder(Mark list, Plan plan, long version) {
        return list.plan() < version || list.attempt() < plan.attempt();
    }

    private static boolean isLauncher(Seen pod) {
        var making = Objects.requireNonNull(pod.mark()).making();
        return making != null && making.rank().isLauncher();
    }

    /**
     * @param anchor the job's service, with which it goes
     */
    private static ConfigMap of(String installation, Plan plan, Run run, Hosts told, Seen anchor) {
        var hosts = new StringBuilder();
        var hostfile = new StringBuilder();
        var ports = new StringBuilder();
        var ssh = new StringBuilder();
        for (var role : run.roles()) {
            int slots = Environment.processes(run, role);
            for (var pod : hosts(run, role)) {
                var host = pod.rank().hostName(plan.job().job());
                hosts.append(host).append(':').append(slots).append('\n');
                hostfile.append(host).append(" slots=").append(slots).append('\n');
                if (pod.port() != null) {
                    ports.append(host).append(' ').append(pod.port()).append('\n');
                    ssh.append("Host %s\n    Port %d\n".formatted(host, pod.port()));
                }
            }
        }
        var job = plan.job().job();
        var data =
                new TreeMap<>(
                        Map.of(
                                "discover_hosts.sh",
                                DISCOVER,
                                "hosts",
                                hosts.toString(),
                                "hostfile",
                                hostfile.toString(),
                                "version",
                                told.version() + "\n"));
        switch (told.shell()) {
            case AGENT -> data.put("ports", ports.toString());
            case SSH -> data.put(SSH, ssh.toString());
        }
        return new ConfigMapBuilder()
                .withMetadata(HeadlessService.owned(name(job), installation, plan, run, anchor))
                .withData(data)
                .build();
    }

    private static List<PlannedPod> hosts(Run run, Plan.Role role) {
        return run.pods().stream()
                .filter(pod -> pod.host() && pod.rank().role().equals(role.name()))
                .toList();
    }
}
