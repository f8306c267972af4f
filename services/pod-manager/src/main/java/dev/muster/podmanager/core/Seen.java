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
    /** One that stays, was told nothing, and of which it is no matter what changed last. */
    public static Seen of(Kind kind, String name, String uid, @Nullable Mark mark) {
        return new Seen(kind, name, uid, mark, false, false, PodNotes.NONE, null, null);
    }

    /**
     * The same, told to go.
     *
     * @param grace null: nobody asked
     */
    public Seen asDeleting(@Nullable Long grace) {
        return new Seen(kind, name, uid, mark, true, ended, notes, grace, version);
    }

    /** The same pod, of which it is known that it has ended. */
    public Seen asEnded() {
        return new Seen(kind, name, uid, mark, deleting, true, notes, grace, version);
    }

    /** The same pod, told so. */
    public Seen with(PodNotes notes) {
        return new Seen(kind, name, uid, mark, deleting, ended, notes, grace, version);
    }

    /** The same in a version of the cluster's. */
    public Seen in(String version) {
        return new Seen(kind, name, uid, mark, deleting, ended, notes, grace, version);
    }
}
