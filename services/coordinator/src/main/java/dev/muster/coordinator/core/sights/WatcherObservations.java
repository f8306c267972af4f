package dev.muster.coordinator.core.sights;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.LostNodes;
import dev.muster.coordinator.core.jobs.StartupProblems;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.GroupSeen;
import dev.muster.coordinator.core.model.Event.NamespaceQuotaGone;
import dev.muster.coordinator.core.model.Event.NamespaceQuotaSeen;
import dev.muster.coordinator.core.model.Event.NodeReleased;
import dev.muster.coordinator.core.model.Event.NodeSeen;
import dev.muster.coordinator.core.model.Event.OthersUse;
import dev.muster.coordinator.core.model.Event.PodGone;
import dev.muster.coordinator.core.model.Event.PodSeen;
import dev.muster.coordinator.core.model.Event.Sight;
import dev.muster.coordinator.core.model.Event.SnapshotBegin;
import dev.muster.coordinator.core.model.Event.SnapshotEnd;
import dev.muster.coordinator.core.model.Event.WatcherAlive;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.nodes.PoolStates;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.PoolRoom;
import dev.muster.coordinator.core.state.Tables;

/** What the watchers say: believed once, from the newest lease holder, and never of the past. */
public final class WatcherObservations {
    private final Tables tables;
    private final Journal journal;
    private final Pods pods;
    private final LostNodes lost;
    private final GoingNodes going;
    private final SuspectNodes suspects;
    private final Watchers watchers;
    private final StartupProblems obstacles;

    public WatcherObservations(
            Tables tables,
            Journal journal,
            Jobs jobs,
            Pods pods,
            LostNodes lost,
            GoingNodes going) {
        this.tables = tables;
        this.journal = journal;
        this.pods = pods;
        this.lost = lost;
        this.going = going;
        this.suspects = new SuspectNodes(tables);
        this.watchers = new Watchers(tables);
        this.obstacles = new StartupProblems(tables, jobs);
    }

    /**
     * @return false when work is left: the same event is to be given again
     */
    public boolean on(Sight sight) {
        var source = watchers.believe(sight.witness());
        if (source == null) {
            disbelieved(sight);
            return true;
        }
        switch (sight) {
            case NodeSeen(_, var node) -> node(node);
            case NodeReleased(_, var node, var moved) -> released(node, moved);
            case OthersUse(var witness, var node, var used) -> others(witness, node, used);
            case NamespaceQuotaSeen(
                            var witness,
                            var namespace,
                            var hard,
                            var barred,
                            var othersUse) ->
                    quota(
                            new NamespaceQuota(
                                    namespace,
                                    hard,
                                    barred,
                                    othersUse,
                                    witness.shard(),
                                    tables.clock().tick()));
            case NamespaceQuotaGone(_, var namespace) -> {
                var known = tables.namespace(namespace);
                if (known != null) {
                    tables.remove(known);
                    tables.startsAreDue();
                }
            }
            case PodSeen(_, var job, var pod) -> pods.seen(job, pod);
            case PodGone(_, var job, var mark) -> pods.gone(job, mark);
            case GroupSeen group -> obstacles.grouped(group);
            case Event.RestartFailed(_, var job, var mark, var message) ->
                    pods.restartFailed(job, mark, message);
            case SnapshotBegin(_, var id) -> tables.put(source.begins(id, tables.clock().tick()));
            case SnapshotEnd(_, var id) -> {
                return !id.equals(source.snapshot()) || end(source);
            }
            case WatcherAlive _ -> {}
        }
        return true;
    }

    /** Told as often as it is said, which is every few seconds. */
    private void disbelieved(Sight sight) {
        var alone = sight instanceof WatcherAlive alive ? watchers.alone(alive.witness()) : null;
        if (alone != null) {
            journal.publish(alone);
        }
    }

    private void node(Node node) {
        var known = tables.capacity.node(node.name());
        var seen = suspects.noted(going.noted(node)).seen(tables.clock().tick());
        // That it does not renew its lease changes no choice of nodes.
        if (known == null || !known.seen(0).equals(seen.seen(0).silent(known.silent()))) {
            tables.startsAreDue();
        }
        tables.put(seen);
        lost.seen(known, seen);
        suspects.seen(known, seen);
        PoolStates.tellOf(tables, known, seen);
        going.seen(known, seen);
    }

    private void released(String name, boolean moved) {
        var node = tables.capacity.node(name);
        if (node != null) {
            remove(node, moved);
        }
    }

    /** A head that fits no more, whatever ends, is passed where it was not before. */
    private void remove(Node node, boolean moved) {
        tables.remove(node);
        lost.left(node.name(), !moved);
        tables.startsAreDue();
        PoolStates.tell(tables);
    }

    private void others(Witness witness, String node, Amounts used) {
        var known = tables.capacity.others(node, witness.shard());
        var before = known == null ? Amounts.NONE : known.used();
        boolean isLess = !used.minus(before).isNowhereNegative();
        boolean mayMatter = tables.mayAnyStandInTheWay() || isHeldOn(node);
        if (isLess || !used.equals(before) && mayMatter) {
            tables.startsAreDue();
        }
        if (!used.equals(before)) {
            PoolRoom.tell(tables);
        }
        tables.put(new Others(node, witness.shard(), used, tables.clock().tick()));
        if (known == null) {
            watchers.isTold(node, used);
        }
    }

    /** Where the holder fits there no more the hold goes elsewhere, before others have that. */
    private boolean isHeldOn(String node) {
        return tables.hold() != null && tables.held.amounts().containsKey(node);
    }

    private void quota(NamespaceQuota seen) {
        var known = tables.namespace(seen.namespace());
        if (known == null || !known.allowsAs(seen)) {
            tables.startsAreDue();
        }
        tables.put(seen);
    }

    /** What was seen before this snapshot began, and was not listed in it, is gone. */
    private boolean end(Source source) {
        if (!pods.goneBefore(
                source.snapshotFrom(), job -> watchers.isOf(job.namespace(), source))) {
            return false;
        }
        if (source.number() == 0) {
            for (var node : tables.capacity.nodes()) {
                if (node.seenAt() < source.snapshotFrom()) {
                    remove(node, false);
                }
            }
        }
        if (source.number() == 0) {
            // Rules of before left there what shards had told that are no more.
            tables.capacity.othersFrom(tables.settings().shards()).forEach(watchers::forget);
        }
        for (var use : tables.capacity.othersOf(source.number())) {
            if (use.seenAt() < source.snapshotFrom()) {
                watchers.forget(use);
            }
        }
        for (var quota : tables.namespaces()) {
            if (watchers.isOf(quota.namespace(), source)
                    && quota.seenAt() < source.snapshotFrom()) {
                tables.remove(quota);
                tables.startsAreDue();
            }
        }
        tables.put(source.ends(tables.now()));
        watchers.mayAllHaveTold();
        return true;
    }
}
