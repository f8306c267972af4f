package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Desired state of one submission's objects.
 *
 * @param version only grows, over all attempts of the submission
 * @param confirm the answer rests on a list made for it
 * @param cause id of the record that carried the plan
 */
public record Plan(
        Submission job,
        String pool,
        String queue,
        int attempt,
        long version,
        boolean confirm,
        String cause,
        Wanted wanted) {

    /** What is to be in the cluster. */
    public sealed interface Wanted {}

    /**
     * The pods of a running job. One that contradicts itself, so that no pod could be made, is an
     * IllegalArgumentException.
     *
     * @param nprocPerNode processes in a pod: a number, or {@code gpu} for as many as it has GPUs
     * @param elastic least and most pods of the elastic role; null: fixed size
     * @param roles in the job's order: the first role's index 0 is rank 0
     */
    public record Run(
            Framework framework,
            String nprocPerNode,
            int masterPort,
            Map<String, String> labels,
            Map<String, String> annotations,
            @Nullable String priorityClass,
            @Nullable Range elastic,
            List<Role> roles,
            List<PlannedPod> pods)
            implements Wanted {
        public Run {
            roles = List.copyOf(roles);
            pods = List.copyOf(pods);
            if (!nprocPerNode.equals("gpu") && !nprocPerNode.matches("[1-9][0-9]{0,5}")) {
                throw new IllegalArgumentException(
                        "nprocPerNode must be a number or gpu, was " + nprocPerNode);
            }
            roles.forEach(MainContainer::of);
            var names = roles.stream().map(Role::name).collect(Collectors.toSet());
            for (var pod : pods) {
                if (!names.contains(pod.rank().role())) {
                    throw new IllegalArgumentException("no role " + pod.rank().role());
                }
            }
        }

        /** A single process without a framework talks to nobody: no service, and so no anchor. */
        boolean wantsService() {
            return framework != Framework.NONE || roles.stream().mapToInt(Role::replicas).sum() > 1;
        }

        Role role(String name) {
            return roles.stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
        }
    }

    /**
     * Which pods are to go.
     *
     * @param grace how long a pod may take to end
     * @param forced whose pods are forgotten without their kubelet's word: their nodes are dead
     */
    public record Stop(Duration grace, Keep keep, Set<Rank> forced) implements Wanted {
        public Stop {
            forced = Set.copyOf(forced);
        }
    }

    /** Nothing is wanted: what is still found may be swept away. */
    public record Gone() implements Wanted {}

    /** What cannot be had, as its reader found out: a template that is none, ranks without role. */
    public record Impossible(String reason, String message) implements Wanted {}

    /** Which pods a stopping plan leaves alone. */
    public enum Keep {
        NONE,
        FINISHED,
        ALL
    }

    /** Which environment a training process gets. */
    public enum Framework {
        NONE,
        PYTORCH,
        HOROVOD,
        DLROVER
    }

    public record Range(int min, int max) {}

    /**
     * How the pods of a role are made.
     *
     * @param replicas how many ranks the role has, planned now or later
     * @param elastic its size may change between the bounds of the job
     * @param restartOnFailure the kubelet restarts a container that fails
     * @param mainContainer the one that trains
     */
    public record Role(
            String name,
            int replicas,
            boolean elastic,
            PodTemplateSpec template,
            boolean restartOnFailure,
            String mainContainer) {}

    /**
     * One pod that is to exist.
     *
     * @param node where it must run; null: the backend chooses
     * @param tolerations beside those of its template
     */
    public record PlannedPod(
            Rank rank,
            int incarnation,
            @Nullable String node,
            @Nullable Long memory,
            boolean force,
            List<Toleration> tolerations) {
        /** Copies the tolerations in. */
        public PlannedPod {
            tolerations = List.copyOf(tolerations);
        }

        /** One that is as its template says. */
        public PlannedPod(Rank rank, int incarnation, @Nullable String node) {
            this(rank, incarnation, node, null, false, List.of());
        }
    }

    /** A list of metadata does not say which pods have ended: true when that matters. */
    public boolean needsPhases() {
        return wanted instanceof Stop(_, var keep, _) && keep == Keep.FINISHED;
    }

    /** This or the other in the order of plans: submission first, then version. */
    public boolean isNewerThan(Plan other) {
        return job.offset() != other.job.offset()
                ? job.offset() > other.job.offset()
                : version > other.version;
    }
}
