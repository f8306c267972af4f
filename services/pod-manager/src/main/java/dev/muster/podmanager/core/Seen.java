package dev.muster.podmanager.core;

import org.jspecify.annotations.Nullable;

/**
 * One object of the cluster, as far as decisions need it.
 *
 * @param uid the cluster's identity of the object
 * @param mark whose it is; null: not ours, whoever made it
 * @param deleting a deletion timestamp is set
 * @param ended a pod that succeeded or failed; false where nobody asked
 * @param notes what the pod was told after it was made
 * @param grace how many seconds it has to end since it was told to; null: it was not, or nobody
 *     asked
 * @param version the cluster's, another with each change; null where it is no matter
 */
public record Seen(
        Kind kind,
        String name,
        String uid,
        @Nullable Mark mark,
        boolean deleting,
        boolean ended,
        PodNotes notes,
        @Nullable Long grace,
        @Nullable String version) {
    /** One of which it is no matter what changed last. */
    public Seen(
            Kind kind,
            String name,
            String uid,
            @Nullable Mark mark,
            boolean deleting,
            boolean ended,
            PodNotes notes,
            @Nullable Long grace) {
        this(kind, name, uid, mark, deleting, ended, notes, grace, null);
    }

    /** One that is not told to go, or of which it is no matter how fast it does. */
    public Seen(
            Kind kind,
            String name,
            String uid,
            @Nullable Mark mark,
            boolean deleting,
            boolean ended,
            PodNotes notes) {
        this(kind, name, uid, mark, deleting, ended, notes, null);
    }

    /** One that was told nothing. */
    public Seen(
            Kind kind,
            String name,
            String uid,
            @Nullable Mark mark,
            boolean deleting,
            boolean ended) {
        this(kind, name, uid, mark, deleting, ended, PodNotes.NONE);
    }

    /** The same pod, of which it is known that it has ended. */
    public Seen asEnded() {
        return new Seen(kind, name, uid, mark, deleting, true, notes, grace, version);
    }
}
