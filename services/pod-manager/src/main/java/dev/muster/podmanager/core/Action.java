package dev.muster.podmanager.core;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing to be done for a plan. */
public sealed interface Action {
    /** A change of the cluster. */
    sealed interface Write extends Action {}

    /** Makes a pod; that it exists already is an answer, not a success. */
    record CreatePod(Pod pod) implements Write {}

    /** Asks for a container to start again in its pod; that it was asked for is no success. */
    record AskRestart(HasMetadata request) implements Write {}

    /** Makes what nobody changes afterwards; that it is there already is a success. */
    record Create(Kind kind, HasMetadata object) implements Write {}

    /**
     * Makes what a job has besides pods, or brings what we own of it up to date.
     *
     * @param edits what becomes of fields of ours that somebody else has edited
     * @param there what was seen of it; null: nothing
     */
    record Apply(Kind kind, HasMetadata object, Edits edits, @Nullable Seen there)
            implements Write {
        /** Of what was not seen, or not as ours. */
        public Apply(Kind kind, HasMetadata object, Edits edits) {
            this(kind, object, edits, null);
        }

        /**
         * What is not there is made; of what is there exactly the object that was seen is changed.
         *
         * @param there ours; null: nothing is
         */
        static Apply over(@Nullable Seen there, Kind kind, HasMetadata object, Edits edits) {
            if (there == null) {
                return new Apply(kind, object, Edits.LOOKED_AT);
            }
            object.getMetadata().setUid(there.uid());
            return new Apply(kind, object, edits, there);
        }
    }

    /** What becomes of fields of ours that somebody else has edited. */
    enum Edits {
        /** Nobody knows yet whose the object is: nothing is written, it is looked at. */
        LOOKED_AT,
        /** The object is ours, and is as we want it. */
        UNDONE,
        /** Nothing is written, and that counts as done. */
        KEPT
    }

    /**
     * Deletes exactly the object that was seen.
     *
     * @param uid the object's own: another of the same name stays
     * @param graceSeconds null: what the pod itself says
     */
    record Delete(Kind kind, String namespace, String name, String uid, @Nullable Long graceSeconds)
            implements Write {}

    /**
     * Something must happen in the cluster first; look again after a while.
     *
     * @param hitch what users are to know of it, if it lasts
     */
    record Wait(String why, Hitch hitch) implements Action {
        /** Until what is to be there anew, and is being deleted by somebody, is gone. */
        static Wait forEnd(Seen object) {
            var hitch = Hitch.going(object);
            return new Wait(hitch.message(), hitch);
        }
    }

    /** The plan is carried out: this is what is there. */
    record Report(List<Seen> pods) implements Action {
        public Report {
            pods = List.copyOf(pods);
        }
    }

    /** What the plan wants cannot be had; repeating cannot help. */
    record Refuse(String reason, String message) implements Action {}

    /**
     * The plan is older than the cluster: somebody else goes on, and the newer plan is on its way.
     *
     * @param hitch what users are to know of it, if none comes
     */
    record Outdated(Hitch hitch) implements Action {}
}
