package dev.muster.coordinator.core.simulation;

import static java.util.Map.entry;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Uid;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one simulation has beside what all have: of every sixteen most have nothing, some one piece,
 * and one all of them. What chance makes of a piece is its own, so that all else comes as it did.
 */
record World(List<Piece> pieces) {
    private static final int WORLDS = 16;

    /** After so many seeds the kinds of worlds come again. */
    static final int PERIOD = 8 * WORLDS;

    /** By remainder; {@link #ALL} has all. */
    private static final Map<Integer, LongFunction<Piece>> ONE =
            new TreeMap<>(
                    Map.of(
                            0, ApplyChance::new,
                            2, ApartChance::new,
                            5, TopologyChance::new,
                            8, PickyChance::new,
                            9, NamespaceChance::new,
                            10, TakenChance::new,
                            11, seed -> new BackendChance(seed, false),
                            12, seed -> new BackendChance(seed, true),
                            13, GangChance::new));

    /** They place nothing, or not for long, and have no part in {@link #ALL}. */
    private static final Set<Integer> BACKENDS = Set.of(11, 12);

    private static final int ALL = 14;

    /** Of every second sixteen one has this: no seed of the others comes otherwise for it. */
    private static final int SACRIFICES = WORLDS + 7;

    /** Of every second sixteen these have stages, roles that keep apart, or limits. */
    private static final Map<Integer, LongFunction<List<Piece>>> TIED =
            new TreeMap<>(
                    Map.of(
                            1,
                            seed -> List.of(new StageChance(seed)),
                            7,
                            seed -> List.of(new LimitChance(seed)),
                            6,
                            seed -> List.of(new ShunChance(seed)),
                            WORLDS + 6,
                            seed -> List.of(new StageChance(seed), new ShunChance(seed)),
                            WORLDS + 3,
                            seed -> List.of(new StageChance(seed), new TopologyChance(seed)),
                            WORLDS + 4,
                            seed ->
                                    List.of(
                                            new StageChance(seed),
                                            new BackendChance(seed, false))));

    /**
     * Of every four times sixteen one has each of these, but for quotas and namespaces with quotas,
     * which more have. A remainder that is given twice does not get past here.
     */
    private static final Map<Integer, LongFunction<List<Piece>>> RARE =
            new TreeMap<>(
                    Map.ofEntries(
                            entry(4, seed -> List.of(new QuotaChance(seed))),
                            entry(35, seed -> List.of(new QuotaChance(seed))),
                            entry(39, World::quotasAndNamespaces),
                            entry(47, World::quotasAndNamespaces),
                            entry(54, seed -> List.of(new ClassChance(seed))),
                            entry(63, seed -> List.of(new ClassChance(seed))),
                            entry(49, World::deletionsAndQuotas),
                            entry(15, seed -> List.of(new ReplacedChance(seed))),
                            entry(31, seed -> List.of(new SpotChance(seed))),
                            entry(36, World::strangersAndStages)));

    /**
     * Of every eight times sixteen these have several watchers, jobs that keep apart from others,
     * images and settings that cannot be used, also by hooks, init containers that run anew,
     * backends that say why they bind nothing, pools that end a job now more and now less often,
     * roles with failures of their own, jobs of which more or less is kept at their end, nodes that
     * die under who leaves, users who wait for answers and ask again, and containers that run out
     * of memory, or start again in their pods, and hooks in namespaces that may have few pods.
     */
    private static final Map<Integer, LongFunction<List<Piece>>> RAREST =
            new TreeMap<>(
                    Map.ofEntries(
                            entry(64 + 17, seed -> List.of(new ShardChance(seed))),
                            entry(64 + 57, World::namespacesAndShards),
                            entry(52, seed -> List.of(new StrangerChance(seed))),
                            entry(55, seed -> List.of(new BudgetChance(seed))),
                            entry(18, seed -> List.of(new CareChance(seed))),
                            entry(64 + 34, seed -> List.of(new CareChance(seed))),
                            entry(50, seed -> List.of(new EndChance(seed))),
                            entry(64 + 50, seed -> List.of(new EndChance(seed))),
                            entry(45, seed -> List.of(new CareChance(seed), new EndChance(seed))),
                            entry(64 + 37, World::stagesWithCare),
                            entry(64 + 3, seed -> List.of(new HinderedChance(seed))),
                            entry(64 + 16, seed -> List.of(new InitChance(seed))),
                            entry(64 + 48, seed -> List.of(new StuckHookChance(seed))),
                            entry(64 + 43, seed -> groups(seed, false)),
                            entry(24, seed -> List.of(new LeavingChance(seed))),
                            entry(56, seed -> List.of(new LeavingChance(seed))),
                            entry(64 + 29, seed -> List.of(new LeavingChance(seed))),
                            entry(64 + 40, World::careAndLeaving),
                            entry(25, seed -> List.of(new AnswerChance(seed))),
                            entry(64 + 45, seed -> List.of(new AnswerChance(seed))),
                            entry(64 + 21, World::answersAndDeletions),
                            entry(64 + 12, seed -> groups(seed, true)),
                            entry(44, seed -> List.of(new MemoryChance(seed))),
                            entry(64 + 28, seed -> List.of(new MemoryChance(seed))),
                            entry(64 + 59, seed -> List.of(new MemoryChance(seed))),
                            entry(64 + 46, World::memoryAndSpotPods),
                            entry(28, seed -> List.of(new InPlaceChance(seed))),
                            entry(59, seed -> List.of(new InPlaceChance(seed))),
                            entry(64 + 60, seed -> List.of(new InPlaceChance(seed))),
                            entry(46, seed -> List.of(new HookQuotaChance(seed))),
                            entry(64 + 27, seed -> List.of(new HookQuotaChance(seed))),
                            entry(64 + 9, World::namespacesAndHooks)));

    private static List<Piece> quotasAndNamespaces(long seed) {
        return List.of(new QuotaChance(seed), new NamespaceChance(seed));
    }

    private static List<Piece> deletionsAndQuotas(long seed) {
        return List.of(new DeletionChance(seed), new QuotaChance(seed));
    }

    private static List<Piece> answersAndDeletions(long seed) {
        return List.of(new DeletionChance(seed), new AnswerChance(seed));
    }

    private static List<Piece> strangersAndStages(long seed) {
        return List.of(new StageChance(seed), new ShunChance(seed), new StrangerChance(seed));
    }

    private static List<Piece> namespacesAndShards(long seed) {
        return List.of(new NamespaceChance(seed), new ShardChance(seed));
    }

    private static List<Piece> stagesWithCare(long seed) {
        return List.of(new StageChance(seed), new CareChance(seed), new EndChance(seed));
    }

    private static List<Piece> careAndLeaving(long seed) {
        return List.of(new CareChance(seed), new LeavingChance(seed));
    }

    private static List<Piece> memoryAndSpotPods(long seed) {
        return List.of(new SpotChance(seed), new MemoryChance(seed));
    }

    private static List<Piece> namespacesAndHooks(long seed) {
        return List.of(new NamespaceChance(seed), new HookQuotaChance(seed));
    }

    private static List<Piece> groups(long seed, boolean isDelegated) {
        return List.of(new BackendChance(seed, isDelegated), new GroupChance(seed));
    }

    static World of(long seed) {
        var rare =
                RAREST.getOrDefault((int) (seed % PERIOD), RARE.get((int) (seed % (4 * WORLDS))));
        if (rare != null) {
            return new World(rare.apply(seed));
        }
        var staged = TIED.get((int) (seed % (2 * WORLDS)));
        if (staged != null) {
            return new World(staged.apply(seed));
        }
        if (seed % (2 * WORLDS) == SACRIFICES) {
            return new World(List.of(new SacrificeChance(seed)));
        }
        if (seed % (2 * WORLDS) == WORLDS) {
            return new World(List.of()); // As before: one of them tries a hook again, and few do.
        }
        int world = (int) (seed % WORLDS);
        return new World(
                ONE.entrySet().stream()
                        .filter(piece ->
                                piece.getKey() == world
                                        || world == ALL && !BACKENDS.contains(piece.getKey()))
                        .map(piece -> piece.getValue().apply(seed))
                        .toList());
    }

    /** What it has, by name. */
    Set<String> kinds() {
        return pieces.stream()
                .map(piece -> piece.getClass().getSimpleName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    boolean isPlain() {
        return pieces.isEmpty();
    }

    Event of(Event event) {
        var now = event;
        for (var piece : pieces) {
            now = piece.of(now);
        }
        return now;
    }

    List<Piece.Later> echoes(Event told) {
        return pieces.stream().flatMap(piece -> piece.echoes(told).stream()).toList();
    }

    List<Event> said(Event event) {
        var all = List.of(event);
        for (var piece : pieces) {
            all = all.stream().flatMap(one -> piece.said(one).stream()).toList();
        }
        return all;
    }

    List<Event.Witness> watchers() {
        var all = pieces.stream().flatMap(piece -> piece.watchers().stream()).toList();
        return all.isEmpty() ? List.of(Fixtures.WATCHER) : all;
    }

    void hears(Play play, Event event, List<Effect> effects) {
        pieces.forEach(piece -> piece.hears(play, event, effects));
    }

    @Nullable String bound(String podUid, @Nullable String node) {
        var now = node;
        for (var piece : pieces) {
            now = piece.bound(podUid, now);
        }
        return now;
    }

    @Nullable Made replaced(Collection<Made> pods) {
        return pieces.stream()
                .flatMap(piece -> Stream.ofNullable(piece.replaced(pods)))
                .findFirst()
                .orElse(null);
    }

    Set<Integer> dying() {
        return pieces.stream()
                .flatMap(piece -> piece.dying().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    Set<PoolSpec.Backend> backends() {
        return pieces.stream()
                .flatMap(piece -> piece.backends().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    JobId job(int name, long number) {
        var namespace = "ml";
        for (var piece : pieces) {
            namespace = piece.namespace(name, namespace);
        }
        return new JobId(namespace, "j" + name, new Uid(0, number));
    }

    /**
     * @param event what the pool heard just now; null: only time has passed
     */
    void isKept(Play play, @Nullable Event event) {
        pieces.forEach(piece -> piece.isKept(play, event));
    }

    /** Pieces that never came to where their promise says something. */
    static List<String> unweighed(Iterable<World> worlds) {
        return StreamSupport.stream(worlds.spliterator(), false)
                .flatMap(world -> world.pieces().stream())
                .collect(
                        Collectors.groupingBy(
                                piece -> piece.getClass().getSimpleName(),
                                TreeMap::new,
                                Collectors.summingInt(Piece::weighed)))
                .entrySet()
                .stream()
                .filter(piece -> piece.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}
