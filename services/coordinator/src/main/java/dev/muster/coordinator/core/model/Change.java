package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a user may ask of a job that was submitted, or of many at once. */
public sealed interface Change {
    /**
     * To end it.
     *
     * @param grace for its pods; null: the job's own
     */
    record Cancel(@Nullable Duration grace, String message) implements Change {}

    /** To keep it waiting where it is. */
    record Hold(String message) implements Change {}

    record Release() implements Change {}

    /** To give it another priority while it waits, is to wait, or restarts. */
    record Prioritise(int priority) implements Change {}

    /** To let it wait in another queue of the pool, with its age. */
    record Move(String queue) implements Change {}

    /** To stop its pods, if there are any, and start none until it is resumed. */
    record Suspend(@Nullable Duration grace, String message) implements Change {}

    record Resume() implements Change {}

    /** To delete what dead nodes hold of it without the word of their kubelets. */
    record ForceDelete() implements Change {}

    /** To give a job's elastic role another size. */
    sealed interface Scale extends Change {
        String role();

        Terms terms();
    }

    record SetReplicas(String role, int replicas, Terms terms) implements Scale {}

    /** So many more than are wished now. */
    record ScaleOut(String role, int count, Terms terms) implements Scale {}

    /**
     * So many fewer than there are now, or these.
     *
     * @param names as {@code role-index}, or of pods; empty: {@code count} are chosen
     */
    record ScaleIn(String role, int count, SortedSet<String> names, Terms terms) implements Scale {
        public ScaleIn {
            names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
        }
    }

    /**
     * How a command of scale is carried out.
     *
     * @param timeout zero: it has all the time
     * @param atomic what it added is given back as a whole where one of it fails; else what runs is
     *     kept
     * @param drain how long processes have to end by themselves before their pods are deleted;
     *     null: who stands in a host list has what his template gives him, others have no time
     * @param dryRun nothing is done; the answer says what would be
     * @param hook what is run once the change is made; null: nothing
     */
    record Terms(
            Duration timeout,
            boolean atomic,
            @Nullable Duration drain,
            boolean dryRun,
            @Nullable Hook hook) {
        public static final Terms PLAIN = new Terms(Duration.ZERO, true, null, false);

        public Terms(Duration timeout, boolean atomic, @Nullable Duration drain, boolean dryRun) {
            this(timeout, atomic, drain, dryRun, null);
        }
    }

    /**
     * To take back the command of scale that is under way.
     *
     * @param command its id, if it must be this one; null: whatever it is
     */
    record Withdraw(@Nullable String command) implements Change {
        public static final Withdraw ANY = new Withdraw(null);
    }

    /**
     * To forget what is held against nodes that it failed on.
     *
     * @param node null: all that it avoids
     */
    record Include(@Nullable String node) implements Change {}
}
