package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where a job stands. A state holds the facts it needs and no others. */
public sealed interface JobState {
    /** Nothing was heard of this job. */
    record Absent() implements JobState {}

    /**
     * It waits for its turn and for room.
     *
     * @param takenBack how often its gang did not run in time
     * @param reason its own, as last published; null: none yet
     */
    record Queued(int takenBack, Gate gate, @Nullable WaitReason reason) implements JobState {
        /** It takes part: only its turn and room are missing. */
        public boolean isOpen() {
            return gate instanceof Gate.Open;
        }
    }

    /**
     * A user keeps it from starting; it has no pods.
     *
     * @param takenBack how often its gang did not run in time
     * @param gate it is before this one again once it is resumed; null: none but what holds then
     * @param own it was suspended alone, and so is not resumed with many
     */
    record Suspended(int takenBack, String message, @Nullable Gate gate, boolean own)
            implements JobState {
        public Suspended(int takenBack, String message, boolean own) {
            this(takenBack, message, null, own);
        }

        public Suspended before(@Nullable Gate gate) {
            return new Suspended(takenBack, message, gate, own);
        }
    }

    /** What keeps a waiting job from taking part in turns. */
    sealed interface Gate {
        /** Nothing does. */
        record Open() implements Gate {}

        /** It backs off. */
        record Later(Instant until) implements Gate {}

        /**
         * Somebody asked to hold it back.
         *
         * @param until it backs off, too; null: it does not
         */
        record Held(String message, @Nullable Instant until) implements Gate {}

        /** Other jobs must have ended first. */
        record Behind() implements Gate {}
    }

    /**
     * Its gang is placed and ordered.
     *
     * @param ordered when
     * @param blindBefore how long those who would see it run had been blind until then
     * @param waits why its backend does not bind it; null: it said nothing
     * @param blindAtFirst the same until its first stage was ordered; null: there is no later one
     */
    record Starting(
            int takenBack,
            Instant ordered,
            Duration blindBefore,
            @Nullable WaitReason waits,
            @Nullable Duration blindAtFirst)
            implements JobState {
        /** Its first stage. */
        public Starting(
                int takenBack, Instant ordered, Duration blindBefore, @Nullable WaitReason waits) {
            this(takenBack, ordered, blindBefore, waits, null);
        }

        /** What its backend said holds until it takes it back. */
        public Starting nextStage(Duration blindBefore, Instant now) {
            return new Starting(takenBack, now, blindBefore, waits, blindUntilAdmitted());
        }

        public Starting waiting(@Nullable WaitReason why) {
            return new Starting(takenBack, ordered, blindBefore, why, blindAtFirst);
        }

        /** How long those who would see it run had been blind until it was admitted. */
        public Duration blindUntilAdmitted() {
            return blindAtFirst == null ? blindBefore : blindAtFirst;
        }
    }

    /**
     * Its gang's minimum runs, or ran.
     *
     * @param takenBack how often its gang did not run in time, until it had run for long
     * @param arrived roles placed after its start whose minimum runs, or ran
     * @param clock of roles whose turn has come and whose minimum does not run; null: there are
     *     none
     * @param unbound why its backend does not bind pods, where there are none; null: it says
     *     nothing
     */
    record Running(
            int takenBack,
            SortedSet<String> arrived,
            @Nullable StageClock clock,
            @Nullable WaitReason unbound)
            implements JobState {
        public Running(int takenBack) {
            this(takenBack, Collections.emptySortedSet(), null);
        }

        public Running(int takenBack, SortedSet<String> arrived, @Nullable StageClock clock) {
            this(takenBack, arrived, clock, null);
        }

        /** It has run for so long that what it did before counts no more, if its minimum runs. */
        public Running rested() {
            return clock == null ? new Running(0, arrived, null, unbound) : this;
        }

        public Running after(JobEvent.OpenRoles roles, Instant now) {
            var came = new TreeSet<>(arrived);
            came.addAll(roles.later());
            var awaited = roles.lacking();
            if (awaited.isEmpty()) {
                return new Running(takenBack, came, null);
            }
            var next =
                    clock != null && clock.roles().containsAll(awaited)
                            ? clock.of(awaited)
                            : new StageClock(awaited, now, roles.blindBefore(), ofBackend());
            return new Running(takenBack, came, next);
        }

        /** What its backend said holds until it takes it back, or all of the minimum runs. */
        private @Nullable WaitReason ofBackend() {
            var why = waits();
            return why != null && why.code() == WaitReason.Code.NOT_SCHEDULED ? why : null;
        }

        /** Why pods whose turn has come are not placed or bound; null: nothing is to be said. */
        public @Nullable WaitReason waits() {
            return clock == null ? unbound : clock.waits();
        }

        /** It was found out why pods whose turn has come are not placed or bound. */
        public Running waiting(@Nullable WaitReason why) {
            return clock == null
                    ? new Running(takenBack, arrived, null, why)
                    : new Running(takenBack, arrived, clock.because(why));
        }

        /** Their pods are ordered now, or made again. */
        public Running ordered(Duration blindBefore, Instant now) {
            if (clock == null) {
                return this;
            }
            var anew = new StageClock(clock.roles(), now, blindBefore, ofBackend());
            return new Running(takenBack, arrived, anew);
        }
    }

    /**
     * Time of roles to run: from when the turn of a later stage came, or a minimum ceased to run,
     * and anew from when they are ordered.
     *
     * @param blindBefore how long those who would see it run had been blind until then
     * @param waits why it is not placed, as last published; null: it is, or nothing was said yet
     */
    record StageClock(
            SortedSet<String> roles,
            Instant since,
            Duration blindBefore,
            @Nullable WaitReason waits) {
        StageClock of(SortedSet<String> left) {
            return new StageClock(left, since, blindBefore, waits);
        }

        StageClock because(@Nullable WaitReason why) {
            return new StageClock(roles, since, blindBefore, why);
        }
    }

    /** Its pods are to go, and something follows once they are gone. */
    sealed interface Leaving extends JobState permits Restarting, Stopping {
        /** It is to run again after that. */
        default boolean isToRunAgain() {
            return true;
        }

        /** What was left of it on silent nodes is gone. */
        Leaving found();

        /** It gave up its place among those of its queue that run, and needs one anew. */
        boolean wasLost();

        /** How often its gang did not run in time since it last ran for long. */
        int takenBack();

        /** It is taken back for that now, and waits before it starts again. */
        default boolean backsOff() {
            return false;
        }
    }

    /**
     * It failed, and its gang is made anew: nothing of the next attempt before every pod of this
     * one is gone. Its room stays its own meanwhile.
     *
     * @param takenBack how often its gang did not run in time, until it had run for long
     * @param until not before
     * @param reason a code: of the failure
     * @param message one sentence for people
     */
    record Restarting(
            int takenBack,
            Instant until,
            String reason,
            String message,
            Clearing clearing,
            boolean wasLost)
            implements Leaving {
        /** Its pods are told to go. */
        public Restarting(int takenBack, Instant until, String reason, String message) {
            this(takenBack, until, reason, message, Clearing.LEAVING, false);
        }

        public Restarting at(Clearing clearing) {
            return new Restarting(takenBack, until, reason, message, clearing, wasLost);
        }

        @Override
        public Restarting found() {
            return new Restarting(takenBack, until, reason, message, Clearing.CONFIRMING, true);
        }
    }

    /**
     * It waits to run again, and what is left of the attempt before is on nodes that are not heard
     * of. All other room is given back.
     *
     * @param again where it was, and goes on when they are gone
     */
    record Lost(Leaving again, WaitReason waits) implements JobState {}

    /** How far the pods of a failed attempt have gone. */
    enum Clearing {
        /** They are being deleted. */
        LEAVING,
        /** The watcher saw the last pod gone; pod-manager's second word is asked for. */
        CONFIRMING,
        /** None is left, by two witnesses. */
        DONE
    }

    /**
     * It is to stop, and was asked before to save how far it has come: its pods go when it has.
     *
     * @param grace for its pods, then
     */
    record Saving(Then then, Duration grace) implements JobState {}

    /**
     * Its pods are being removed.
     *
     * @param confirming the watcher saw the last one gone, pod-manager was asked for the second
     *     word
     * @param grace what whoever stopped it gave its pods; null: they have its own
     */
    record Stopping(Then then, boolean confirming, @Nullable Duration grace, boolean wasLost)
            implements Leaving {
        public Stopping(Then then, boolean confirming) {
            this(then, confirming, null);
        }

        public Stopping(Then then, boolean confirming, @Nullable Duration grace) {
            this(then, confirming, grace, false);
        }

        public Stopping confirming(boolean confirming) {
            return new Stopping(then, confirming, grace, wasLost);
        }

        @Override
        public boolean isToRunAgain() {
            return switch (then) {
                case Then.Requeue _, Then.Return _, Then.Resume _, Then.Move _ -> true;
                case Then.Finish _, Then.Suspend _ -> false;
            };
        }

        @Override
        public int takenBack() {
            return then.takenBack();
        }

        @Override
        public boolean backsOff() {
            return then.backsOff();
        }

        @Override
        public Stopping found() {
            return new Stopping(then, true, grace, true);
        }

        /** Something else follows. */
        public Stopping then(Then next) {
            return new Stopping(next, confirming, grace, wasLost);
        }
    }

    /** The end. No event leads out of it; only what remains of the job changes. */
    record Ended(End end, Remains remains) implements JobState {}

    default Phase phase() {
        return switch (this) {
            case Absent _, Queued _, Lost _ -> Phase.QUEUED;
            case Suspended _ -> Phase.SUSPENDED;
            case Starting _ -> Phase.STARTING;
            case Running _ -> Phase.RUNNING;
            case Restarting _ -> Phase.RESTARTING;
            case Saving _, Stopping _ -> Phase.STOPPING;
            case Ended(var end, _) -> end.phase();
        };
    }

    /** It waits for its turn, or to be resumed. */
    default boolean isWaiting() {
        return this instanceof Queued || this instanceof Suspended;
    }

    /** It waits, and only its turn and room are missing. */
    default boolean takesPart() {
        return this instanceof Queued queued && queued.isOpen();
    }

    /** It stops, and will not run again. */
    default boolean isBeingEnded() {
        return this instanceof Stopping(Then.Finish _, _, _, _);
    }

    /** Pods are ordered and wanted. */
    default boolean isUp() {
        return grows() || this instanceof Saving;
    }

    /** A user suspended it by its name, or submitted it so. */
    default boolean isSuspendedAlone() {
        return switch (this) {
            case Suspended suspended -> suspended.own();
            case Stopping(Then.Suspend(_, _, var own, _), _, _, _) -> own;
            case Saving(Then.Suspend(_, _, var own, _), _) -> own;
            case Absent _, Queued _, Starting _, Running _, Restarting _ -> false;
            case Lost _, Saving _, Stopping _, Ended _ -> false;
        };
    }

    /** More pods may come. */
    default boolean grows() {
        return this instanceof Starting || this instanceof Running;
    }

    /** What its pods used stays reserved for it after their end. */
    default boolean keepsRoom() {
        return isUp() || this instanceof Restarting;
    }

    /** It leaves its nodes to start again elsewhere, and has not yet. */
    default boolean isMoving() {
        return this instanceof Saving(Then.Move _, _)
                || this instanceof Stopping(Then.Move _, _, _, _)
                || this instanceof Queued(_, _, var reason)
                        && reason != null
                        && reason.code() == WaitReason.Code.NODE_GOING;
    }

    /** Somebody is to release it before it takes part in turns. */
    default boolean isHeld() {
        return switch (this) {
            case Queued(_, var gate, _) -> gate instanceof Gate.Held;
            case Suspended suspended -> suspended.gate() instanceof Gate.Held;
            case Absent _, Starting _, Running _, Restarting _, Lost _ -> false;
            case Saving _, Stopping _, Ended _ -> false;
        };
    }

    /** All of the job's objects are to go. */
    default boolean isLeaving() {
        return this instanceof Stopping
                || this instanceof Lost
                || (this instanceof Restarting restarting && restarting.clearing() != Clearing.DONE)
                || (this instanceof Ended(_, var remains)
                        && (remains == Remains.LEAVING || remains == Remains.CONFIRMING));
    }
}
