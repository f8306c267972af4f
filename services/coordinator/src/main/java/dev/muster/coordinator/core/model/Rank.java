package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a placed gang.
 *
 * @param listed uid of its pod in the last list that pod-manager reported; null: not in it
 * @param givenUp somebody gave his word that nothing of it runs any more on its dead node, or its
 *     job's policy does; until the node is heard of
 */
public record Rank(
        JobId job,
        RankId id,
        Making making,
        PodSight sight,
        @Nullable String listed,
        boolean givenUp,
        Tenure tenure)
        implements Row {

    /**
     * How it came to the gang, and how it goes.
     *
     * @param joined the command of scale that it came by; 0: none did
     * @param leaves it is taken out: its process has until then to end by itself, or it is {@link
     *     #UNTOLD} until when; null: it stays
     * @param taker the number of the {@link Taker} by which it leaves
     * @param awaits what the job was asked to save before this rank comes or goes; 0: nothing
     */
    public record Tenure(long joined, @Nullable Instant leaves, long taker, long awaits) {
        public static final Tenure MEMBER = new Tenure(0, null, 0, 0);

        /** It is to be told later when it has to be gone: a hook comes first. */
        private static final Instant UNTOLD = Instant.parse("9999-12-31T00:00:00Z");

        /** It came by a command of scale. */
        public boolean isBrought() {
            return joined != 0;
        }

        /** It came by this command of scale. */
        public boolean isBroughtBy(long command) {
            return isBrought() && joined == command;
        }

        /** It leaves by a command of scale. */
        public boolean isTaken() {
            return taker != Taker.NOBODY.number() && !isTakenByNode();
        }

        /** It leaves by this command of scale. */
        public boolean isTakenBy(long command) {
            return isTaken() && taker == command;
        }

        /** It leaves since its node is about to go. */
        public boolean isTakenByNode() {
            return taker == Taker.NODE.number();
        }

        /** It comes or goes only after something that its job was asked to save. */
        public boolean awaitsCheckpoint() {
            return awaits != 0;
        }

        /** It comes or goes only after this. */
        public boolean awaits(Checkpoint asked) {
            return awaits == asked.id();
        }

        /**
         * It leaves.
         *
         * @param until its process has so long
         * @param asked what its job is to save before; null: nothing
         */
        public Tenure leaving(Instant until, Taker by, @Nullable Checkpoint asked) {
            return new Tenure(joined, until, by.number(), asked == null ? 0 : asked.id());
        }

        /** The same, and is told later how long its process has. */
        public Tenure leavingUntold(Taker by, @Nullable Checkpoint asked) {
            return leaving(UNTOLD, by, asked);
        }

        /** It stays after all. */
        public Tenure staying() {
            return new Tenure(joined, null, 0, 0);
        }

        /**
         * It leaves as before, at another time.
         *
         * @param until null: it does not leave
         */
        public Tenure until(@Nullable Instant until) {
            return new Tenure(joined, until, taker, awaits);
        }

        /** It awaits no checkpoint any more. */
        public Tenure goingOn() {
            return new Tenure(joined, leaves, taker, 0);
        }

        /** What brought it counts as done by this command of scale. */
        public Tenure inheritedBy(long heir) {
            return new Tenure(heir, leaves, taker, awaits);
        }
    }

    /**
     * The newest making of its pod.
     *
     * @param node where its capacity is held, or where its pod was seen bound; empty: nowhere yet,
     *     its backend binds it
     * @param avoided nodes on which it could not be placed
     * @param port on its node's network, and no other rank's there; null: it needs none
     * @param memory what its main container was given; 0: what it was submitted with
     * @param forces what the making before it left on a dead node is deleted without the kubelet's
     *     word
     * @param inPlace the newest incarnation that is a start of its container again in its pod; 0:
     *     none
     * @param nodeGone that node was known and has left the cluster
     * @param inPlaceBy by when that start must be seen that was asked for; null: none was
     * @param spot it asks for the pool's spot nodes; null: its coordinator did not say so yet
     * @param former where a pod of an earlier making may still be, until one of this is seen; null:
     *     nowhere else
     * @param forced incarnation of the last making up to this one that forces, if none of its pods
     *     was seen before this one was made; 0: none does
     */
    public record Making(
            int attempt,
            int incarnation,
            String node,
            List<String> avoided,
            @Nullable Integer port,
            long memory,
            boolean forces,
            int inPlace,
            boolean nodeGone,
            @Nullable Instant inPlaceBy,
            @Nullable Boolean spot,
            @Nullable String former,
            int forced) {
        public Making {
            avoided = List.copyOf(avoided);
            forced = forces ? incarnation : forced; // Rows of older builds do not say it.
        }

        /** A pod of its own, and no spot pod; it forces if that is its own incarnation. */
        public Making(
                Job.Fences fences,
                String node,
                List<String> avoided,
                @Nullable Integer port,
                long memory,
                int forced) {
            this(
                    fences.attempt(),
                    fences.incarnation(),
                    node,
                    avoided,
                    port,
                    memory,
                    forced == fences.incarnation(),
                    0,
                    false,
                    null,
                    false,
                    null,
                    forced);
        }

        /** The same, as a spot pod or not. */
        public Making spot(boolean isSpot) {
            return with(node, inPlace, nodeGone, inPlaceBy, isSpot);
        }

        /**
         * In its pod, as this incarnation.
         *
         * @param by when that must be seen; null: it was already
         */
        public Making inPlace(int newest, @Nullable Instant by) {
            return with(node, newest, nodeGone, by, spot);
        }

        public boolean hasNode() {
            return !node.isEmpty();
        }

        public int newest() {
            return Math.max(incarnation, inPlace);
        }

        public boolean isOf(Event.PodMark mark) {
            return attempt == mark.attempt() && incarnation == mark.incarnation();
        }

        public Making on(@Nullable String seen) {
            return seen == null || seen.equals(node)
                    ? this
                    : with(seen, inPlace, false, inPlaceBy, spot);
        }

        /** Its node has left the cluster; or not the cluster, but the pool alone. */
        public Making nodeGone(boolean gone) {
            return with(node, inPlace, gone, inPlaceBy, spot);
        }

        /** Nothing of an earlier making is anywhere but there; null: nowhere. */
        public Making former(@Nullable String left) {
            return with(node, inPlace, nodeGone, inPlaceBy, spot, left);
        }

        private Making with(
                String node,
                int inPlace,
                boolean nodeGone,
                @Nullable Instant by,
                @Nullable Boolean spot) {
            return with(node, inPlace, nodeGone, by, spot, former);
        }

        private Making with(
                String node,
                int inPlace,
                boolean nodeGone,
                @Nullable Instant by,
                @Nullable Boolean spot,
                @Nullable String former) {
            return new Making(
                    attempt,
                    incarnation,
                    node,
                    avoided,
                    port,
                    memory,
                    forces,
                    inPlace,
                    nodeGone,
                    by,
                    spot,
                    former,
                    forced);
        }
    }

    public Rank with(Making making, PodSight sight) {
        return new Rank(job, id, making, sight, listed, givenUp, tenure);
    }

    public Rank with(PodSight sight) {
        return new Rank(job, id, making, sight, listed, givenUp, tenure);
    }

    public Rank listed(@Nullable String podUid) {
        return new Rank(job, id, making, sight, podUid, givenUp, tenure);
    }

    public static Rank ordered(JobId job, RankId id, Making making) {
        return new Rank(job, id, making, PodSight.NONE, null, false, Tenure.MEMBER);
    }

    /** As it is made again; that it came by a command of scale it keeps. */
    public Rank again(Making making) {
        var left = making.forces() ? null : leaves(); // What is forced goes at once.
        boolean isElsewhere = left != null && !left.equals(making.node());
        var next = making.former(isElsewhere ? left : null);
        return new Rank(job, id, next, PodSight.NONE, null, false, tenure);
    }

    /** Where a pod of it may be left when it is made again; null: nowhere. */
    private @Nullable String leaves() {
        var node = whereabouts();
        boolean isNowhere = sight.over() || making.nodeGone() && node.equals(making.node());
        return isNowhere || node.isEmpty() ? null : node;
    }

    /**
     * The node of its pod or, until one of this making is seen, of that of an earlier one: what is
     * not known to be gone is there. Empty: what is there of it is bound to no node.
     */
    public String whereabouts() {
        if (sight.podUid() != null) {
            return sight.unbound() ? "" : making.node();
        }
        var former = making.former();
        return former == null ? making.node() : former;
    }

    public Rank with(Tenure tenure) {
        return new Rank(job, id, making, sight, listed, givenUp, tenure);
    }

    /**
     * @param command by which it comes; 0: none
     * @param checkpoint what its job was asked to save before; 0: nothing
     */
    public Rank joining(long command, long checkpoint) {
        return with(new Tenure(command, null, 0, checkpoint));
    }

    public Rank leaving(Instant until) {
        return with(tenure.until(until));
    }

    /** It stays after all. */
    public Rank staying() {
        return with(tenure.staying());
    }

    /** It leaves, and does not know yet by when. */
    public boolean isUntold() {
        return Tenure.UNTOLD.equals(tenure.leaves());
    }

    /** It is being taken out of its gang, which goes on without it. */
    public boolean isLeaving() {
        return tenure.leaves() != null;
    }

    /** Its pod is there no more, and no plan wants it before the rank is made again. */
    public boolean isEndedAndGone() {
        return state().hasEnded() && sight.gone();
    }

    /** Its pod is to be deleted: it had its time, or needs it no more. */
    public boolean hasLeft(Instant now) {
        return tenure.leaves() != null && (state().hasEnded() || !now.isBefore(tenure.leaves()));
    }

    /**
     * It is one of its role's spot pods. Of those that were placed before that was said of each it
     * is the last ones.
     */
    public boolean isSpot(JobSpec.Role role) {
        return making.spot() == null ? id.index() >= role.replicas() - role.spot() : making.spot();
    }

    /** Pod-manager has listed its pod, which no watcher has shown yet. */
    public boolean isListedUnseen() {
        return listed != null && sight.podUid() == null && !sight.gone();
    }

    public Rank givingUp() {
        return new Rank(job, id, making, sight, listed, true, tenure);
    }

    /** Its node is heard of: whatever was said of it before that holds no more. */
    public Rank heardOf() {
        return new Rank(job, id, making, sight, listed, false, tenure);
    }

    /** How often the kubelet started it again within this gathering. */
    public int restartsIn(Incidents incidents) {
        var again = sight.again();
        return again != null && again.gathering() == incidents.id() ? again.count() : 0;
    }

    public Rank gathered(Incidents incidents, int count) {
        return with(sight.gathered(new Incidents.Again(incidents.id(), count)));
    }

    public RankState state() {
        return sight.state();
    }

    /**
     * The node on which it failed; null: on none, since it was lost before it was seen bound. Where
     * it was to go is not to blame for that.
     */
    public @Nullable String failedOn() {
        boolean isNone = !making.hasNode() || sight.unbound() && !wasLostWithItsNode();
        return isNone || whereabouts().isEmpty() ? null : whereabouts();
    }

    /** It was given up with its node, in this silence of it or in an earlier one. */
    public boolean wasLostWithItsNode() {
        var failure = sight.failure();
        return failure != null && failure.isWithItsNode();
    }

    public boolean is(InPlace inPlace) {
        return sight.inPlace() == inPlace;
    }

    @Override
    public Key key() {
        return new Key(Table.RANK, id(job, id));
    }

    public static String id(JobId job, RankId rank) {
        return job + "/" + rank;
    }
}
