package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that die when ranks of theirs leave a job that goes on: once such a node counts as lost, no
 * sooner and no later, the rank is forced there or left behind, as its role says.
 */
final class LeavingChance implements Piece {
    /** After so long it is looked at again where nobody saw anything meanwhile. */
    private static final Duration SOON = Duration.ofSeconds(6);

    private final Random random;

    /** By name, since when they are known to be dead. */
    private final Map<String, Instant> dead = new TreeMap<>();

    /** Who leaves, in which making and from which node, and since when; and how it stood. */
    private final Map<String, Leaver> leaving = new TreeMap<>();

    private record Leaver(Instant since, Rank rank) {}

    /** Whose pods somebody may have given up. */
    private final Set<JobId> told = new HashSet<>();

    /** Jobs that run with more than they need. */
    private final TreeSet<JobId> large = new TreeSet<>();

    private final TreeSet<Integer> dying = new TreeSet<>();

    /** Everybody was heard of since then. */
    private Instant seenSince = Instant.MIN;

    private int forced;
    private int left;

    LeavingChance(long seed) {
        random = new Random(seed ^ 0x1eaL);
    }

    @Override
    public Event of(Event event) {
        return event instanceof Event.Submitted(var id, var spec, var request)
                ? new Event.Submitted(id, losing(elastic(spec)), request)
                : event;
    }

    /** More of them than elsewhere, so that more is given back. */
    private static JobSpec elastic(JobSpec spec) {
        var first = spec.roles().getFirst();
        var one = Respec.roles(spec, role -> Fixtures.atLeast(1, role));
        return spec.work().elastic() == null && spec.roles().size() == 1
                ? ElasticJobs.elastic(1, first.replicas() + 2, one)
                : spec;
    }

    private JobSpec losing(JobSpec spec) {
        return Respec.roles(spec, role -> role(spec, role));
    }

    private JobSpec.Role role(JobSpec spec, JobSpec.Role role) {
        var after = Duration.ofMillis(500 + random.nextInt(4_000));
        var failure = Fixtures.losing(after, random.nextBoolean(), spec.failureOf(role.name()));
        return Fixtures.caring(new JobSpec.Care(failure, role.care().critical()), role);
    }

    /**
     * Who has more than he needs is told to give some back; and while a node is dead, all others
     * are heard of.
     */
    @Override
    public List<Later> echoes(Event told) {
        return switch (told) {
            case Event.PodSeen _ when !large.isEmpty() && random.nextInt(3) == 0 -> {
                var all = List.copyOf(large);
                var one = scaleIn(all.get(random.nextInt(all.size())));
                yield List.of(new Later(random.nextInt(500), one));
            }
            case Event.NodeSeen(_, var node) when !node.ready() ->
                    Stream.of(4_000L, 8_000L, 12_000L).flatMap(LeavingChance::heard).toList();
            default -> List.of();
        };
    }

    private Event scaleIn(JobId id) {
        var drain = Duration.ofSeconds(random.nextInt(3) * random.nextInt(5));
        var terms = new Change.Terms(Duration.ZERO, random.nextBoolean(), drain, false);
        return new Event.ChangeAsked(
                id, new Change.ScaleIn("worker", 1, new TreeSet<>(), terms), null);
    }

    private static Stream<Later> heard(long millis) {
        var alive = new Event.PodManagerAlive("pods", Set.of(0), Set.of(), false);
        return Stream.of(
                new Later(millis, new Event.WatcherAlive(WATCHER)), new Later(millis, alive));
    }

    @Override
    public Set<Integer> dying() {
        var now = new TreeSet<>(dying);
        dying.clear();
        return now;
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        hears(play, event);
        var nodes = play.rows(Row.Table.NODE);
        dead.keySet().retainAll(nodes.keySet());
        for (var row : nodes.values()) {
            var node = (Node) row;
            if (node.ready()) {
                dead.remove(node.name());
            } else {
                dead.putIfAbsent(node.name(), play.now());
            }
        }
        var there = new HashSet<String>();
        play.ranks().values().stream()
                .flatMap(List::stream)
                .filter(rank -> rank.isLeaving() && !rank.sight().over() && play.isUp(rank.job()))
                .forEach(rank -> there.add(leaves(play, rank)));
        leaving.keySet().retainAll(there);
        large.clear();
        play.ranks().keySet().stream().filter(id -> isLarge(play, id)).forEach(large::add);
    }

    private static boolean isLarge(Play play, JobId id) {
        var job = play.job(id);
        var range = job.spec().work().elastic();
        return range != null
                && job.state() instanceof JobState.Running
                && play.ranks(id).stream().filter(rank -> isMember(rank, range)).count()
                        > range.min();
    }

    private static boolean isMember(Rank rank, JobSpec.Elastic range) {
        return rank.id().role().equals(range.role())
                && !rank.isLeaving()
                && rank.state() == RankState.RUNNING;
    }

    private void hears(Play play, @Nullable Event event) {
        switch (event) {
            case Event.ChangeAsked(var job, Change.ForceDelete _, _) -> told.add(job);
            case Event.BulkAsked(_, Change.ForceDelete _, _, _) -> told.addAll(play.jobs());
            case null, default -> {}
        }
        boolean isBlind =
                play.rows(Row.Table.SOURCE).values().stream()
                        .anyMatch(row -> ((Source) row).isBlind(play.now()));
        seenSince = isBlind ? play.now() : seenSince;
    }

    private String leaves(Play play, Rank rank) {
        var node = rank.whereabouts();
        var key = rank.key().id() + "/" + rank.making().newest() + "@" + node;
        var was = leaving.get(key);
        var since = was == null ? play.now() : was.since();
        leaving.put(key, new Leaver(since, rank));
        if (was == null && node.startsWith("node-") && random.nextInt(4) > 0) {
            dying.add(Integer.parseInt(node.substring("node-".length())));
        }
        var died = dead.get(node);
        if (died != null && !told.contains(rank.job())) {
            isJudged(play, rank, was == null ? null : was.rank(), died, since);
        }
        return key;
    }

    private void isJudged(Play play, Rank rank, @Nullable Rank was, Instant died, Instant since) {
        var policy = play.job(rank.job()).spec().failureOf(rank.id().role()).nodeLost();
        boolean isForced = rank.givenUp() && (was == null || !was.givenUp());
        boolean isLost = rank.wasLostWithItsNode() && (was == null || !was.wasLostWithItsNode());
        if (isForced && (!policy.force() || play.now().isBefore(died.plus(policy.after())))) {
            throw new AssertionError(
                    "%s is forced at %s, dead since %s".formatted(rank, play.now(), died));
        }
        forced += isForced ? 1 : 0;
        left += isLost && !policy.force() ? 1 : 0;
        var from = latest(died, latest(since, seenSince)).plus(policy.after()).plus(SOON);
        boolean isDone = policy.force() ? rank.givenUp() : rank.wasLostWithItsNode();
        if (!isDone && from.isBefore(play.now())) {
            throw new AssertionError(
                    "%s is waited for at %s, dead since %s".formatted(rank, play.now(), died));
        }
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public int weighed() {
        return Math.min(forced, left);
    }
}
