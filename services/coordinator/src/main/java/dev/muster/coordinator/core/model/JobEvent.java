package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What can happen to one job. */
public sealed interface JobEvent {
    /**
     * @param behind it waits for other jobs
     */
    public record Submitted(boolean behind, boolean suspended) implements JobEvent {}

    /** The pool could not take it. */
    public record Refused(String reason, String message) implements JobEvent {}

    /**
     * The pool found a node for every pod of the gang.
     *
     * @param blindBefore how long in all those who will see it run were blind until now
     */
    public record GangPlaced(Duration blindBefore) implements JobEvent {}

    /** The pool found out why it waits. */
    public record WaitExplained(WaitReason reason) implements JobEvent {}

    /** What a backend said against binding this group of its pods holds no more. */
    public record WaitOver(String group) implements JobEvent {}

    /** Its back-off is over. */
    public record BackoffPassed() implements JobEvent {}

    /** The jobs that it waited for have come as far as it asked. */
    public record Cleared() implements JobEvent {}

    /** A job that it waits for can never come as far as it asked. */
    public record DependencyFailed(String message) implements JobEvent {}

    public record HoldAsked(String message) implements JobEvent {}

    /**
     * @param behind it still waits for other jobs
     */
    public record ReleaseAsked(boolean behind) implements JobEvent {}

    /**
     * @param grace for its pods; null: the job's own
     * @param own of this job by its name, and not of many
     */
    public record SuspendAsked(@Nullable Duration grace, String message, boolean own)
            implements JobEvent {
        /** Of it alone. */
        public SuspendAsked(@Nullable Duration grace, String message) {
            this(grace, message, true);
        }
    }

    /**
     * @param behind it still waits for other jobs
     */
    public record ResumeAsked(boolean behind) implements JobEvent {}

    /** It makes room for the pool's holder. */
    public record Preempted(String message) implements JobEvent {}

    /** Nodes of it are about to go. */
    public record NodesGo(String message) implements JobEvent {}

    /** It has answered what it was asked before a change, or its answer is not waited for. */
    public record CheckpointOver() implements JobEvent {}

    /** Pods of another stage of it were ordered: their time to run begins. */
    public record StageOrdered(Duration blindBefore) implements JobEvent {}

    /** A rank was seen in another state, or the turn of a stage has come. */
    public record RanksChanged(Tally tally, OpenRoles roles) implements JobEvent {}

    /**
     * Roles whose turn has come.
     *
     * @param lacking whose minimum neither runs nor has ended well
     * @param later of the others, those that are placed after the start
     * @param blindBefore how long in all those who would see it run were blind until now
     */
    public record OpenRoles(
            SortedSet<String> lacking, SortedSet<String> later, Duration blindBefore) {
        public static final OpenRoles NONE =
                new OpenRoles(
                        Collections.emptySortedSet(), Collections.emptySortedSet(), Duration.ZERO);
    }

    /** The gang's minimum did not run in time, while those who would have seen it were heard. */
    public record GangTimedOut(String message) implements JobEvent {}

    /** By its failure policy a failure, or the last one too many, is its end. */
    public record GaveUp(End end) implements JobEvent {}

    /**
     * By its failure policy its gang is made anew.
     *
     * @param until not before
     * @param reason a code: of the failure that was charged
     * @param message one sentence for people
     */
    public record RestartDecided(Instant until, String reason, String message)
            implements JobEvent {}

    /** All that is left of an attempt that failed is on nodes that are not heard of. */
    public record NodesLost(String message) implements JobEvent {}

    /** Where it was to be made anew there is no room for all of it any more. */
    public record RoomLost(String message) implements JobEvent {}

    /** It did not come so far as it had to by now. */
    public record DeadlinePassed(End end) implements JobEvent {}

    /** The API server will not take its pods. */
    public record PlanRefused(String reason, String message) implements JobEvent {}

    /**
     * @param grace for its pods; null: the job's own
     */
    public record CancelAsked(@Nullable Duration grace, String message) implements JobEvent {}

    /** The first witness: the watcher has shown the last pod gone, or none was ever made. */
    public record PodsGone() implements JobEvent {}

    /** The second witness: pod-manager's consistent list was empty. */
    public record GoneConfirmed() implements JobEvent {}

    /** The second witness still saw pods. */
    public record GoneDenied() implements JobEvent {}

    /** Time to delete what was kept: its TTL passed, or a newer submission took its name. */
    public record KeepingOver() implements JobEvent {}
}
