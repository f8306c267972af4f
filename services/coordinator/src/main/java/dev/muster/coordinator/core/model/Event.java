package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a pool's inbox can say. Nothing else reaches the decider. */
public sealed interface Event {
    /**
     * Where an answer goes.
     *
     * @param key of the request's record
     * @param id the client's idempotency key
     */
    record Request(String key, String id) {}

    /** Commands and settings, each answered once. */
    sealed interface Command extends Event {
        /** Null: nobody waits for an answer. */
        @Nullable Request request();
    }

    record Submitted(JobId job, JobSpec spec, @Nullable Request request) implements Command {}

    record ChangeAsked(JobId job, Change change, @Nullable Request request) implements Command {}

    /**
     * The change is meant for all jobs that were taken in before and match; answered at the end.
     *
     * @param by who asks; null: it is not known
     */
    record BulkAsked(
            Selector selector, Change change, @Nullable Request request, @Nullable String by)
            implements Command {
        /** By whom is not known. */
        public BulkAsked(Selector selector, Change change, @Nullable Request request) {
            this(selector, change, request, null);
        }
    }

    record QueuePut(String name, QueueSpec spec, @Nullable Request request) implements Command {}

    /**
     * Some fields of a queue are to be so, the others as they are when it comes to this.
     *
     * @param spec of what is not named it says nothing, unless the queue is made
     * @param fields as in {@code paused}, {@code limit.cpu}
     * @param create it is made if it is not there
     */
    record QueueChange(
            String name,
            QueueSpec spec,
            SortedSet<String> fields,
            boolean create,
            @Nullable Request request)
            implements Command {
        public QueueChange {
            fields = Collections.unmodifiableSortedSet(new TreeSet<>(fields));
        }
    }

    /**
     * @param drain true: it is deleted once its jobs have ended, and takes no new ones
     */
    record QueueDelete(String name, boolean drain, @Nullable Request request) implements Command {}

    /**
     * Some fields of the pool are to be so, the others as they are when it comes to this.
     *
     * @param spec of what is not named it says nothing, unless the pool is made
     * @param fields as in {@code policy}, {@code aging.step}, {@code priorityClasses.high}
     */
    record PoolChange(
            String name, PoolSpec spec, SortedSet<String> fields, @Nullable Request request)
            implements Command {
        public PoolChange {
            fields = Collections.unmodifiableSortedSet(new TreeSet<>(fields));
        }
    }

    record PoolPut(String name, PoolSpec spec, @Nullable Request request) implements Command {}

    /**
     * Who saw it: the namespaces of {@code shard} of {@code shards}, under the lease won with
     * {@code epoch}.
     *
     * @param layout since when the watchers count so many shards; a larger one is newer
     */
    record Witness(int shard, int shards, long epoch, long layout) {
        /** Of a watcher that says no layout: as if the watchers had begun to count so with it. */
        public Witness(int shard, int shards, long epoch) {
            this(shard, shards, epoch, epoch);
        }
    }

    /** What a watcher says. */
    sealed interface Sight extends Event {
        Witness witness();
    }

    record NodeSeen(Witness witness, Node node) implements Sight {}

    /**
     * A node is the pool's no more.
     *
     * @param moved it is in the cluster still; what runs there runs on
     */
    record NodeReleased(Witness witness, String node, boolean moved) implements Sight {
        public NodeReleased(Witness witness, String node) {
            this(witness, node, false);
        }
    }

    /** The sum of what pods of others use of a node, in the witness's namespaces. */
    record OthersUse(Witness witness, String node, Amounts used) implements Sight {}

    /**
     * What the quotas of a namespace allow in all.
     *
     * @param hard by the names that ResourceQuota uses, the least of several
     * @param barred names of which they allow nothing at all
     * @param othersUse what pods that are not this pool's count there, by the same names
     */
    record NamespaceQuotaSeen(
            Witness witness,
            String namespace,
            Amounts hard,
            SortedSet<String> barred,
            Amounts othersUse)
            implements Sight {
        public NamespaceQuotaSeen {
            barred = Collections.unmodifiableSortedSet(new TreeSet<>(barred));
        }

        /** One that allows something of all that it names. */
        public NamespaceQuotaSeen(
                Witness witness, String namespace, Amounts hard, Amounts othersUse) {
            this(witness, namespace, hard, new TreeSet<>(), othersUse);
        }
    }

    record NamespaceQuotaGone(Witness witness, String namespace) implements Sight {}

    record PodSeen(Witness witness, JobId job, Pod pod) implements Sight {}

    record PodGone(Witness witness, JobId job, PodMark mark) implements Sight {}

    /**
     * What a backend says of a group of a job's pods.
     *
     * @param unschedulable its last word is that the group cannot be bound
     * @param reason the backend's code for that
     */
    record GroupSeen(
            Witness witness,
            JobId job,
            int attempt,
            String group,
            boolean unschedulable,
            String reason,
            String message)
            implements Sight {}

    /**
     * Whoever was asked to start a container again in its pod has given that up.
     *
     * @param mark of that pod, with the incarnation that was asked for
     */
    record RestartFailed(Witness witness, JobId job, PodMark mark, String message)
            implements Sight {}

    record SnapshotBegin(Witness witness, String id) implements Sight {}

    record SnapshotEnd(Witness witness, String id) implements Sight {}

    record WatcherAlive(Witness witness) implements Sight {}

    /** The fences of one making of one pod, and its uid in Kubernetes. */
    record PodMark(RankId rank, int attempt, int incarnation, long plan, String podUid) {}

    enum PodPhase {
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /**
     * A pod as it is now.
     *
     * @param node null until it is bound
     * @param unschedulable the scheduler said that it finds no node
     * @param main how the container ended that counts or, where that never ran, the init container
     *     that kept it from running; null: none has
     * @param hindrance why a container of it does not start; null: nothing keeps them
     * @param reason the pod's own, such as Evicted; empty: none
     * @param runs of the container that counts, before this one; null: this is its first
     */
    record Pod(
            PodMark mark,
            long resourceVersion,
            PodPhase phase,
            @Nullable String node,
            boolean ready,
            boolean deleting,
            boolean unschedulable,
            @Nullable ContainerEnd main,
            @Nullable Hindrance hindrance,
            String reason,
            String message,
            @Nullable EarlierRuns runs) {}

    /**
     * A container that was started again in its pod.
     *
     * @param count how often, that of its init containers included
     * @param last how the run before this one ended; null: nobody knows any more
     * @param inits its init containers in their order
     */
    record EarlierRuns(int count, @Nullable ContainerEnd last, List<InitRuns> inits) {
        public EarlierRuns {
            inits = List.copyOf(inits);
        }

        public EarlierRuns(int count, @Nullable ContainerEnd last) {
            this(count, last, List.of());
        }
    }

    /**
     * Of an init container.
     *
     * @param isAfterSuccess its run before this one is not known to have failed
     */
    record InitRuns(int count, boolean isAfterSuccess) {}

    /**
     * How a container ended.
     *
     * @param init the init container that it was; null: it was the one that counts
     */
    record ContainerEnd(int exitCode, String reason, String message, @Nullable String init) {
        /** Of the container that counts. */
        public ContainerEnd(int exitCode, String reason, String message) {
            this(exitCode, reason, message, null);
        }
    }

    /**
     * What keeps a container from starting, such as an image that cannot be pulled.
     *
     * @param reason the kubelet's code
     */
    record Hindrance(String reason, String message) {
        public String words() {
            return message.isEmpty() ? reason : reason + ": " + message;
        }
    }

    /** What pod-manager says of a job. */
    sealed interface Report extends Event {
        JobId job();
    }

    /**
     * The plan was carried out.
     *
     * @param pods of the job's name as listed after the writes, older submissions' included
     * @param confirm answers a plan that asked for the second word
     */
    record PlanApplied(JobId job, long version, boolean confirm, List<ListedPod> pods)
            implements Report {
        public PlanApplied {
            pods = List.copyOf(pods);
        }
    }

    record ListedPod(Uid uid, PodMark mark, boolean deleting) {}

    record PlanRefused(JobId job, long version, String reason, String message) implements Report {}

    /**
     * For a while something has been in the way of the newest plan, which is tried again.
     *
     * @param message one sentence for people, in the API server's words where it has any
     */
    record PlanHindered(JobId job, int attempt, Hitch hitch, String message) implements Report {}

    /** What can be in a plan's way that nobody has refused. */
    enum Hitch {
        /** The cluster's roles do not let pod-manager. */
        RIGHT_MISSING,
        /** The API server says not now, or what is to be made anew is still being deleted. */
        NOT_TAKEN,
        /** Something of an earlier submission or attempt is there still. */
        EARLIER_PODS,
        /** Pods that are to be made anew were told to go long ago, and have not. */
        STUCK_PODS
    }

    /**
     * A pod-manager serves these partitions of the plans.
     *
     * @param backends whose kinds its cluster has
     * @param recreates its cluster starts containers again in their pods when it is asked to
     */
    record PodManagerAlive(
            String instance,
            Set<Integer> partitions,
            Set<PoolSpec.Backend> backends,
            boolean recreates)
            implements Event {
        public PodManagerAlive {
            partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
            backends = Collections.unmodifiableSortedSet(new TreeSet<>(backends));
        }

        /** Of a cluster without backends. */
        public PodManagerAlive(String instance, Set<Integer> partitions) {
            this(instance, partitions, Set.of(), false);
        }
    }

    /** What a job says of itself. */
    sealed interface Signal extends Event {
        JobId job();
    }

    record Trained(JobId job, Digest digest) implements Signal {}

    /**
     * It answers what it was asked to save.
     *
     * @param attempt that speaks; null: it did not say
     * @param ask which one it answers; 0: none
     * @param saved false: it could not
     */
    record CheckpointAnswered(
            JobId job, @Nullable Integer attempt, long ask, boolean saved, String message)
            implements Signal {}

    /**
     * A rank that leaves needs its time no longer.
     *
     * @param attempt that speaks; null: it did not say
     * @param incarnation that speaks; null: it did not say
     */
    record Drained(JobId job, @Nullable Integer attempt, @Nullable Integer incarnation, RankId rank)
            implements Signal {}

    /** Time has come to {@code until}, by the shell's monotonic clock. Only wakes. */
    record TimePassed(Instant until) implements Event {}

    record CoreVersion(String version) implements Event {}
}
