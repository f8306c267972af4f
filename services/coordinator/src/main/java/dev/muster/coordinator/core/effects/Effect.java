package dev.muster.coordinator.core.effects;

import dev.muster.coordinator.core.gang.Spots;
import dev.muster.coordinator.core.model.Allowance;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the shell is to publish, in order. */
public sealed interface Effect {
    /**
     * One request is answered.
     *
     * @param job that the answer speaks of; null: none
     * @param phase where that job stands
     * @param fault what is wrong with the request; null: nothing, or no field of it
     */
    record Answer(
            Request request,
            Outcome outcome,
            @Nullable JobId job,
            @Nullable Phase phase,
            String message,
            @Nullable Fault fault)
            implements Effect {}

    /** A change of many jobs is done. */
    record BulkDone(Request request, Bulk.Counts counts) implements Effect {}

    /** Desired state of one submission's objects. */
    sealed interface Plan extends Effect {
        JobId job();

        int attempt();

        long version();
    }

    /**
     * These pods are to exist; templates and environment are added by the shell.
     *
     * @param spot where the spot pods among them may go besides
     * @param grouping what their backend is told
     * @param hosts version of the host list; 0: the job has none
     * @param ask what the pods are to be told that they shall save; 0: nothing
     * @param hook that runs now beside them; null: none does
     * @param least how many pods the roles need that train now
     * @param ports by role, where its rank 0 listens on its node's network, or will
     * @param sizes by role, how many ranks it is wished to have now
     * @param forced what dead nodes hold of them is deleted without the kubelet's word: of ranks
     *     that left, and of earlier makings of these, as far as the pods do not say it themselves
     * @param repeats the plan before it wanted the same pods and was carried out: what else is
     *     there and is not ending was made late
     */
    record RunPlan(
            JobId job,
            int attempt,
            long version,
            String queue,
            List<PlannedPod> pods,
            PoolSpec.Spot spot,
            Grouping grouping,
            long hosts,
            long ask,
            @Nullable PlannedHook hook,
            int least,
            SortedMap<String, Integer> ports,
            SortedMap<String, Integer> sizes,
            List<ForcedPods> forced,
            boolean repeats)
            implements Plan {
        public RunPlan {
            pods = List.copyOf(pods);
            ports =
                    ports.isEmpty()
                            ? Collections.emptySortedMap()
                            : Collections.unmodifiableSortedMap(new TreeMap<>(ports));
            sizes = Collections.unmodifiableSortedMap(new TreeMap<>(sizes));
            forced = List.copyOf(forced);
        }

        /** All that are to exist: the gang's, and the hook's. */
        public List<PlannedPod> all() {
            if (hook == null) {
                return pods;
            }
            var all = new ArrayList<>(pods);
            all.add(hook.pod());
            return all;
        }
    }

    /**
     * The pod of a hook.
     *
     * @param like the rank whose image, volumes and environment it has
     * @param added indices of the ranks that came, the first ones
     * @param removed indices of the ranks that leave, the first ones
     * @param scaling the command that waits for it
     */
    record PlannedHook(
            Hook hook,
            RankId like,
            int incarnation,
            String node,
            List<Integer> added,
            List<Integer> removed,
            Scaling scaling) {
        public PlannedHook {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }

        private PlannedPod pod() {
            return new PlannedPod(Hook.RANK, incarnation, node, null, 0, false, 0);
        }

        /** Which try it is, from 1. */
        public int number() {
            return scaling.hook() == null ? 1 : scaling.hook().tries();
        }
    }

    /**
     * @param port on its node's network; null: it has an address of its own
     * @param memory what its main container gets; 0: what its template says
     * @param forces what an older making of it left is deleted without its kubelet's word
     * @param inPlace its container is to start again in its pod, as this incarnation; 0: it is not
     * @param part it has in its job's host list
     * @param spot it is a spot pod; null: that is not said, and the last ones of its role are
     */
    record PlannedPod(
            RankId rank,
            int incarnation,
            String node,
            @Nullable Integer port,
            long memory,
            boolean forces,
            int inPlace,
            Part part,
            @Nullable Boolean spot) {
        /** Of a job without a host list, and no spot pod. */
        public PlannedPod(
                RankId rank,
                int incarnation,
                String node,
                @Nullable Integer port,
                long memory,
                boolean forces,
                int inPlace) {
            this(rank, incarnation, node, port, memory, forces, inPlace, Part.NONE, false);
        }

        /** As it is ordered at first. */
        public static PlannedPod of(Rank rank) {
            return of(rank, Part.NONE);
        }

        public static PlannedPod of(Rank rank, Part part) {
            var making = rank.making();
            return new PlannedPod(
                    rank.id(),
                    making.incarnation(),
                    making.node(),
                    making.port(),
                    making.memory(),
                    making.forces(),
                    rank.is(InPlace.ASKED) ? making.inPlace() : 0,
                    part,
                    making.spot());
        }
    }

    /**
     * @param host it stands in the list
     * @param drain it stands there no more, and its pod is deleted with so much time to end by
     *     itself; null: it stays
     */
    record Part(boolean host, @Nullable Duration drain) {
        public static final Part NONE = new Part(false, null);
    }

    /**
     * @param backend whose groups are to go, too
     * @param kept uids of the pods that may be left alone: those that the job had when it ended
     */
    record StopPlan(
            JobId job,
            int attempt,
            long version,
            String queue,
            Decision.Order.Stop stop,
            PoolSpec.Backend backend,
            List<String> kept)
            implements Plan {
        public StopPlan {
            kept = List.copyOf(kept);
        }
    }

    /** Nothing is left, and nothing will be. */
    record GonePlan(JobId job, int attempt, long version, String queue) implements Plan {}

    /**
     * Where a job stands now.
     *
     * @param word why it is there
     * @param allowances by role with a policy of its own; under the empty name the job's
     * @param spots of the roles that may have spot pods
     * @param autoscaling what is made of how fast it trains; null: nothing
     */
    record Status(
            Job job,
            StateReason word,
            Tally tally,
            SortedMap<String, Spots> spots,
            SortedMap<String, Allowance> allowances,
            Throughput.@Nullable Verdict autoscaling)
            implements Effect {
        public Status {
            allowances = Collections.unmodifiableSortedMap(new TreeMap<>(allowances));
            spots =
                    spots.isEmpty()
                            ? Collections.emptySortedMap()
                            : Collections.unmodifiableSortedMap(new TreeMap<>(spots));
        }
    }

    /**
     * The job went to another phase.
     *
     * @param from null on its first event
     */
    record Moved(
            JobId job,
            long seq,
            int attempt,
            @Nullable Phase from,
            Phase to,
            String reason,
            String message)
            implements Effect {}

    /** A rank ended; {@code exitCode} is null where none was seen. */
    record RankEnded(
            JobId job,
            long seq,
            int attempt,
            RankId rank,
            int incarnation,
            String node,
            @Nullable Integer exitCode,
            String reason,
            String message)
            implements Effect {
        /**
         * @param told the job, at this event
         */
        public static RankEnded of(
                Job told, Rank rank, @Nullable Integer exitCode, String reason, String message) {
            return new RankEnded(
                    told.id(),
                    told.seq(),
                    told.fences().attempt(),
                    rank.id(),
                    rank.making().newest(),
                    rank.making().node(),
                    exitCode,
                    reason,
                    message);
        }
    }

    /** A rank is made again: on another node where its own would not have it, or in its pod. */
    record RankPlaced(JobId job, long seq, int attempt, RankId rank, int incarnation, String node)
            implements Effect {
        /**
         * As the newest incarnation of its job.
         *
         * @param told the job, at this event
         */
        public static RankPlaced of(Job told, RankId rank, String node) {
            var fences = told.fences();
            return new RankPlaced(
                    told.id(), told.seq(), fences.attempt(), rank, fences.incarnation(), node);
        }
    }

    /** A command that changes a job's size has come to a stage. */
    record Scaled(JobId job, long seq, int attempt, Scaling scaling) implements Effect {}

    /** What a job was asked to save has come to a stage. */
    record CheckpointTold(JobId job, long seq, int attempt, Checkpoint checkpoint)
            implements Effect {}

    /**
     * Why a job was started now.
     *
     * @param credits of the queues that took part in the turn, before it
     * @param passed jobs of its queue that came before it and could not start, or would have
     *     borrowed where it did not; if it stood behind the first lines of the queue, at least so
     *     many
     * @param waited in line; null: it did not, since it starts again in its own room
     */
    record Started(
            JobId job,
            String queue,
            List<PlannedPod> pods,
            SortedMap<String, Long> credits,
            int passed,
            @Nullable Duration waited)
            implements Effect {}

    /** Why a job waits, told when its own code or scope changes. */
    record Waits(JobId job, String queue, WaitReason reason) implements Effect {}

    /** A gang that did not run in time went back to its queue. */
    record TakenBack(JobId job, String queue, WaitReason reason) implements Effect {}

    /** The pool's one hold was given to a job: this much of these nodes. */
    record Held(JobId job, String queue, SortedMap<String, Amounts> rooms) implements Effect {
        public Held {
            rooms = Collections.unmodifiableSortedMap(new TreeMap<>(rooms));
        }
    }

    /** A running gang is ended to make room for another. */
    record Preempted(JobId job, String queue, JobId by, String message) implements Effect {}

    /**
     * @param inLine of those that wait, how many need only their turn and room
     * @param oldestInLine since when the one of them waits that has waited longest; null: nobody
     *     does
     * @param used by its jobs
     */
    record QueueState(
            Queue queue,
            int waiting,
            int running,
            int inLine,
            @Nullable Instant oldestInLine,
            Amounts used)
            implements Effect {}

    record QueueDeleted(String name) implements Effect {}

    /**
     * @param suspects the nodes that most is held against
     * @param suspect how many there are
     * @param recreates its cluster starts containers again in their pods when it is asked to
     */
    record PoolState(
            String name,
            PoolSpec spec,
            List<Suspicion> suspects,
            int suspect,
            boolean recreates,
            PoolNodes nodes)
            implements Effect {
        public PoolState {
            suspects = List.copyOf(suspects);
        }
    }

    /** The one watcher that speaks for a shard is not believed: an older one had a newer Lease. */
    record Unbelieved(int shard, long epoch, long newest) implements Effect {}

    /** Nobody needs the job's template any more. */
    record DropSpec(JobId job) implements Effect {}

    /** Thirty days after the end: the latest status and plan are deleted from their topics. */
    record Forget(JobId job) implements Effect {}
}
