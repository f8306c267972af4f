package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Action;
import dev.muster.podmanager.core.Action.Apply;
import dev.muster.podmanager.core.Action.AskRestart;
import dev.muster.podmanager.core.Action.Create;
import dev.muster.podmanager.core.Action.CreatePod;
import dev.muster.podmanager.core.Action.Delete;
import dev.muster.podmanager.core.Action.Outdated;
import dev.muster.podmanager.core.Action.Refuse;
import dev.muster.podmanager.core.Action.Report;
import dev.muster.podmanager.core.Action.Wait;
import dev.muster.podmanager.core.Action.Write;
import dev.muster.podmanager.core.ApiAnswer.Changed;
import dev.muster.podmanager.core.ApiAnswer.Denied;
import dev.muster.podmanager.core.ApiAnswer.Done;
import dev.muster.podmanager.core.ApiAnswer.Edited;
import dev.muster.podmanager.core.ApiAnswer.Later;
import dev.muster.podmanager.core.ApiAnswer.Refused;
import dev.muster.podmanager.core.Hitch;
import dev.muster.podmanager.core.HostList;
import dev.muster.podmanager.core.Kind;
import dev.muster.podmanager.core.Listing;
import dev.muster.podmanager.core.Look;
import dev.muster.podmanager.core.Plan;
import dev.muster.podmanager.core.Plan.Stop;
import dev.muster.podmanager.core.Reconcile;
import dev.muster.podmanager.core.Seen;
import dev.muster.podmanager.kafka.Writer.Result;
import dev.muster.podmanager.kubernetes.Cluster;
import dev.muster.schemas.contract.PlanHitch;
import dev.muster.schemas.crash.CrashPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries out one plan: lists, asks what to do, does it, until nothing is left to write. */
final class Pass {
    /** The cluster may change under our hands; after so many looks others have their turn. */
    private static final int LOOKS = 8;

    private final Reconcile reconcile;
    private final Cluster cluster;
    private final Writer writer;
    private final Inbox inbox;
    private final Tenure tenure;

    Pass(Reconcile reconcile, Cluster cluster, Writer writer, Inbox inbox, Tenure tenure) {
        this.reconcile = reconcile;
        this.cluster = cluster;
        this.writer = writer;
        this.inbox = inbox;
        this.tenure = tenure;
    }

    /** How it ended. */
    sealed interface Outcome {
        /** Carried out or refused, and reported. */
        record Finished(String how) implements Outcome {}

        /**
         * Something went wrong or was not possible now.
         *
         * @param onward some of what was to be done is
         * @param hitch what users are to know of it, if it lasts; null: nothing
         */
        record Again(String why, boolean onward, Duration atLeast, @Nullable Hitch hitch)
                implements Outcome {
            Again(String why) {
                this(why, null);
            }

            Again(String why, @Nullable Hitch hitch) {
                this(why, false, Duration.ZERO, hitch);
            }
        }

        /** Nothing went wrong: older objects are still going. */
        record Waiting(String why, Hitch hitch) implements Outcome {}
    }

    /**
     * One plan, as far as it goes now.
     *
     * @param replaced a newer submission of the name has a plan too
     * @param seed a list that was made for another reason; serves if it shows that nothing is to be
     *     done
     * @throws IOException when the API server, the broker or the partition is out of reach
     */
    Outcome carryOut(int partition, Plan plan, boolean replaced, @Nullable Listing seed)
            throws IOException {
        if (seed != null) {
            var actions = decide(plan, replaced, seed);
            if (actions.stream().allMatch(Report.class::isInstance)) {
                return conclude(partition, plan, actions);
            }
        }
        var listing = list(plan);
        boolean onward = false;
        for (int look = 0; look < LOOKS; look++) {
            var actions = decide(plan, replaced, listing);
            var writes = writes(actions);
            if (writes.isEmpty()) {
                CrashPoint.POD_MANAGER_CARRIED_OUT.pass(plan.job());
                return conclude(partition, plan, actions);
            }
            CrashPoint.POD_MANAGER_DECIDED.pass(plan.job());
            var result = writer.write(partition, plan.job().job(), writes);
            onward |= result.onward();
            switch (result.answer()) {
                case Refused(var reason, var message) -> {
                    return refused(partition, plan, reason, message);
                }
                case Denied(var message, var atLeast) -> {
                    var hitch = new Hitch(PlanHitch.RIGHT_MISSING, message);
                    return new Outcome.Again(
                            "a right is missing: " + message, onward, atLeast, hitch);
                }
                case Later(var why, var atLeast) -> {
                    var hitch = new Hitch(PlanHitch.NOT_TAKEN, why);
                    return new Outcome.Again(why, onward, atLeast, hitch);
                }
                case Changed _, Edited _ -> listing = list(plan).with(look(plan, result.changed()));
                case Done() -> listing = after(plan, listing, writes, result);
            }
        }
        return new Outcome.Again("the cluster kept changing", onward, Duration.ZERO, null);
    }

    /**
     * Tells the plan's pool what is in its way.
     *
     * @throws IOException when the partition is not ours any more
     */
    void tell(int partition, Plan plan, Hitch hitch) throws IOException {
        tenure.check(partition);
        inbox.hindered(plan, hitch.reason(), hitch.message());
    }

    /** Somebody has deleted it since the plan was carried out, and nobody watches it. */
    boolean isListGone(Plan plan) throws IOException {
        var job = plan.job().job();
        return Look.of(plan).named().contains(Kind.HOST_LIST)
                && cluster.look(Kind.HOST_LIST, job, HostList.name(job)).isEmpty();
    }

    private List<Action> decide(Plan plan, boolean replaced, Listing listing) {
        return replaced ? reconcile.decideReplaced(plan, listing) : reconcile.decide(plan, listing);
    }

    private Outcome conclude(int partition, Plan plan, List<Action> actions) throws IOException {
        if (actions.isEmpty()) {
            return new Outcome.Finished("nothing wanted");
        }
        return switch (actions.getLast()) {
            case Report(var pods) -> {
                tenure.check(partition);
                inbox.applied(plan, pods);
                CrashPoint.POD_MANAGER_REPORTED.pass(plan.job());
                yield new Outcome.Finished("applied");
            }
            case Refuse(var reason, var message) -> refused(partition, plan, reason, message);
            case Outdated(var hitch) -> new Outcome.Again(hitch.message(), hitch);
            case Wait(var why, var hitch) -> new Outcome.Waiting(why, hitch);
            case Write write -> throw new IllegalStateException("not written: " + write);
        };
    }

    private Outcome refused(int partition, Plan plan, String reason, String message)
            throws IOException {
        tenure.check(partition);
        inbox.refused(plan, reason, message);
        return new Outcome.Finished("refused: " + message);
    }

    /**
     * What was made is known from the answers; what was deleted may still be ending. Where all of
     * it is gone that is known, too, but who makes pods next lists anew before.
     */
    private Listing after(Plan plan, Listing before, List<Write> writes, Result result)
            throws IOException {
        long deletions = writes.stream().filter(w -> w instanceof Delete).count();
        boolean isKnown =
                deletions == 0
                        || plan.wanted() instanceof Stop && result.gone().size() == deletions;
        return isKnown ? before.with(result.made()).without(result.gone()) : list(plan);
    }

    /** A name was taken although the list of our objects does not show it: whose is it? */
    private List<Seen> look(Plan plan, List<Write> changed) throws IOException {
        var job = plan.job().job();
        var found = new ArrayList<Seen>();
        for (var write : changed) {
            var known =
                    switch (write) {
                        case CreatePod(var pod) ->
                                cluster.look(Kind.POD, job, pod.getMetadata().getName());
                        case Apply(var kind, var object, _, _) ->
                                cluster.look(kind, job, object.getMetadata().getName());
                        case Create(var kind, var object) ->
                                cluster.look(kind, job, object.getMetadata().getName());
                        case AskRestart(var request) ->
                                cluster.look(
                                        Kind.RESTART_REQUEST, job, request.getMetadata().getName());
                        case Delete _ -> Optional.<Seen>empty();
                    };
            known.ifPresent(found::add);
        }
        return found;
    }

    private Listing list(Plan plan) throws IOException {
        return cluster.list(plan.job().job(), Look.of(plan));
    }

    private static List<Write> writes(List<Action> actions) {
        return actions.stream().filter(Write.class::isInstance).map(Write.class::cast).toList();
    }
}
