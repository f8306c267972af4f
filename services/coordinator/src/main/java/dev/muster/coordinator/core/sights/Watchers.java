package dev.muster.coordinator.core.sights;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.state.PoolRoom;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.schemas.contract.NamespaceShard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whom of the watchers to believe. They share the namespaces out to as many shards as the newest
 * layout says; who counts otherwise under an older one is not believed, and who does under a newer
 * one has all others begin anew: each shard is blind until it has told all that is there.
 *
 * <p>Nothing is forgotten by that. What pods of others use by the word of the former shards counts
 * until the new ones have counted it, so that no node looks emptier than it is, nor fuller; and how
 * long the former ones were blind stays in the sum that deadlines are put off by.
 */
final class Watchers {
    /** In place of a shard's number: the former shards. */
    static final int FORMER = -1;

    /** A source's row is written again only after so long: being heard is no news. */
    private static final Duration HEARD = Duration.ofSeconds(1);

    /**
     * A Lease lasts at most 15 s, its holder holds on to it for 30 s more, and what it has sent
     * arrives within 10 s: whoever speaks later has the Lease.
     */
    private static final Duration LONGEST_TERM = Duration.ofMinutes(1);

    private final Tables tables;

    Watchers(Tables tables) {
        this.tables = tables;
    }

    /** Null: the witness speaks of an older lease, or counts as nobody does any more. */
    @Nullable Source believe(Witness witness) {
        var settings = tables.settings();
        if (witness.layout() > settings.watchEpoch()) {
            if (witness.shards() != settings.shards()) {
                shareOut(settings.shards(), witness.shards());
            }
            tables.put(settings.watched(witness.layout(), witness.shards()));
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

    /**
     * Of a witness that lives and is not believed: something where nobody else has spoken for its
     * shard since any older term has ended. Versions of Leases went back then, as they do when the
     * API server's store is restored, and will be believed when they are where they were; null:
     * another one speaks, or may.
     */
    Effect.@Nullable Unbelieved alone(Witness witness) {
        var known = tables.source(Source.Kind.WATCHER, witness.shard());
        return known != null
                        && Duration.between(known.heard(), tables.now()).compareTo(LONGEST_TERM) > 0
                ? new Effect.Unbelieved(witness.shard(), witness.epoch(), known.epoch())
                : null;
    }

    private void shareOut(int before, int count) {
        var now = tables.now();
        var gone = Duration.ZERO;
        for (int shard = count; shard < before; shard++) {
            var source = tables.source(Source.Kind.WATCHER, shard);
            if (source != null) {
                gone = gone.plus(source.blindUntil(now));
                tables.remove(source);
            }
        }
        for (int shard = 0; shard < count; shard++) {
            var known = tables.source(Source.Kind.WATCHER, shard);
            var source =
                    known == null
                            ? Source.first(Source.Kind.WATCHER, shard, -1, now)
                            : known.anew(now);
            tables.put(shard == 0 ? source.blindFor(gone) : source);
        }
        keepUseOfFormer(before);
    }

    private void keepUseOfFormer(int before) {
        var former = new TreeMap<String, Amounts>();
        var told = new ArrayList<Others>();
        IntStream.range(FORMER, before).mapToObj(tables.capacity::othersOf).forEach(told::addAll);
        for (var use : told) {
            former.merge(use.node(), use.used(), Amounts::plus);
        }
        former.forEach((node, used) -> putFormer(node, used, tables.clock().tick()));
        told.stream().filter(use -> use.shard() != FORMER).forEach(tables::remove);
    }

    /** So much of what the former shards counted on a node, a shard of now has counted. */
    void isTold(String node, Amounts more) {
        var former = tables.capacity.others(node, FORMER);
        if (former != null) {
            putFormer(node, former.used().beyond(more), former.seenAt());
        }
    }

    private void putFormer(String node, Amounts used, long tick) {
        tables.put(new Others(node, FORMER, used, tick));
    }

    /** Once no shard is left that has not, the word of the former ones is worth nothing. */
    void mayAllHaveTold() {
        boolean all =
                IntStream.range(0, tables.settings().shards())
                        .mapToObj(shard -> tables.source(Source.Kind.WATCHER, shard))
                        .allMatch(source -> source != null && source.blindSince() == null);
        List<Others> former = all ? tables.capacity.othersOf(FORMER) : List.of();
        former.forEach(this::forget);
    }

    /** Others use it no more, or it is counted elsewhere. */
    void forget(Others use) {
        tables.remove(use);
        tables.startsAreDue();
        PoolRoom.tell(tables);
    }

    boolean isOf(String namespace, Source shard) {
        return NamespaceShard.of(namespace, tables.settings().shards()) == shard.number();
    }
}
