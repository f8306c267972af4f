package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What decisions need of a TrainJob, every default filled in. Templates and environment stay with
 * the shell, which puts them into the plans.
 *
 * @param work what many jobs may have in common
 */
public record JobSpec(Place place, Work work) {
    /** The role that starts the processes of the others. */
    public static final String LAUNCHER = "launcher";

    /**
     * What runs, and how it ends.
     *
     * @param roles in the user's order, at least one
     * @param ttl after the end, then its objects are deleted; null: never
     * @param grace for pods that are stopped by us
     * @param failure of roles that have no policy of their own
     * @param limits that all pods together never pass; of what it does not name, any amount
     * @param elastic within which a role's size may change; null: all sizes are fixed
     * @param hostList its launcher is told where the ranks are that are ready
     * @param checkpoint null: it is not asked to save before it is changed
     * @param keepsLeast as many pods as start together are kept from eviction by choice
     */
    public record Work(
            Gang gang,
            List<Role> roles,
            Success success,
            Cleanup cleanup,
            @Nullable Duration ttl,
            Duration grace,
            FailurePolicy failure,
            Deadlines deadlines,
            Amounts limits,
            @Nullable Elastic elastic,
            boolean hostList,
            @Nullable CheckpointPolicy checkpoint,
            boolean keepsLeast) {
        public Work {
            roles = List.copyOf(roles);
        }

        /** The same, on any nodes but these. */
        public Work avoiding(SortedSet<String> nodes) {
            return with(roles.stream().map(role -> role.avoiding(nodes)).toList());
        }

        /** The same, with the main containers of a role given so much memory. */
        public Work growing(String name, long bytes) {
            return with(
                    roles.stream()
                            .map(role -> role.name().equals(name) ? role.growing(bytes) : role)
                            .toList());
        }

        /** The same, with another size wished of a role. */
        public Work sized(String name, int replicas) {
            return with(
                    roles.stream()
                            .map(role -> role.name().equals(name) ? role.sized(replicas) : role)
                            .toList());
        }

        /** Some of its pods may be spot pods. */
        public boolean hasSpotPods() {
            for (var role : roles) {
                if (role.spot() > 0) {
                    return true;
                }
            }
            return false;
        }

        public boolean isElastic(String role) {
            return elastic != null && elastic.role().equals(role);
        }

        /** The same, with another mix of roles that start together. */
        public Work mixed(List<Integer> mix) {
            return with(new Gang(gang.min(), gang.timeout(), gang.topology(), mix), roles);
        }

        private Work with(List<Role> roles) {
            return with(gang, roles);
        }

        private Work with(Gang gang, List<Role> roles) {
            return new Work(
                    gang,
                    roles,
                    success,
                    cleanup,
                    ttl,
                    grace,
                    failure,
                    deadlines,
                    limits,
                    elastic,
                    hostList,
                    checkpoint,
                    keepsLeast);
        }

        public Role role(String name) {
            for (var role : roles) {
                if (role.name().equals(name)) {
                    return role;
                }
            }
            throw new IllegalArgumentException("no role " + name);
        }
    }

    /**
     * Where and when it waits.
     *
     * @param priorityClass whose value counts instead of {@code priority}; null: none
     * @param suspended no pod exists until it is resumed
     * @param after jobs of its namespace that it waits for
     * @param neighbours which pods of other jobs its pods may share a node with
     */
    public record Place(
            String queue,
            int priority,
            @Nullable String priorityClass,
            boolean suspended,
            List<After> after,
            SortedMap<String, String> labels,
            Neighbours neighbours) {
        /** Of one whose pods may lie beside those of any other, as far as it says. */
        public Place(
                String queue,
                int priority,
                @Nullable String priorityClass,
                boolean suspended,
                List<After> after,
                SortedMap<String, String> labels) {
            this(queue, priority, priorityClass, suspended, after, labels, Neighbours.NONE);
        }

        public Place {
            // A million jobs name the same few queues.
            queue = queue.intern();
            after = List.copyOf(after);
            labels =
                    labels.isEmpty()
                            ? Collections.emptySortedMap()
                            : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        public Place in(String queue) {
            return new Place(queue, priority, priorityClass, suspended, after, labels, neighbours);
        }

        public Place at(int priority) {
            return new Place(queue, priority, null, suspended, after, labels, neighbours);
        }
    }

    /**
     * A job of the same namespace that must have come to an end first.
     *
     * @param succeeded false: any end will do
     */
    public record After(String job, boolean succeeded) {}

    /**
     * The range of the one role that grows and shrinks.
     *
     * @param cooldown least time between two sizes that its own measures choose; null: they choose
     *     none
     */
    public record Elastic(String role, int min, int max, @Nullable Duration cooldown) {}

    /**
     * What must start together.
     *
     * @param min total of all roles; 0: the sum of their minima
     * @param timeout from the plan until the gang runs
     * @param mix of each role, how many of those that the total asks for beyond the minima; empty:
     *     none was chosen
     */
    public record Gang(int min, Duration timeout, Topology topology, List<Integer> mix) {
        public Gang {
            mix = List.copyOf(mix);
        }

        /** As it is submitted. */
        public Gang(int min, Duration timeout, Topology topology) {
            this(min, timeout, topology, List.of());
        }
    }

    /**
     * Pods of one template.
     *
     * @param replicas 1 or more; of an elastic role, the size that is wished now
     * @param min how many start together, 1 to replicas
     * @param spot how many of its pods may be spot pods: the last ones that are placed
     * @param care what its failures mean
     * @param world number of those that train together with it; 0: of the last that do
     */
    public record Role(
            String name,
            int replicas,
            int min,
            int spot,
            PodSpec pod,
            List<DependsOn> dependsOn,
            Care care,
            int world) {
        public Role {
            dependsOn = List.copyOf(dependsOn);
        }

        Role avoiding(SortedSet<String> nodes) {
            return with(pod.avoiding(nodes));
        }

        private Role growing(long bytes) {
            return with(pod.at(bytes));
        }

        private Role sized(int replicas) {
            return new Role(name, replicas, min, spot, pod, dependsOn, care, world);
        }

        /** The same role, with such pods. */
        public Role with(PodSpec pod) {
            return new Role(name, replicas, min, spot, pod, dependsOn, care, world);
        }

        public Amounts demand() {
            return pod.demand();
        }

        public NodeFilter filter() {
            return pod.filter();
        }

        public Restart restart() {
            return pod.restart();
        }
    }

    /**
     * Within which a job must have come so far; zero: it has all the time.
     *
     * @param queue from when it began to wait until it starts
     * @param start from the plan until its gang runs
     * @param run of all its attempts together
     */
    public record Deadlines(Duration queue, Duration start, Duration run) {
        public static final Deadlines NONE =
                new Deadlines(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /**
     * What the failures of a role mean.
     *
     * @param failure its own policy, with a budget of its own; null: the job's
     * @param critical indices whose loss is the whole gang's, whatever the rules say
     */
    public record Care(@Nullable FailurePolicy failure, SortedSet<Integer> critical) {
        public static final Care PLAIN = new Care(null, new TreeSet<>());

        public Care {
            critical = Collections.unmodifiableSortedSet(new TreeSet<>(critical));
        }
    }

    /** A role whose pods must have come to a phase before the first pod of another is made. */
    public record DependsOn(String role, Milestone until) {}

    public enum Milestone {
        RUNNING,
        READY,
        SUCCEEDED
    }

    public enum Restart {
        NEVER,
        ON_FAILURE
    }

    public enum Cleanup {
        ALL,
        RUNNING,
        NONE;

        /** What it leaves alone once the job has ended. */
        public Decision.Keep keep() {
            return switch (this) {
                case ALL -> Decision.Keep.NONE;
                case RUNNING -> Decision.Keep.FINISHED;
                case NONE -> Decision.Keep.ALL;
            };
        }
    }

    /** When the job has succeeded. */
    public sealed interface Success {
        record All() implements Success {}

        record Any() implements Success {}

        record OfRole(String role) implements Success {}
    }

    public String queue() {
        return place.queue();
    }

    public List<Role> roles() {
        return work.roles();
    }

    public Gang gang() {
        return work.gang();
    }

    public Success success() {
        return work.success();
    }

    public Cleanup cleanup() {
        return work.cleanup();
    }

    public @Nullable Duration ttl() {
        return work.ttl();
    }

    public Duration grace() {
        return work.grace();
    }

    public Role role(String name) {
        return work.role(name);
    }

    /** What main containers of a role get of memory now, in bytes; 0: what was submitted. */
    public long memoryOf(String role) {
        return work.roles().stream()
                .filter(known -> known.name().equals(role))
                .mapToLong(known -> known.pod().grown())
                .sum();
    }

    /** As the pod of this rank was made: its role's memory may have grown since. */
    public PodSpec podOf(Rank rank) {
        return role(rank.id().role()).pod().at(rank.making().memory());
    }

    /** Whose policy a failure of this role is judged by; it has a budget of its own. */
    public String judgeOf(String role) {
        return role(role).care().failure() == null ? Budgets.JOB : role;
    }

    public FailurePolicy failureOf(String role) {
        var own = role(role).care().failure();
        return own == null ? work.failure() : own;
    }

    /** Rank 0 of those that train together. */
    public boolean isFirst(RankId rank) {
        return rank.index() == 0 && rank.equals(FirstRank.beside(rank.role(), this));
    }

    /** The others meet at rank 0, or else at their launcher. */
    public boolean isMeetingPoint(RankId rank) {
        return !work.hostList() && isFirst(rank);
    }

    public boolean isCritical(RankId rank) {
        return role(rank.role()).care().critical().contains(rank.index());
    }

    public JobSpec with(Place place) {
        return new JobSpec(place, work);
    }

    public JobSpec with(Work work) {
        return new JobSpec(place, work);
    }

    public int pods() {
        return work.roles().stream().mapToInt(Role::replicas).sum();
    }
}
