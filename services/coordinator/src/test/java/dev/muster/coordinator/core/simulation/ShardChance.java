package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Witness;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Watchers that share the namespaces out, take over from each other, and at times count anew: what
 * comes late of one before changes nothing, and no node looks emptier or fuller than it was told.
 */
final class ShardChance implements Piece {
    private static final List<String> ALL = List.of("ml", "cv", "nlp");
    private static final int MOST = 3;

    /** A new lease has the next multiple of this, and who speaks late one that is none. */
    private static final int STEP = 10;

    private final Random random;
    private final long[] epochs = {100, 100, 100};
    private int shards = 1;
    private long layout = 100;

    /** Those that list now all that they see; empty: nobody does. */
    private final TreeSet<Integer> listing = new TreeSet<>();

    private boolean areBlind = true;

    /** What pods of others use, by namespace and node, whether anybody sees it or not. */
    private final Map<String, TreeMap<String, Long>> used = new TreeMap<>();

    /** What each shard has told of that, by node. */
    private final Map<Integer, TreeMap<String, Amounts>> told = new TreeMap<>();

    /** By node: what the former shards had told when the pool heard of another count. */
    private final TreeMap<String, Amounts> former = new TreeMap<>();

    /** Shards that have not yet told all that is there. */
    private final TreeSet<Integer> untold = new TreeSet<>();

    private final TreeSet<String> listed = new TreeSet<>();
    private Map<Row.Table, TreeMap<String, Row>> before = new TreeMap<>();
    private long heardLayout = layout;
    private int late;
    private int counted;

    /** So many lists were not of all shards. */
    private int alone;

    ShardChance(long seed) {
        random = new Random(seed ^ 0x5a4dL);
    }

    /** It comes of a watcher that has lost its lease, or counts as nobody does any more. */
    static boolean isLate(Event event) {
        return event instanceof Event.Sight sight && sight.witness().epoch() % STEP != 0;
    }

    @Override
    public String namespace(int job, String namespace) {
        return ALL.get(job % ALL.size());
    }

    @Override
    public List<Witness> watchers() {
        return IntStream.range(0, shards).mapToObj(this::witness).toList();
    }

    private Witness witness(int shard) {
        return new Witness(shard, shards, epochs[shard], layout);
    }

    private Witness witness(String namespace) {
        return witness(shard(namespace));
    }

    private int shard(String namespace) {
        return Math.floorMod(namespace.hashCode(), shards);
    }

    @Override
    public Event of(Event event) {
        if (event instanceof Event.OthersUse(_, var node, var amounts) && !isLate(event)) {
            used.computeIfAbsent(ALL.get(random.nextInt(MOST)), _ -> new TreeMap<>())
                    .put(node, amounts.get("cpu") / 1000);
        }
        return event;
    }

    @Override
    public List<Event> said(Event event) {
        return switch (event) {
            case Event.SnapshotBegin(_, var id) -> {
                takeOver();
                yield listing.stream()
                        .<Event>map(shard -> new Event.SnapshotBegin(witness(shard), id + shard))
                        .toList();
            }
            case Event.SnapshotEnd(_, var id) -> {
                var all = new ArrayList<Event>();
                listing.forEach(shard -> {
                    var by = witness(shard);
                    of(shard).forEach((node, use) -> all.add(new Event.OthersUse(by, node, use)));
                    all.add(new Event.SnapshotEnd(by, id + shard));
                });
                listing.clear();
                yield all;
            }
            case Event.PodSeen(_, var job, _)
                    when !listing.isEmpty() && !listing.contains(shard(job.namespace())) ->
                    List.of();
            case Event.WatcherAlive _ ->
                    watchers().stream().<Event>map(Event.WatcherAlive::new).toList();
            case Event.OthersUse(_, var node, _) ->
                    watchers().stream()
                            .<Event>map(by -> {
                                var use = of(by.shard()).getOrDefault(node, Amounts.NONE);
                                return new Event.OthersUse(by, node, use);
                            })
                            .toList();
            case Event.NodeSeen(_, var node) -> List.of(new Event.NodeSeen(witness(0), node));
            case Event.NodeReleased(_, var node, var moved) ->
                    List.of(new Event.NodeReleased(witness(0), node, moved));
            case Event.PodSeen(_, var job, var pod) ->
                    List.of(new Event.PodSeen(witness(job.namespace()), job, pod));
            case Event.PodGone(_, var job, var mark) ->
                    List.of(new Event.PodGone(witness(job.namespace()), job, mark));
            case Event.RestartFailed(_, var job, var mark, var message) ->
                    List.of(new Event.RestartFailed(witness(job.namespace()), job, mark, message));
            case Event.NamespaceQuotaGone(_, var namespace) ->
                    List.of(new Event.NamespaceQuotaGone(witness(namespace), namespace));
            case Event.NamespaceQuotaSeen(_, var namespace, var hard, var barred, var others) ->
                    List.of(
                            new Event.NamespaceQuotaSeen(
                                    witness(namespace), namespace, hard, barred, others));
            default -> List.of(event);
        };
    }

    /**
     * Somebody else has the lease of some, which alone he lists then; or they count anew, and then
     * of all. All list what they did not see.
     */
    private void takeOver() {
        boolean countAnew = random.nextInt(3) == 0;
        for (int shard = 0; shard < MOST; shard++) {
            boolean isAnother = countAnew || random.nextInt(3) == 0;
            epochs[shard] += isAnother ? (countAnew ? 2 : 1) * STEP : 0;
            if (isAnother) {
                listing.add(shard);
            }
        }
        if (countAnew) {
            shards = 1 + (shards + random.nextInt(MOST - 1)) % MOST;
            layout += STEP;
        }
        listing.removeIf(shard -> shard >= shards);
        if (areBlind || listing.isEmpty()) {
            IntStream.range(0, shards).forEach(listing::add);
        }
        areBlind = false;
        alone += listing.size() < shards ? 1 : 0;
    }

    /** Nobody is made anew: but nobody watches from now on. */
    @Override
    public @Nullable Made replaced(Collection<Made> pods) {
        areBlind = true;
        return null;
    }

    private TreeMap<String, Amounts> of(int shard) {
        var sum = new TreeMap<String, Amounts>();
        used.forEach((namespace, nodes) -> {
            if (shard(namespace) == shard) {
                nodes.forEach((node, cores) -> sum.merge(node, Fixtures.cpu(cores), Amounts::plus));
            }
        });
        sum.values().removeIf(Amounts.NONE::equals);
        return sum;
    }

    @Override
    public List<Later> echoes(Event event) {
        if (isLate(event) || random.nextInt(5) > 0) {
            return List.of();
        }
        var by = late();
        var said =
                switch (event) {
                    case Event.PodSeen(_, var job, var pod) when random.nextBoolean() ->
                            new Event.PodSeen(
                                    by,
                                    job,
                                    Fixtures.pod(
                                            pod.mark(),
                                            pod.resourceVersion() + 1,
                                            Event.PodPhase.FAILED,
                                            pod.node(),
                                            1));
                    case Event.PodSeen(_, var job, var pod) ->
                            new Event.PodGone(by, job, pod.mark());
                    case Event.NodeSeen(_, var node) when random.nextBoolean() ->
                            new Event.NodeSeen(by, Fixtures.node(node.name(), 64));
                    case Event.NodeSeen(_, var node) ->
                            new Event.NodeReleased(by, node.name(), random.nextBoolean());
                    case Event.OthersUse(_, var node, _) ->
                            new Event.OthersUse(by, node, Fixtures.cpu(random.nextInt(9)));
                    case Event.SnapshotBegin(_, var id) when random.nextBoolean() ->
                            new Event.SnapshotBegin(by, id);
                    case Event.SnapshotBegin _ -> new Event.WatcherAlive(by);
                    case Event.NamespaceQuotaSeen(_, var namespace, _, _, _) ->
                            new Event.NamespaceQuotaGone(by, namespace);
                    default -> null;
                };
        return said == null ? List.of() : List.of(new Later(random.nextInt(2000), said));
    }

    /** With the lease of before, or by the count of before. */
    private Witness late() {
        int count = 1 + random.nextInt(MOST);
        int shard = random.nextInt(count);
        return count == shards
                ? new Witness(shard, count, epochs[shard] - 1, layout)
                : new Witness(shard, count, epochs[shard] + STEP - 1, layout - 1);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event != null && isLate(event)) {
            late++;
            changesNothing(play, event);
        } else if (event instanceof Event.Sight sight) {
            hear(sight);
            isKnown(play, sight.witness());
            goneAreItsOwn(play, sight);
        }
        isCounted(play);
        before = new TreeMap<>();
        play.rows.forEach((table, rows) -> before.put(table, new TreeMap<>(rows)));
    }

    private void changesNothing(Play play, Event event) {
        play.rows.forEach((table, rows) -> {
            if (table != Row.Table.CLOCK
                    && !rows.equals(before.getOrDefault(table, new TreeMap<>()))) {
                throw new AssertionError("%s was believed: %s".formatted(event, rows));
            }
        });
    }

    /** What a shard did not list is gone if it is its own, and nobody else's. */
    private void goneAreItsOwn(Play play, Event.Sight sight) {
        if (!(sight instanceof Event.SnapshotEnd)) {
            return;
        }
        var known = before.getOrDefault(Row.Table.RANK, new TreeMap<>());
        for (var row : play.rows(Row.Table.RANK).values()) {
            var rank = (Rank) row;
            boolean isOther = shard(rank.job().namespace()) != sight.witness().shard();
            boolean isNews =
                    known.get(rank.key().id()) instanceof Rank was
                            && was.making().equals(rank.making())
                            && !was.sight().gone()
                            && rank.sight().gone();
            if (isOther && isNews) {
                throw new AssertionError("%s took %s for gone".formatted(sight, rank));
            }
        }
    }

    private void hear(Event.Sight sight) {
        var by = sight.witness();
        if (by.layout() > heardLayout) {
            heardLayout = by.layout();
            var sum = sums();
            former.clear();
            former.putAll(sum);
            told.clear();
            IntStream.range(0, by.shards()).forEach(untold::add);
            untold.removeIf(shard -> shard >= by.shards());
            counted++;
        }
        var ofShard = told.computeIfAbsent(by.shard(), _ -> new TreeMap<>());
        switch (sight) {
            case Event.SnapshotBegin _ -> listed.clear();
            case Event.OthersUse(_, var node, var amounts) -> {
                ofShard.put(node, amounts);
                listed.add(by.shard() + node);
            }
            case Event.SnapshotEnd _ -> {
                ofShard.keySet().removeIf(node -> !listed.contains(by.shard() + node));
                untold.remove(by.shard());
                if (untold.isEmpty()) {
                    former.clear();
                }
            }
            default -> {}
        }
    }

    /** What was told by the shards of now, and of what the former ones told what is more. */
    private TreeMap<String, Amounts> sums() {
        var sums = new TreeMap<String, Amounts>();
        told.values()
                .forEach(ofShard ->
                        ofShard.forEach((node, use) -> sums.merge(node, use, Amounts::plus)));
        former.forEach((node, use) -> {
            var now = sums.getOrDefault(node, Amounts.NONE);
            sums.put(node, now.plus(use.beyond(now)));
        });
        return sums;
    }

    private void isCounted(Play play) {
        var sums = new TreeMap<String, Amounts>();
        for (var row : play.rows(Row.Table.OTHERS).values()) {
            var others = (Others) row;
            sums.merge(others.node(), others.used(), Amounts::plus);
        }
        var expected = sums();
        expected.values().removeIf(Amounts.NONE::equals);
        sums.values().removeIf(Amounts.NONE::equals);
        if (!sums.equals(expected)) {
            throw new AssertionError(
                    "others use %s, and were told to use %s".formatted(sums, expected));
        }
    }

    /** With its lease; and who has not told all that is there is blind. */
    private void isKnown(Play play, Witness by) {
        for (var row : play.rows(Row.Table.SOURCE).values()) {
            var source = (Source) row;
            boolean isWatcher = source.kind() == Source.Kind.WATCHER;
            boolean isOf = isWatcher && source.number() == by.shard();
            boolean isBlind = source.blindSince() != null;
            if (isWatcher && source.number() >= by.shards()
                    || isOf && source.epoch() != by.epoch()
                    || isWatcher && untold.contains(source.number()) && !isBlind) {
                throw new AssertionError("%s is known of %s: %s".formatted(source, by, untold));
            }
        }
    }

    @Override
    public int weighed() {
        return Math.min(alone, Math.min(late, counted));
    }
}
