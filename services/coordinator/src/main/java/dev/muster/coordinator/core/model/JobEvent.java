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
    record Submitted(boolean behind, boolean suspended) implements JobEvent {}

    /** The pool could not take it. */
    record Refused(String reason, String message) implements JobEvent {}

    /**
     * The pool found a node for every pod of the gang.
     *
     * @param blindBefore how long in all those who will see it run were blind until now
     */
    record GangPlaced(Duration blindBefore) implements JobEvent {}

    /** The pool found out why it waits. */
    record WaitExplained(WaitReason reason) implements JobEvent {}

    /** What a backend said against binding this group of its pods holds no more. */
    record WaitOver(String group) implements JobEvent {}

    /** Its back-off is over. */
    record BackoffPassed() implements JobEvent {}

    /** The jobs that it waited for have come as far as it asked. */
    record Cleared() implements JobEvent {}

    /** A job that it waits for can never come as far as it asked. */
    record DependencyFailed(String message) implements JobEvent {}

    record HoldAsked(String message) implements JobEvent {}

    /**
     * @param behind it still waits for other jobs
     */
    record ReleaseAsked(boolean behind) implements JobEvent {}

    /**
     * @param grace for its pods; null: the job's own
     * @param own of this job by its name, and not of many
     */
    record SuspendAsked(@Nullable Duration grace, String message, boolean own) implements JobEvent {
        /** Of it alone. */
        public SuspendAsked(@Nullable Duration grace, String message) {
            this(grace, message, true);
        }
    }

    /**
     * @param behind it still waits for other jobs
     */
    record ResumeAsked(boolean behind) implements JobEvent {}

    /** It makes room for the pool's holder. */
    record Preempted(String message) implements JobEvent {}

    /** Nodes of it are about to go. */
    record NodesGo(String message) implements JobEvent {}

    /** None of its nodes is about to go any more. */
    public record NodesStay() implements JobEvent {}

    /** It has answered what it was asked before a change, or its answer is not waited for. */
    record CheckpointOver() implements JobEvent {}

    /** Pods of another stage of it were ordered: their time to run begins. */
    record StageOrdered(Duration blindBefore) implements JobEvent {}

    /** A rank was seen in another state, or the turn of a stage has come. */
    record RanksChanged(Tally tally, OpenRoles roles) implements JobEvent {}

    /**
     * Roles whose turn has come.
     *
     * @param lacking whose minimum neither runs nor has ended well
     * @param later of the others, those that are placed after the start
     * @param blindBefore how long in all those who would see it run were blind until now
     */
    record OpenRoles(SortedSet<String> lacking, SortedSet<String> later, Duration blindBefore) {
        public static final OpenRoles NONE =
                new OpenRoles(
                        Collections.emptySortedSet(), Collections.emptySortedSet(), Duration.ZERO);
    }

    /** The gang's minimum did not run in time, while those who would have seen it were heard. */
    record GangTimedOut(String message) implements JobEvent {}

    /** By its failure policy a failure, or the last one too many, is its end. */
    record GaveUp(End end) implements JobEvent {}

    /**
     * By its failure policy its gang is made anew.
     *
     * @param until not before
     * @param reason a code: of the failure that was charged
     * @param message one sentence for people
     */
    record RestartDecided(Instant until, String reason, String message) implements JobEvent {}

    /** All that is left of an attempt that failed is on nodes that are not heard of. */
    record NodesLost(String message) implements JobEvent {}

    /** Where it was to be made anew there is no room for all of it any more. */
    record RoomLost(String message) implements JobEvent {}

    /** It did not come so far as it had to by now. */
    record DeadlinePassed(End end) implements JobEvent {}

    /** The API server will not take its pods. */
    record PlanRefused(String reason, String message) implements JobEvent {}

    /**
     * @param grace for its pods; null: the job's own
     */
    record CancelAsked(@Nullable Duration grace, String message) implements JobEvent {}

    /** The first witness: the watcher has shown the last pod gone, or none was ever made. */
    record PodsGone() implements JobEvent {}

    /** The second witness: pod-manager's consistent list was empty. */
    record GoneConfirmed() implements JobEvent {}

    /** The second witness still saw pods. */
    record GoneDenied() implements JobEvent {}

    /** Time to delete what was kept: its TTL passed, or a newer submission took its name. */
    record KeepingOver() implements JobEvent {}
}
