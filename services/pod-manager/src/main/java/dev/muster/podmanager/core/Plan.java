package dev.muster.podmanager.core;

import dev.muster.schemas.contract.CheckpointId;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
     * @param roles in the job's order
     * @param spot what its spot pods ask for besides
     * @param leastAvailable how many pods may not be evicted by choice; null: all may
     * @param grouping who binds the pods
     * @param hosts what its launcher is told of the others; null: it has none
     * @param checkpoint how its processes are asked to save how far they have come
     * @param hook what runs beside the gang now; null: nothing does
     * @param forced ranks that left and whose nodes are dead: their pods are deleted without
     *     waiting for the kubelet; none of them is in {@code pods}
     * @param grace how long pods may take to end that are there and not wanted; null: as long as
     *     they say themselves
     * @param repeats the plan before it wanted the same pods and was carried out: what else is
     *     there and is not ending was made late
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
            List<PlannedPod> pods,
            Spot spot,
            @Nullable Integer leastAvailable,
            Grouping grouping,
            @Nullable Hosts hosts,
            Checkpoint checkpoint,
            @Nullable Hook hook,
            Set<Rank> forced,
            @Nullable Duration grace,
            boolean repeats)
            implements Wanted {
        public Run {
            roles = List.copyOf(roles);
            pods = List.copyOf(pods);
            forced = Set.copyOf(forced);
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
            if (hook != null && !names.contains(hook.like().role())) {
                throw new IllegalArgumentException("no role " + hook.like().role());
            }
        }

        /** The job's own, and ours, which go before those. */
        SortedMap<String, String> labelsWith(Map<String, String> ours) {
            var all = new TreeMap<>(labels);
            all.putAll(ours);
            return all;
        }

        /** All that are to exist: the gang's, and the hook's. */
        List<PlannedPod> all() {
            return hook == null
                    ? pods
                    : Stream.concat(pods.stream(), Stream.of(hook.pod())).toList();
        }

        /**
         * Something must own what the job has besides pods. A single process without a framework
         * talks to nobody: no service, and so no anchor. One that may get others does.
         */
        boolean wantsService() {
            return framework != Framework.NONE
                    || elastic != null
                    || leastAvailable != null
                    || !grouping.groups().isEmpty()
                    || roles.stream().mapToInt(Role::replicas).sum() > 1;
        }

        /**
         * The roles that train together with one, in the order of their ranks: the master first,
         * wherever the user wrote it.
         */
        List<Role> byRank(Role one) {
            return roles.stream()
                    .filter(role -> role.world() == one.world())
                    .sorted(Comparator.comparing(role -> !role.name().equals("master")))
                    .toList();
        }

        /** Of one rank; null: no pod of it is planned. */
        @Nullable PlannedPod planned(Rank rank) {
            return pods.stream().filter(pod -> pod.rank().equals(rank)).findFirst().orElse(null);
        }

        Role role(String name) {
            return roles.stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
        }
    }

    /**
     * How the processes of a job are asked to save how far they have come.
     *
     * @param file its pods have a file that says so
     * @param asked what is to stand in it; null: whatever stands there
     */
    public record Checkpoint(boolean file, @Nullable CheckpointId asked) {
        public static final Checkpoint NONE = new Checkpoint(false, null);
    }

    /**
     * Which pods are to go: all but those of the submission that {@code keep} names and that stand
     * in {@code kept}.
     *
     * @param grace how long a pod may take to end
     * @param forced whose pods are forgotten without their kubelet's word: their nodes are dead
     * @param backend whose groups go, too
     * @param sooner pods that are ending already have no longer than this, either
     * @param kept uids of the pods that the job had when it ended, of which some may be gone. What
     *     does not stand here was made late, whatever its attempt and its rank are, and goes; null:
     *     the coordinator does not say it, and every pod of the submission counts as known
     */
    public record Stop(
            Duration grace,
            Keep keep,
            Set<Rank> forced,
            Backend backend,
            boolean sooner,
            @Nullable Set<String> kept)
            implements Wanted {
        public Stop {
            forced = Set.copyOf(forced);
            kept = kept == null ? null : Set.copyOf(kept);
        }

        /** Whether a pod of the submission is left alone. */
        boolean keeps(Seen pod) {
            boolean isKnown = kept == null || kept.contains(pod.uid());
            return isKnown
                    && switch (keep) {
                        case NONE -> false;
                        case FINISHED -> pod.ended();
                        case ALL -> true;
                    };
        }

        /** Nobody waits for the end of a hook either: a dead node of it must not hold its job. */
        boolean forces(Rank rank) {
            return forced.contains(rank) || rank.equals(Rank.HOOK);
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

    /** Who binds the pods of a gang to their nodes. */
    public enum Backend {
        /** Kubernetes' own scheduler, each pod to the node that its plan names. */
        NONE,
        VOLCANO
    }

    /** What spot pods ask of a node's labels, and what they tolerate, beside their template. */
    public record Spot(Map<String, String> selector, List<Toleration> tolerations) {
        public static final Spot NONE = new Spot(Map.of(), List.of());

        public Spot {
            selector = Collections.unmodifiableSortedMap(new TreeMap<>(selector));
            tolerations = List.copyOf(tolerations);
        }
    }

    /**
     * How the pods of a role are made.
     *
     * @param replicas how many ranks the role has, planned now or later
     * @param elastic its size may change between the bounds of the job
     * @param restartOnFailure the kubelet restarts a container that fails
     * @param mainContainer the one that trains
     * @param spot how many of the last indices are spot pods, where the pods do not say it
     *     themselves
     * @param hostNetwork its pods are on their nodes' network
     * @param restartCodes after these exit codes the kubelet is to start the main container again
     * @param world roles of one number train together
     * @param firstPort where its rank 0 listens on its node's network, also where its pod is not
     *     planned yet; null: nowhere, or its coordinator does not say so beforehand
     */
    public record Role(
            String name,
            int replicas,
            boolean elastic,
            PodTemplateSpec template,
            boolean restartOnFailure,
            String mainContainer,
            int spot,
            boolean hostNetwork,
            List<Integer> restartCodes,
            int world,
            @Nullable Integer firstPort) {
        public Role {
            restartCodes = List.copyOf(restartCodes);
        }

        boolean isSpot(PlannedPod pod) {
            return pod.spot() == null ? pod.rank().index() >= replicas - spot : pod.spot();
        }
    }

    /**
     * One pod that is to exist.
     *
     * @param node where it must run; null: the backend chooses
     * @param port where it listens on its node's network; null: it has an address of its own
     * @param inPlace its main container is asked to start again, as this incarnation; 0: it is not
     * @param host it stands in the host list
     * @param drain it is being taken out: deleted with so much time to end by itself, and not made
     *     again; null: it stays
     * @param spot it is a spot pod; null: its coordinator does not say so
     */
    public record PlannedPod(
            Rank rank,
            int incarnation,
            @Nullable String node,
            @Nullable Integer port,
            @Nullable Long memory,
            boolean force,
            int inPlace,
            boolean host,
            @Nullable Duration drain,
            @Nullable Boolean spot) {
        /** One whose memory is its template's. */
        public PlannedPod(
                Rank rank, int incarnation, @Nullable String node, @Nullable Integer port) {
            this(rank, incarnation, node, port, null, false, 0, false, null);
        }

        /** One of a coordinator that does not say whether it is a spot pod. */
        public PlannedPod(
                Rank rank,
                int incarnation,
                @Nullable String node,
                @Nullable Integer port,
                @Nullable Long memory,
                boolean force,
                int inPlace,
                boolean host,
                @Nullable Duration drain) {
            this(rank, incarnation, node, port, memory, force, inPlace, host, drain, null);
        }
    }

    /**
     * The pod of a hook, which is told of a command of scale.
     *
     * @param like the rank that it is made like
     * @param command the program and its arguments, as they are
     * @param env variables besides those of the rank
     * @param number which try it is, from 1
     */
    public record Hook(
            Rank like,
            int incarnation,
            String node,
            List<String> command,
            Map<String, String> env,
            Duration timeout,
            int number,
            Scale scale) {
        public Hook {
            command = List.copyOf(command);
            env = Map.copyOf(env);
        }

        /** What an earlier try left on a dead node must not be in its way. */
        PlannedPod pod() {
            return new PlannedPod(Rank.HOOK, incarnation, node, null, null, true, 0, false, null);
        }
    }

    /**
     * A command that changes the size of a role.
     *
     * @param requestId empty: it has none
     * @param added indices of the ranks that came, the first ones
     * @param removed indices of the ranks that leave, the first ones
     */
    public record Scale(
            String requestId,
            String role,
            int from,
            int to,
            List<Integer> added,
            List<Integer> removed) {
        public Scale {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }
    }

    /** This or the other in the order of plans: submission first, then version. */
    public boolean isNewerThan(Plan other) {
        return job.offset() != other.job.offset()
                ? job.offset() > other.job.offset()
                : version > other.version;
    }
}
