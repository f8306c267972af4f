package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was seen last of the pod of a rank.
 *
 * @param podUid null: nothing yet
 * @param gone it is there no more, or was never made and never will be
 * @param over it has ended or is gone
 * @param released what it used of the node is free for others: it is over, and nothing is kept for
 *     another making of it
 * @param unschedulable the scheduler finds no node for it
 * @param hindrance why its containers do not start; null: nothing keeps them
 * @param hinderedSince from when on; null: they are not kept
 * @param at the pool's tick of the sight
 * @param failedAt the tick at which its rank failed, whatever was seen of it since; 0: it has not,
 *     or was judged
 * @param restarts how often its container was started again in its pod, as far as charged
 * @param inPlace null: it is not to be
 * @param deleting its pod was on its way out before its end was seen
 * @param again what of those restarts was gathered last; null: nothing
 * @param inits of those restarts how many were each init container's, in their order
 * @param due a rank that returns is made again from then on; null: at once
 * @param unbound it was not seen bound to any node
 */
public record PodSight(
        RankState state,
        @Nullable String podUid,
        long resourceVersion,
        boolean ready,
        boolean gone,
        boolean over,
        boolean released,
        boolean unschedulable,
        @Nullable Failure failure,
        Event.@Nullable Hindrance hindrance,
        @Nullable Instant hinderedSince,
        long at,
        long failedAt,
        int restarts,
        @Nullable InPlace inPlace,
        boolean deleting,
        Incidents.@Nullable Again again,
        @Nullable Instant due,
        List<Integer> inits,
        boolean unbound) {
    public PodSight {
        inits = List.copyOf(inits);
        due = state == RankState.RETURNING ? due : null;
        if (state != RankState.FAILED) {
            failedAt = 0;
        } else if (failedAt == 0) {
            failedAt = at; // It is seen to fail, or its row is of a build that did not note it.
        }
    }

    static final PodSight NONE =
            new PodSight(
                    RankState.ORDERED,
                    null,
                    -1,
                    false,
                    false,
                    false,
                    false,
                    false,
                    null,
                    null,
                    null,
                    -1,
                    0,
                    0,
                    null,
                    false,
                    null,
                    null,
                    List.of(),
                    true);

    /**
     * Its pod as it is seen now, which is there.
     *
     * @param over it has ended
     * @param hinderedSince from when on its containers have been kept from starting; null: nothing
     *     keeps them
     */
    public PodSight seen(
            Event.Pod pod,
            Judgement judged,
            boolean over,
            @Nullable Instant hinderedSince,
            long tick) {
        var runs = pod.runs();
        // Where the kubelet restarts, a pod runs whose container waits to start again.
        boolean mayWait =
                judged.state() == RankState.PENDING || judged.state() == RankState.RUNNING;
        return new PodSight(
                judged.state(),
                pod.mark().podUid(),
                pod.resourceVersion(),
                pod.ready(),
                false,
                over,
                judged.released(),
                pod.unschedulable(),
                judged.failure(),
                mayWait ? pod.hindrance() : null,
                mayWait ? hinderedSince : null,
                tick,
                failedAt,
                Math.max(restarts, runs == null ? 0 : runs.count()),
                judged.inPlace(),
                deleting || pod.deleting() && !judged.state().hasEnded(),
                again,
                due,
                runs == null ? inits : runs.inits().stream().map(Event.InitRuns::count).toList(),
                unbound && pod.node() == null);
    }

    /** Its pod is there no more, as is known from this tick on. */
    public PodSight vanished(
            long tick, RankState state, boolean released, @Nullable Failure failure) {
        return new PodSight(
                state,
                podUid,
                resourceVersion,
                false,
                true,
                true,
                released,
                false,
                failure,
                null,
                null,
                at,
                failedBy(tick),
                restarts,
                null,
                deleting,
                again,
                due,
                inits,
                unbound);
    }

    /**
     * How often its containers have failed since: an init container that had succeeded runs again
     * where its pod's sandbox is made anew, and only whoever ran in it meanwhile fell with it.
     */
    public int failuresUntil(Event.EarlierRuns runs) {
        int times = runs.count() - restarts;
        for (int i = 0; i < runs.inits().size(); i++) {
            var init = runs.inits().get(i);
            int before = i < inits.size() ? inits.get(i) : 0;
            times -= init.count() > before && init.isAfterSuccess() ? 1 : 0;
        }
        return Math.max(0, times);
    }

    /**
     * It is thought of otherwise; what was seen of the pod is the same, and so is the delay of a
     * rank that returns.
     */
    public PodSight judged(RankState state, boolean released, @Nullable Failure failure) {
        return judged(state, released, failure, null);
    }

    /** The same, of a container that is to start again in its pod. */
    public PodSight judged(
            RankState state,
            boolean released,
            @Nullable Failure failure,
            @Nullable InPlace inPlace) {
        return with(
                new Judgement(state, released, failure, inPlace),
                failedAt,
                again,
                due,
                hinderedSince,
                at);
    }

    /** Its rank has failed by this tick, if it had not before; the pod was not seen anew. */
    public PodSight failed(
            long tick, boolean released, Failure failure, @Nullable InPlace inPlace) {
        var judged = new Judgement(RankState.FAILED, released, failure, inPlace);
        return with(judged, failedBy(tick), again, due, hinderedSince, at);
    }

    private long failedBy(long tick) {
        return state == RankState.FAILED ? failedAt : tick;
    }

    /**
     * It is to be made again.
     *
     * @param from not before; null: at once
     */
    public PodSight returning(
            @Nullable Instant from, @Nullable Failure failure, @Nullable InPlace inPlace) {
        var judged = new Judgement(RankState.RETURNING, released, failure, inPlace);
        return with(judged, 0, again, from, hinderedSince, at);
    }

    /** Its restarts are gathered so far. */
    PodSight gathered(Incidents.Again now) {
        return with(judged(), failedAt, now, due, hinderedSince, at);
    }

    /** It was there at this tick, too. */
    public PodSight at(long tick) {
        return with(judged(), failedAt, again, due, hinderedSince, tick);
    }

    /** What keeps its containers from starting counts from then on. */
    public PodSight hinderedFrom(Instant since) {
        return with(judged(), failedAt, again, due, since, at);
    }

    /** What is thought of it, whatever of the pod was seen. */
    public record Judgement(
            RankState state,
            boolean released,
            @Nullable Failure failure,
            @Nullable InPlace inPlace) {}

    private Judgement judged() {
        return new Judgement(state, released, failure, inPlace);
    }

    private PodSight with(
            Judgement judged,
            long failed,
            Incidents.@Nullable Again again,
            @Nullable Instant due,
            @Nullable Instant hinderedSince,
            long tick) {
        return new PodSight(
                judged.state(),
                podUid,
                resourceVersion,
                ready,
                gone,
                over,
                judged.released(),
                unschedulable,
                judged.failure(),
                hindrance,
                hinderedSince,
                tick,
                failed,
                restarts,
                judged.inPlace(),
                deleting,
                again,
                due,
                inits,
                unbound);
    }
}
