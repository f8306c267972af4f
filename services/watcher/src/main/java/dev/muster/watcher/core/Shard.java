package dev.muster.watcher.core;

import dev.muster.watcher.core.Effect.Confirm;
import dev.muster.watcher.core.Effect.Publish;
import dev.muster.watcher.core.Effect.WarnOfOverlap;
import dev.muster.watcher.core.NamespaceQuotas.Place;
import dev.muster.watcher.core.PoolAssignment.Left;
import dev.muster.watcher.core.Report.Alive;
import dev.muster.watcher.core.Report.NodeReleased;
import dev.muster.watcher.core.Report.NodeSeen;
import dev.muster.watcher.core.Report.OthersUsed;
import dev.muster.watcher.core.Report.PodGone;
import dev.muster.watcher.core.Report.PodSeen;
import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.WatchedPod.PodName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the watcher knows of one shard and has told of it. Knows all the time, also while another
 * watcher holds the lease; tells only while it holds it itself, a snapshot first and then changes.
 *
 * <p>Not for several threads.
 */
public final class Shard {
    /** So long after a move the holder of the lease then has told the old pool of it. */
    private static final Duration HEARD_BY_THEN = Duration.ofMinutes(1);

    private final int number;
    private final Duration aliveEvery;

    private final Map<PodName, WatchedPod> pods = new TreeMap<>();
    private final Operators operators = new Operators();
    private final PoolAssignment assignment = new PoolAssignment();
    private final Heartbeats heartbeats = new Heartbeats();
    private final OthersUse othersUse;
    private final NamespaceQuotas quotas;
    private final Map<String, Feed> feeds = new TreeMap<>();

    private final Listing<PodName> podList = new Listing<>();
    private final Listing<String> nodeList = new Listing<>();
    private final Listing<PodName> quotaList = new Listing<>();
    private final List<Listing<?>> lists = List.of(podList, nodeList, quotaList);

    private boolean poolsKnown;
    private @Nullable Long epoch;
    private long snapshots;
    private Instant nextAlive = Instant.MAX;
    private Optional<Instant> nextHeartbeat = Optional.empty();
    private List<Effect> effects = new ArrayList<>();

    /**
     * @param number which shard; 0 tells of the nodes too
     * @param moreRoomEvery how often at most a pool hears that others use less of a node
     * @param aliveEvery how often every pool hears that the shard is watched
     */
    public Shard(int number, Duration moreRoomEvery, Duration aliveEvery) {
        this.number = number;
        this.aliveEvery = aliveEvery;
        this.othersUse = new OthersUse(moreRoomEvery);
        this.quotas = new NamespaceQuotas(moreRoomEvery);
    }

    /**
     * Takes one event in.
     *
     * @param now never earlier than at the call before
     * @return what to do, in order
     */
    public List<Effect> on(ShardEvent event, Instant now) {
        effects = new ArrayList<>();
        switch (event) {
            case ShardEvent.PodChanged(var pod) -> podChanged(pod, now);
            case ShardEvent.PodDeleted(var name) -> podDeleted(name, now);
            case ShardEvent.NodeChanged(var node) -> {
                nodeList.heard(node.name());
                nodeChanged(node, now);
            }
            case ShardEvent.NodeDeleted(var name) -> nodesDeleted(List.of(name), now);
            case ShardEvent.NodeRenewed(var node, var renewal, var duration) -> {
                if (heartbeats.heard(node, renewal, duration, now)) {
                    heartChanged(node, now);
                }
            }
            case ShardEvent.NodeLeaseDeleted(var node) -> {
                if (heartbeats.forget(node)) {
                    heartChanged(node, now);
                }
            }
            case ShardEvent.QuotaChanged(var quota) -> {
                quotas.put(quota);
                quotaList.heard(quota.fullName());
                tellQuotas(quota.namespace(), now);
            }
            case ShardEvent.QuotaDeleted(var namespace, var name) ->
                    quotaDeleted(new PodName(namespace, name), now);
            case ShardEvent.GroupChanged(var group) ->
                    operators.heard(group).ifPresent(news -> tell(group.pool(), news));
            case ShardEvent.GroupDeleted(var namespace, var name) ->
                    operators.forgetGroup(new PodName(namespace, name));
            case ShardEvent.RestartFailed(var failed) ->
                    operators.heard(failed).ifPresent(news -> tell(failed.pool(), news));
            case ShardEvent.RestartRequestDeleted(var namespace, var name) ->
                    operators.forgetRestart(new PodName(namespace, name));
            case ShardEvent.ListBegins(var kind) -> listBegins(kind);
            case ShardEvent.Listed(var kind) -> listed(kind, now);
            case ShardEvent.PoolsChanged(var pools) -> poolsChanged(pools, now);
            case ShardEvent.Outdated() -> lists.forEach(Listing::outdate);
            case ShardEvent.LeaseGained(var won) -> {
                epoch = won;
                assignment.settle(now.minus(HEARD_BY_THEN));
                nextAlive = now.plus(aliveEvery);
                feeds.values().forEach(feed -> feed.startAnew(now));
            }
            case ShardEvent.LeaseLost() -> {
                epoch = null;
                assignment.standBy(now);
                nextAlive = Instant.MAX;
                feeds.values().forEach(feed -> feed.startAnew(now));
            }
            case ShardEvent.SendFailed(var pool) -> {
                Optional.ofNullable(feeds.get(pool)).ifPresent(feed -> feed.fail(now));
                confirmed(pool, now); // Nobody waits for one that is no more.
            }
            case ShardEvent.Confirmed(var pool) -> confirmed(pool, now);
            case ShardEvent.Tick() -> {}
        }
        heartbeats.overdue(now).forEach(node -> heartChanged(node, now));
        nextHeartbeat = heartbeats.nextDue(now);
        quotas.uncharge(now).forEach(namespace -> tellQuotas(namespace, now));
        whatIsDue(now);
        return effects;
    }

    /** Whether all that there is was seen once, so that a snapshot could be told. */
    public boolean isSynced() {
        return poolsKnown && lists.stream().allMatch(Listing::isKnown);
    }

    /** When there will be something to do even if nothing is heard; {@link Instant#MAX}: never. */
    public Instant nextDue() {
        if (!tells()) {
            return Instant.MAX;
        }
        var retries = feeds.values().stream().filter(feed -> !feed.isLive()).map(Feed::since);
        return Stream.of(
                        retries,
                        othersUse.nextDue().stream(),
                        quotas.nextDue().stream(),
                        nextHeartbeat.stream(),
                        Stream.of(nextAlive))
                .flatMap(any -> any)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    private void listBegins(ShardEvent.Kind kind) {
        switch (kind) {
            case PODS -> podList.begins(pods.keySet());
            case NODES -> nodeList.begins(assignment.names());
            case QUOTAS -> quotaList.begins(quotas.names());
        }
    }

    private void listed(ShardEvent.Kind kind, Instant now) {
        switch (kind) {
            case PODS -> podList.ends().forEach(name -> podDeleted(name, now));
            case NODES -> nodesDeleted(nodeList.ends(), now);
            case QUOTAS -> quotaList.ends().forEach(name -> quotaDeleted(name, now));
        }
        feeds.values().forEach(feed -> feed.refresh(now));
    }

    private void podChanged(WatchedPod pod, Instant now) {
        podList.heard(pod.name());
        var last = pods.put(pod.name(), pod);
        if (last != null) {
            othersUse.remove(last);
            quotas.remove(last);
        }
        othersUse.add(pod);
        quotas.add(pod, now);
        var before = last == null ? null : last.report();
        var report = pod.report();
        if (before != null && (report == null || !report.samePodAs(before))) {
            tell(before.pool(), new PodGone(before.identity()));
        }
        if (report != null && (before == null || report.tellsMoreThan(before))) {
            tell(report.pool(), new PodSeen(report));
        }
        tellOthersUse(pod.usedNode(), now);
        if (last != null) {
            tellOthersUse(last.usedNode(), now);
        }
        tellQuotas(pod.name().namespace(), now);
    }

    private void podDeleted(PodName name, Instant now) {
        var last = pods.remove(name);
        if (last == null) {
            return;
        }
        othersUse.remove(last);
        quotas.remove(last);
        if (last.report() != null) {
            tell(last.report().pool(), new PodGone(last.report().identity()));
        }
        tellOthersUse(last.usedNode(), now);
        tellQuotas(name.namespace(), now);
    }

    private void quotaDeleted(PodName name, Instant now) {
        quotas.remove(name);
        tellQuotas(name.namespace(), now);
    }

    private void heartChanged(String name, Instant now) {
        assignment.node(name).ifPresent(node -> nodeChanged(node, now));
    }

    private void nodeChanged(NodeReport seen, Instant now) {
        var node = seen.silent(heartbeats.isSilent(seen.name()));
        var before = assignment.node(node.name());
        var left = assignment.put(node, tells() ? null : now);
        left.ifPresent(gone -> release(List.of(gone), now));
        if (left.isEmpty() && before.filter(last -> !node.tellsMoreThan(last)).isEmpty()) {
            if (othersUse.wasTold(node.name())) {
                assignment
                        .settledPoolOf(node.name())
                        .ifPresent(pool -> tellOfNodes(pool.name(), new NodeSeen(node)));
            } else {
                catchUp(node, now);
            }
        }
        warnOfOverlaps(List.of(node));
    }

    private void nodesDeleted(List<String> names, Instant now) {
        if (epoch == null) {
            assignment.settle(now.minus(HEARD_BY_THEN)); // Nobody confirms to us what left.
        }
        release(assignment.remove(names, tells() ? null : now), now);
    }

    private void poolsChanged(Pools pools, Instant now) {
        poolsKnown = true;
        release(assignment.use(pools, tells() ? null : now), now);
        feeds.keySet().removeIf(name -> pools.named(name).isEmpty());
        for (var pool : pools.inOrder()) {
            feeds.computeIfAbsent(pool.name(), any -> new Feed(pool, now)).use(pool, now);
        }
        assignment.nodes().forEach(node -> catchUp(node, now));
        warnOfOverlaps(assignment.nodes());
    }

    /** Tells pools that nodes left them; whoever has the nodes now hears when that is confirmed. */
    private void release(List<Left> left, Instant now) {
        for (var gone : left) {
            othersUse.forget(gone.node());
            tellReleased(gone.pool().name(), gone.node());
        }
        if (number != 0) {
            free(any -> true, now);
        } else if (tells()) {
            var pools = left.stream().map(gone -> gone.pool().name());
            pools.distinct().map(Confirm::new).forEach(effects::add);
        }
    }

    private void tellReleased(String pool, String node) {
        tellOfNodes(pool, new NodeReleased(node, assignment.node(node).isPresent()));
    }

    /** A pool that is not live may not have heard; its next snapshot says it again. */
    private void confirmed(String pool, Instant now) {
        if (!feeds.containsKey(pool) || isLive(pool)) {
            free(from -> from.name().equals(pool), now);
        }
    }

    private void free(Predicate<Pool> heard, Instant now) {
        assignment.released(heard).stream()
                .flatMap(node -> assignment.node(node).stream())
                .forEach(node -> catchUp(node, now));
    }

    /** Tells of a node whose pool has not heard of it yet. */
    private void catchUp(NodeReport node, Instant now) {
        assignment
                .settledPoolOf(node.name())
                .filter(pool -> isLive(pool.name()) && !othersUse.wasTold(node.name()))
                .ifPresent(pool -> tellNode(pool, node, now));
    }

    /** What others use comes first: a node is never thought emptier than it is. */
    private void tellNode(Pool pool, NodeReport node, Instant now) {
        var used = othersUse.tell(node.name(), pool.name(), now);
        tell(pool.name(), new OthersUsed(node.name(), used));
        tellOfNodes(pool.name(), new NodeSeen(node));
    }

    private void tellOthersUse(@Nullable String node, Instant now) {
        if (node == null) {
            return;
        }
        var pool = assignment.settledPoolOf(node).filter(taker -> isLive(taker.name()));
        if (pool.isEmpty()) {
            othersUse.forget(node);
            return;
        }
        othersUse
                .news(node, pool.get().name(), now)
                .ifPresent(used -> tell(pool.get().name(), new OthersUsed(node, used)));
    }

    private void tellQuotas(String namespace, Instant now) {
        feeds.keySet().forEach(pool -> tellQuota(new Place(namespace, pool), now));
    }

    private void tellQuota(Place place, Instant now) {
        if (isLive(place.pool())) {
            quotas.news(place, now).ifPresent(report -> tell(place.pool(), report));
        } else {
            quotas.forget(place);
        }
    }

    private void whatIsDue(Instant now) {
        if (!tells()) {
            return;
        }
        var due = feeds.values().stream().filter(feed -> feed.isDue(now)).toList();
        due.forEach(feed -> snapshot(feed, now));
        if (!due.isEmpty()) {
            assignment.awaited().forEach(pool -> effects.add(new Confirm(pool)));
        }
        othersUse.due(now).forEach(node -> tellOthersUse(node, now));
        quotas.due(now).forEach(place -> tellQuota(place, now));
        if (!nextAlive.isAfter(now)) {
            nextAlive = now.plus(aliveEvery);
            feeds.keySet().forEach(pool -> tell(pool, new Alive()));
        }
    }

    private void snapshot(Feed feed, Instant now) {
        var pool = feed.pool();
        var id = "%d-%d-%d".formatted(number, epoch, ++snapshots);
        feed.goLive(now);
        assignment.leaving(pool.name()).forEach(node -> tellReleased(pool.name(), node));
        tell(pool.name(), new SnapshotBegin(id));
        assignment.settledNodesOf(pool.name()).forEach(node -> tellNode(pool, node, now));
        quotas.tellAll(pool.name(), now).forEach(report -> tell(pool.name(), report));
        PodReport.newestFirst(pods.values(), pool.name())
                .forEach(report -> tell(pool.name(), new PodSeen(report)));
        operators.of(pool.name()).forEach(report -> tell(pool.name(), report));
        tell(pool.name(), new SnapshotEnd(id));
    }

    private void warnOfOverlaps(Collection<NodeReport> among) {
        assignment.newOverlaps(among).stream()
                .map(found -> new WarnOfOverlap(found.taker(), found.other(), found.node()))
                .forEach(effects::add);
    }

    private boolean tells() {
        return epoch != null && isSynced() && lists.stream().allMatch(Listing::isFresh);
    }

    private boolean isLive(String pool) {
        var feed = feeds.get(pool);
        return tells() && feed != null && feed.isLive();
    }

    /** Of nodes only shard 0 tells. */
    private void tellOfNodes(String pool, Report report) {
        if (number == 0) {
            tell(pool, report);
        }
    }

    private void tell(String pool, Report report) {
        var feed = feeds.get(pool);
        if (feed != null && isLive(pool)) {
            effects.add(new Publish(feed.pool(), report));
        }
    }
}
