package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Event.GroupSeen;
import dev.muster.coordinator.core.Event.NamespaceQuotaGone;
import dev.muster.coordinator.core.Event.NamespaceQuotaSeen;
import dev.muster.coordinator.core.Event.NodeReleased;
import dev.muster.coordinator.core.Event.NodeSeen;
import dev.muster.coordinator.core.Event.OthersUse;
import dev.muster.coordinator.core.Event.PodGone;
import dev.muster.coordinator.core.Event.PodSeen;
import dev.muster.coordinator.core.Event.Sight;
import dev.muster.coordinator.core.Event.SnapshotBegin;
import dev.muster.coordinator.core.Event.SnapshotEnd;
import dev.muster.coordinator.core.Event.WatcherAlive;
import dev.muster.coordinator.core.Event.Witness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the watchers say: believed once, from the newest lease holder, and never of the past. */
final class Sightings {
    /** A source's row is written again only after so long: being heard is no news. */
    private static final Duration HEARD = Duration.ofSeconds(1);

    private final Tables tables;
    private final Pods pods;
    private final LostNodes lost;
    private final GoingNodes going;

    Sightings(Tables tables, Pods pods, LostNodes lost, GoingNodes going) {
        this.tables = tables;
        this.pods = pods;
        this.lost = lost;
        this.going = going;
    }

    /**
     * @return false when work is left: the same event is to be given again
     */
    boolean on(Sight sight) {
        var source = believe(sight.witness());
        if (source == null) {
            return true;
        }
        switch (sight) {
            case NodeSeen(_, var node) -> node(node);
            case NodeReleased(_, var node) -> released(node);
            case OthersUse(var witness, var node, var used) -> others(witness, node, used);
            case NamespaceQuotaSeen(var witness, var namespace, var hard, var othersUse) ->
                    quota(
                            new NamespaceQuota(
                                    namespace,
                                    hard,
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
            case GroupSeen group -> pods.grouped(group);
            case SnapshotBegin(_, var id) -> tables.put(source.begins(id, tables.clock().tick()));
            case SnapshotEnd(_, var id) -> {
                return !id.equals(source.snapshot()) || end(source);
            }
            case WatcherAlive _ -> {}
        }
        return true;
    }

    /** Null: the witness speaks of an older lease or an older count of shards. */
    private @Nullable Source believe(Witness witness) {
        var settings = tables.settings();
        if (witness.epoch() > settings.watchEpoch()) {
            tables.put(settings.watched(witness.epoch(), witness.shards()));
            tables.sources().stream()
                    .filter(source -> source.kind() == Source.Kind.WATCHER)
                    .filter(source -> source.number() >= witness.shards())
                    .forEach(tables::remove);
        } else if (witness.shards() != settings.shards()) {
            return null;
        }
        var known = tables.source(Source.Kind.WATCHER, witness.shard());
        if (known != null && witness.epoch() < known.epoch()) {
            return null;
        }
        var now = tables.now();
        if (known != null
                && known.epoch() == witness.epoch()
                && Duration.between(known.heard(), now).compareTo(HEARD) < 0) {
            return known;
        }
        var heard =
                known == null
                        ? Source.first(Source.Kind.WATCHER, witness.shard(), witness.epoch(), now)
                        : known.heard(witness.epoch(), now);
        tables.put(heard);
        return heard;
    }

    private void node(Node node) {
        var known = tables.capacity.node(node.name());
        var seen = going.noted(node).seen(tables.clock().tick());
        if (known == null || !known.seen(0).equals(seen.seen(0))) {
            tables.startsAreDue();
        }
        tables.put(seen);
        lost.seen(known, seen);
        going.seen(known, seen);
    }

    private void released(String name) {
        var node = tables.capacity.node(name);
        if (node != null) {
            remove(node);
        }
    }

    /** A head that fits no more, whatever ends, is passed where it was not before. */
    private void remove(Node node) {
        tables.remove(node);
        tables.startsAreDue();
    }

    private void others(Witness witness, String node, Amounts used) {
        var known = tables.capacity.others(node, witness.shard());
        var before = known == null ? Amounts.NONE : known.used();
        boolean isLess = !used.minus(before).isNowhereNegative();
        if (isLess || !used.equals(before) && tables.isAnyWithoutBackfill()) {
            tables.startsAreDue();
        }
        tables.put(new Others(node, witness.shard(), used, tables.clock().tick()));
    }

    private void quota(NamespaceQuota seen) {
        var known = tables.namespace(seen.namespace());
        if (known == null
                || !known.hard().equals(seen.hard())
                || !known.othersUse().equals(seen.othersUse())) {
            tables.startsAreDue();
        }
        tables.put(seen);
    }

    /** What was seen before this snapshot began, and was not listed in it, is gone. */
    private boolean end(Source source) {
        if (!pods.goneBefore(source.snapshotFrom(), job -> isOf(job, source.number()))) {
            return false;
        }
        if (source.number() == 0) {
            for (var node : tables.capacity.nodes()) {
                if (node.seenAt() < source.snapshotFrom()) {
                    remove(node);
                }
            }
        }
        for (var use : tables.capacity.othersOf(source.number())) {
            if (use.seenAt() < source.snapshotFrom()) {
                tables.remove(use);
                tables.startsAreDue();
            }
        }
        for (var quota : tables.namespaces()) {
            if (quota.shard() == source.number() && quota.seenAt() < source.snapshotFrom()) {
                tables.remove(quota);
                tables.startsAreDue();
            }
        }
        tables.put(source.ends(tables.now()));
        return true;
    }

    /** The watchers' own rule: a namespace's hash, under the stated count of shards. */
    private boolean isOf(JobId job, int shard) {
        return Math.floorMod(job.namespace().hashCode(), tables.settings().shards()) == shard;
    }
}
