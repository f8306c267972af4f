package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.SettingsAnswer;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.Waiting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Other settings, put in the place of those that the log says.
 *
 * @param weights by queue
 * @param limits by queue, then by resource; cpu in milli, everything else in whole units; a
 *     guarantee that is higher comes down with it, as no queue may have one
 * @param policy null: as the log says
 * @param more how many nodes there are beside one, by that one's name; they share its fate
 * @param without nodes that are not there
 */
public record Alteration(
        SortedMap<String, Integer> weights,
        SortedMap<String, SortedMap<String, Long>> limits,
        @Nullable QueuePolicy policy,
        SortedMap<String, Integer> more,
        SortedSet<String> without) {
    /**
     * What it names and was not there, each with what it would have to be.
     *
     * @param queues that there were
     * @param nodes that there were
     */
    SortedSet<String> unknown(Set<String> queues, Set<String> nodes) {
        var unknown = new TreeSet<String>();
        Stream.concat(weights.keySet().stream(), limits.keySet().stream())
                .filter(name -> !queues.contains(name))
                .forEach(name -> unknown.add("queue " + name));
        Stream.concat(more.keySet().stream(), without.stream())
                .filter(name -> !nodes.contains(name))
                .forEach(name -> unknown.add("node " + name));
        return unknown;
    }

    /** How many pods are on nodes that are not to be there. */
    int strays(Collection<Row> rows) {
        return (int)
                rows.stream()
                        .filter(row ->
                                row instanceof Rank rank
                                        && !rank.sight().released()
                                        && without.contains(rank.making().node()))
                        .count();
    }

    /** All of it, with nothing else of the pool; what was to be tried is tried. */
    List<Row> rows(Stream<Row> rows) {
        var all = rows.toList();
        boolean isOtherPolicy =
                all.stream()
                        .anyMatch(row ->
                                row instanceof Settings settings
                                        && settings.spec().policy()
                                                != spec(settings.spec()).policy());
        return all.stream().flatMap(row -> row(row, isOtherPolicy)).toList();
    }

    /** What one policy noted of a queue means nothing to another. */
    private Stream<Row> row(Row row, boolean isOtherPolicy) {
        return switch (row) {
            case Queue queue ->
                    Stream.of(
                            new Queue(
                                    queue.name(),
                                    spec(queue.name(), queue.spec()),
                                    isOtherPolicy ? 0 : queue.credit(),
                                    queue.reason(),
                                    queue.leaving(),
                                    queue.distant()));
            case Settings settings ->
                    Stream.of(
                            new Settings(
                                    settings.name(),
                                    spec(settings.spec()),
                                    settings.coreVersion(),
                                    true,
                                    settings.watchEpoch(),
                                    settings.shards(),
                                    settings.served(),
                                    settings.recreates()));
            case Node node -> around(node.name(), name -> named(node, name));
            case Others use ->
                    around(
                            use.node(),
                            name -> new Others(name, use.shard(), use.used(), use.seenAt()));
            case Clock _, Job _, NamespaceQuota _, Rank _, Hold _, Hold.Room _ -> Stream.of(row);
            case Source _, Alarm _, Bulk _, Waiting _, Sweep _ -> Stream.of(row);
            case Throughput _, HookRun _, Suspicion _, EndedJob _, UntoldEnd _ -> Stream.of(row);
            case SettingsAnswer _ -> Stream.of(row);
        };
    }

    /** What the pool hears instead. */
    List<Event> events(Event event) {
        return switch (event) {
            case Event.QueuePut(var name, var spec, var request) ->
                    List.of(new Event.QueuePut(name, spec(name, spec), request));
            case Event.QueueChange(var name, var spec, var fields, var create, var request) ->
                    List.of(new Event.QueueChange(name, spec(name, spec), fields, create, request));
            case Event.PoolPut(var name, var spec, var request) ->
                    List.of(new Event.PoolPut(name, spec(spec), request));
            case Event.PoolChange(var name, var spec, var fields, var request) ->
                    List.of(new Event.PoolChange(name, spec(spec), fields, request));
            case Event.NodeSeen(var witness, var node) ->
                    this.<Event>around(
                                    node.name(),
                                    name -> new Event.NodeSeen(witness, named(node, name)))
                            .toList();
            case Event.NodeReleased(var witness, var node, var moved) ->
                    this.<Event>around(node, name -> new Event.NodeReleased(witness, name, moved))
                            .toList();
            case Event.OthersUse(var witness, var node, var used) ->
                    this.<Event>around(node, name -> new Event.OthersUse(witness, name, used))
                            .toList();
            case Event.Submitted _, Event.ChangeAsked _, Event.BulkAsked _ -> List.of(event);
            case Event.QueueDelete _, Event.CoreVersion _, Event.TimePassed _ -> List.of(event);
            case Event.NamespaceQuotaSeen _, Event.NamespaceQuotaGone _ -> List.of(event);
            case Event.PodSeen _, Event.PodGone _, Event.WatcherAlive _ -> List.of(event);
            case Event.SnapshotBegin _, Event.SnapshotEnd _ -> List.of(event);
            case Event.GroupSeen _, Event.RestartFailed _ -> List.of(event);
            case Event.Signal _ -> List.of(event);
            case Event.Report _, Event.PodManagerAlive _ -> List.of(event);
        };
    }

    /** Of a node, unless it is not to be there, and of those that are like it. */
    private <T> Stream<T> around(String node, Function<String, T> of) {
        var names = new ArrayList<String>();
        if (!without.contains(node)) {
            names.add(node);
        }
        for (int i = 1; i <= more.getOrDefault(node, 0); i++) {
            names.add(node + "-more-" + i);
        }
        return names.stream().map(of);
    }

    private static Node named(Node like, String name) {
        var labels = new TreeMap<>(like.labels());
        labels.computeIfPresent("kubernetes.io/hostname", (_, _) -> name);
        return new Node(
                name,
                like.resourceVersion(),
                labels,
                like.taints(),
                like.unschedulable(),
                like.ready(),
                like.allocatable(),
                like.seenAt(),
                like.notes(),
                name.equals(like.name()) ? like.trust() : Node.Trust.TRUSTED,
                name.equals(like.name()) && like.silent());
    }

    private QueueSpec spec(String queue, QueueSpec spec) {
        var limit = new TreeMap<>(spec.quota().limit());
        limit.putAll(limits.getOrDefault(queue, new TreeMap<>()));
        var quota = spec.quota();
        return new QueueSpec(
                weights.getOrDefault(queue, spec.weight()),
                spec.doors(),
                spec.order(),
                new Quota(
                        atMost(limits.getOrDefault(queue, new TreeMap<>()), quota.guaranteed()),
                        limit,
                        quota.borrowing(),
                        quota.borrowLimit(),
                        quota.lendLimit(),
                        quota.group()));
    }

    private static Amounts atMost(SortedMap<String, Long> limits, Amounts guaranteed) {
        var least = new TreeMap<>(guaranteed.byName());
        limits.forEach((resource, most) ->
                least.computeIfPresent(resource, (_, amount) -> Math.min(amount, most)));
        return Amounts.of(least);
    }

    private PoolSpec spec(PoolSpec spec) {
        return new PoolSpec(
                spec.nodeSelector(),
                policy == null ? spec.policy() : policy,
                spec.preemption(),
                spec.priorities(),
                spec.spot(),
                spec.backing(),
                spec.notices(),
                spec.nodeHealth());
    }

    /** Nothing is changed. */
    public static Alteration none() {
        return new Alteration(
                new TreeMap<>(), new TreeMap<>(), null, new TreeMap<>(), new TreeSet<>());
    }
}
