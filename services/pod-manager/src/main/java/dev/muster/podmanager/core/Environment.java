package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Framework;
import dev.muster.podmanager.core.Plan.PlannedPod;
import dev.muster.podmanager.core.Plan.Role;
import dev.muster.podmanager.core.Plan.Run;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that a training process finds, by framework. */
final class Environment {
    private static final int LARGEST_PORT = 65_535;

    private Environment() {}

    /**
     * All variables of one pod's main container: ours first, so that the user's may refer to them,
     * and without those that the user has set. (What {@code envFrom} brings cannot be seen here;
     * Kubernetes puts it below ours.)
     */
    static List<EnvVar> of(Plan plan, Run run, PlannedPod pod, Container main) {
        var set = new HashSet<String>();
        main.getEnv().forEach(variable -> set.add(variable.getName()));
        var ours = new ArrayList<EnvVar>();
        variables(plan, run, pod)
                .forEach((name, value) ->
                        ours.add(new EnvVarBuilder().withName(name).withValue(value).build()));
        if (run.hosts() != null) {
            ours.addAll(Launching.variables(run, pod, run.hosts()));
        }
        ours.removeIf(variable -> set.contains(variable.getName()));
        ours.addAll(main.getEnv());
        return ours;
    }

    private static Map<String, String> variables(Plan plan, Run run, PlannedPod pod) {
        var values = new LinkedHashMap<String, String>();
        values.put("MUSTER_JOB", plan.job().job().name());
        values.put("MUSTER_NAMESPACE", plan.job().job().namespace());
        values.put("MUSTER_ATTEMPT", Integer.toString(plan.attempt()));
        values.put("MUSTER_ROLE", pod.rank().role());
        values.put("MUSTER_INDEX", Integer.toString(pod.rank().index()));
        values.put("MUSTER_INCARNATION", Integer.toString(pod.incarnation()));
        if (pod.port() != null) {
            values.put("MUSTER_PORT", Integer.toString(pod.port()));
        }
        if (run.checkpoint().file()) {
            values.put(CheckpointFile.VARIABLE, CheckpointFile.PATH);
        }
        if (run.framework() == Framework.PYTORCH) {
            values.putAll(torch(plan, run, pod));
        }
        return values;
    }

    /**
     * For processes started directly the first eight, for torchrun its own. Only roles that train
     * together count: others have ended by then, or are not there yet. A gang of fixed size meets
     * by node rank (backend static), so that ranks are the indices; an elastic one by c10d.
     */
    private static Map<String, String> torch(Plan plan, Run run, PlannedPod pod) {
        var job = plan.job().job();
        var own = run.role(pod.rank().role());
        var together = run.byRank(own);
        var first = new Rank(together.getFirst().name(), 0);
        var master = first.hostName(job);
        var port = Integer.toString(port(run, first));
        long world = 0;
        long rank = 0;
        int nodes = 0;
        int nodeRank = 0;
        for (var role : together) {
            int processes = processes(run, role);
            if (role.equals(own)) {
                rank = world + (long) processes * pod.rank().index();
                nodeRank = nodes + pod.rank().index();
            }
            world += (long) processes * role.replicas();
            nodes += role.replicas();
        }
        var range = together.stream().anyMatch(Role::elastic) ? run.elastic() : null;
        var values = new LinkedHashMap<String, String>();
        values.put("MASTER_ADDR", master);
        values.put("MASTER_PORT", port);
        values.put("WORLD_SIZE", Long.toString(world));
        values.put("RANK", Long.toString(rank));
        values.put("NODE_NUM", Integer.toString(nodes));
        values.put(
                "PET_NNODES", range == null ? Integer.toString(nodes) : nodeRange(range, together));
        values.put("PET_NODE_RANK", Integer.toString(nodeRank));
        values.put("PET_NPROC_PER_NODE", Integer.toString(processes(run, own)));
        values.put("PET_RDZV_ENDPOINT", master + ":" + port);
        values.put("PET_RDZV_BACKEND", range == null ? "static" : "c10d");
        // An elastic gang meets again by itself, whatever was made anew of it.
        values.put(
                "PET_RDZV_ID",
                range == null ? plan.job().uid() + "-" + plan.attempt() : plan.job().uid());
        values.put("PYTHONUNBUFFERED", "1");
        return values;
    }

    /**
     * Where the master listens: as its user says; else on a node's network where nobody else does.
     */
    private static int port(Run run, Rank master) {
        var role = run.role(master.role());
        var said = port(MainContainer.of(role));
        if (said != null) {
            return said;
        }
        if (!role.hostNetwork()) {
            return run.masterPort();
        }
        var told = role.firstPort();
        var planned = told == null ? run.planned(master) : null;
        var own = planned == null ? told : planned.port();
        return own == null ? run.masterPort() : own;
    }

    /** As admission reads it; null: it does not say so, or the kubelet alone knows. */
    private static @Nullable Integer port(Container main) {
        return main.getEnv().stream()
                .filter(variable -> variable.getName().equals("MASTER_PORT"))
                .map(EnvVar::getValue)
                .filter(value -> value != null && value.matches("[1-9][0-9]{0,4}"))
                .map(Integer::valueOf)
                .filter(port -> port <= LARGEST_PORT)
                .findFirst()
                .orElse(null);
    }

    private static String nodeRange(Plan.Range range, List<Role> together) {
        int fixed = together.stream().filter(r -> !r.elastic()).mapToInt(Role::replicas).sum();
        return (fixed + range.min()) + ":" + (fixed + range.max());
    }

    /**
     * How many a pod of the role has; of whole devices, as many as it has of them, at least one.
     */
    static int processes(Run run, Role role) {
        return run.nprocPerNode().equals("gpu")
                ? Math.max(1, Devices.of(MainContainer.of(role)))
                : Integer.parseInt(run.nprocPerNode());
    }
}
