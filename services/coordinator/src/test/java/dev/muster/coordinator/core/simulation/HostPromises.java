package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Host lists are true: nobody is in one who was not told to run and be ready, nor longer than five
 * seconds after the news that he does not, nor beyond his drain; and nobody is missing who was told
 * to for longer than that.
 *
 * <p>It goes by what the pool was told and by what it published, and by none of the pool's rules.
 */
final class HostPromises implements Play.Listener {
    private final Map<JobId, Launched> jobs = new LinkedHashMap<>();

    /** When each was heard of last. */
    private final Map<String, Long> nodes = new TreeMap<>();

    /** Nodes that are not there, or not ready: what is on them may be given up. */
    private final Set<String> doubtful = new TreeSet<>();

    /** Nodes that may be about to go. */
    private final Set<String> left = new TreeSet<>();

    /** By shard: when the list began that it gives. */
    private final Map<Integer, Long> listing = new TreeMap<>();

    private long heard;

    @Override
    public void hears(Event event, Instant now, List<Effect> effects) {
        heard++;
        jobs.values().forEach(job -> job.isInTime(now));
        if (!ShardChance.isLate(event)) {
            take(event, now);
        }
        effects.forEach(effect -> take(effect, now));
        jobs.values().forEach(job -> job.look(now, doubtful));
    }

    private void take(Event event, Instant now) {
        switch (event) {
            case Event.Submitted(var id, var spec, _) when spec.work().hostList() ->
                    jobs.computeIfAbsent(id, Launched::new);
            case Event.PodSeen(_, var id, var pod) when jobs.containsKey(id) ->
                    jobs.get(id).seen(pod, heard);
            case Event.PodGone(_, var id, var mark) when jobs.containsKey(id) ->
                    jobs.get(id).gone(mark.podUid());
            case Event.Drained(var id, _, _, var rank) when jobs.containsKey(id) ->
                    jobs.get(id).drained(rank, now);
            case Event.NodeSeen(_, var node) -> {
                nodes.put(node.name(), heard);
                left.remove(node.name());
                if (node.unschedulable()
                        || !node.taints().isEmpty()
                        || !node.notes().conditions().isEmpty()) {
                    left.add(node.name());
                }
                if (node.ready()) {
                    doubtful.remove(node.name());
                } else {
                    doubtful.add(node.name());
                }
            }
            case Event.NodeReleased(_, var node, _) -> doubtful.add(node);
            case Event.SnapshotBegin(var by, _) -> listing.put(by.shard(), heard);
            case Event.SnapshotEnd(var by, _) -> listed(by, listing.get(by.shard()));
            default -> {}
        }
    }

    /** Each lists the pods of its namespaces, and the first of them the nodes. */
    private void listed(Event.Witness by, long since) {
        jobs.forEach((id, job) -> {
            if (Math.floorMod(id.namespace().hashCode(), by.shards()) == by.shard()) {
                job.goneBefore(since);
            }
        });
        if (by.shard() == 0) {
            nodes.keySet().stream().filter(node -> nodes.get(node) < since).forEach(doubtful::add);
        }
    }

    private void take(Effect effect, Instant now) {
        switch (effect) {
            case Effect.RunPlan plan when jobs.containsKey(plan.job()) ->
                    jobs.get(plan.job()).plans(plan, now, left);
            case Effect.Plan plan when jobs.containsKey(plan.job()) -> jobs.get(plan.job()).stops();
            case Effect.RankEnded ended
                    when jobs.containsKey(ended.job()) && ended.reason().equals("NodeLost") ->
                    jobs.get(ended.job()).givesUp(ended.rank(), ended.incarnation());
            case Effect.Scaled(var id, _, _, var scaling) when jobs.containsKey(id) ->
                    jobs.get(id).scales(scaling);
            default -> {}
        }
    }

    /** What of its promises came to say something. */
    Set<Launched.Weighed> weighed() {
        var all = new TreeSet<Launched.Weighed>();
        jobs.values().forEach(job -> all.addAll(job.weighed()));
        return all;
    }
}
