package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.GrowableJobs;
import dev.muster.coordinator.core.hold.FitAfterRelease;
import dev.muster.coordinator.core.jobs.Scalings;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Strength;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pools that preempt soon, where nothing but room is lacking: no gang is ended where the very rooms
 * that are held then would have come without it, of what elastic jobs have beyond their minima.
 * Whether the holder would have found other rooms is not asked: {@code RoomForHolderTest} does
 * that.
 */
final class SacrificeChance implements Piece {
    private static final PoolSpec.Preemption SOON =
            new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, 9);

    private final Random random;
    private final OtherRules rules =
            new OtherRules(spec -> OtherRules.with(spec, SOON), this::impatient);

    /** More of it than there is, so that nobody lacks a quota. */
    private final Amounts guaranteedToX;

    private Map<String, Row> before = new HashMap<>();

    /** Those that held room then. */
    private Map<String, Rank> ranks = new TreeMap<>();

    private int weighed;

    SacrificeChance(long seed) {
        random = new Random(seed ^ 0x5ac1L);
        boolean isGuaranteed = seed / 32 % 2 == 1; // The first numbers of near seeds are alike.
        guaranteedToX = isGuaranteed ? Amounts.of(Map.of("cpu", 1_000_000L)) : Amounts.NONE;
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.NamespaceQuotaSeen _ -> new Event.NamespaceQuotaGone(WATCHER, "ml");
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, placed(spec), request);
            default -> guaranteeing(rules.of(event));
        };
    }

    @Override
    public List<Later> echoes(Event told) {
        return OtherRules.echoes(told, "x", "y");
    }

    private Event guaranteeing(Event event) {
        if (!(event instanceof Event.QueuePut(var name, var spec, var request))
                || !name.equals("x")) {
            return event;
        }
        var quota =
                new Quota(
                        guaranteedToX,
                        new TreeMap<>(),
                        true,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null);
        return new Event.QueuePut(name, QueueSpecs.with(spec, quota), request);
    }

    private QueueSpec impatient(QueueSpec spec) {
        return OtherRules.impatient(spec, Duration.ofMillis(random.nextInt(2000)));
    }

    /** Most in one queue. Elastic jobs are of the weakest, but where they borrow of that one. */
    private JobSpec placed(JobSpec spec) {
        var place = spec.place();
        var queue = random.nextInt(4) == 0 ? "y" : "x";
        boolean borrows = queue.equals("y") && !guaranteedToX.equals(Amounts.NONE);
        int most = spec.work().elastic() == null || borrows ? 3 : 1;
        return spec.with(
                new JobSpec.Place(
                        queue,
                        random.nextInt(most),
                        null,
                        place.suspended(),
                        place.after(),
                        place.labels()));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        var ended = new TreeSet<JobId>();
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            var was = (Job) before.get(job.id().toString());
            if (was != null && job.past().preempted() > was.past().preempted()) {
                ended.add(job.id());
            }
        }
        before = new HashMap<>(play.rows(Row.Table.JOB));
        var had = ranks;
        ranks = new TreeMap<>();
        for (var row : play.rows(Row.Table.RANK).values()) {
            if (row instanceof Rank rank && !rank.sight().released()) {
                ranks.put(rank.key().id(), rank);
            }
        }
        var hold = (Hold) play.rows(Row.Table.HOLD).get("");
        // Of several alarms the later ones may have made the room that the first one lacked.
        boolean isOneStep = event != null || play.fired <= 1;
        if (ended.isEmpty() || hold == null || !isOneStep) {
            return;
        }
        var surplus = surplus(play, ended, play.job(hold.job()));
        weighed++;
        had.values().removeIf(rank -> !ended.contains(rank.job()));
        if (isRoom(play, ended, had, surplus)) {
            throw new AssertionError(
                    "%s ended for %s, and these would do: %s".formatted(ended, hold, surplus));
        }
    }

    /** What was not given back, or was given back in the same step. */
    private List<String> surplus(Play play, TreeSet<JobId> ended, Job holder) {
        var claim = strength(holder, Fixtures.shape(holder.spec()).total());
        var surplus = new ArrayList<String>();
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            var range = job.spec().work().elastic();
            if (range != null
                    && job.state().grows()
                    && !ended.contains(job.id())
                    && !claim.isBelow(strength(job, job.spec().role(range.role()).demand()))) {
                var members =
                        play.ranks(job.id()).stream()
                                .filter(rank -> rank.id().role().equals(range.role()))
                                .filter(rank -> !rank.isLeaving())
                                .toList();
                boolean isEnding = GrowableJobs.isEnding(job, gang(play, job), range.role());
                members.stream()
                        .filter(rank -> !isEnding && !job.spec().isFirst(rank.id()))
                        .filter(rank -> !rank.sight().released())
                        .sorted(
                                Comparator.comparing((Rank rank) -> Scalings.isThere(job, rank))
                                        .thenComparing(rank -> -rank.making().incarnation()))
                        .limit(Math.max(0, members.size() - range.min()))
                        .forEach(rank -> surplus.add(rank.key().id()));
            }
        }
        return surplus;
    }

    private static Gang gang(Play play, Job job) {
        var gang = new Gang(play.makeup(job));
        play.ranks(job.id()).forEach(gang::put);
        return gang;
    }

    /** Queue x never uses as much as it is guaranteed; the others are guaranteed nothing. */
    private Strength strength(Job job, Amounts need) {
        var queue = job.spec().queue();
        var guaranteed = queue.equals("x") ? guaranteedToX : Amounts.NONE;
        int priority = job.spec().place().priority();
        return Strength.of(queue, priority, priority, need, need, guaranteed);
    }

    /**
     * What is held would come without the end of any gang that was ended just now.
     *
     * @param had whose room was not free before, of those that are ended: what is over goes at
     *     once, and with it its row where the gang was to be made anew
     */
    private static boolean isRoom(
            Play play, TreeSet<JobId> ended, Map<String, Rank> had, List<String> surplus) {
        var left = new TreeMap<String, Amounts>();
        for (var row : play.rows(Row.Table.NODE).values()) {
            var node = (Node) row;
            left.put(node.name(), node.allocatable());
        }
        for (var row : play.rows(Row.Table.OTHERS).values()) {
            var others = (Others) row;
            left.computeIfPresent(others.node(), (_, free) -> free.minus(others.used()));
        }
        var staying = new TreeMap<>(had);
        for (var row : play.rows(Row.Table.RANK).values()) {
            var rank = (Rank) row;
            boolean goes =
                    !ended.contains(rank.job())
                            && (FitAfterRelease.leaves(play.job(rank.job()), rank, play.now())
                                    || surplus.contains(rank.key().id()));
            if (!rank.sight().released() && !goes) {
                staying.put(rank.key().id(), rank);
            }
        }
        for (var rank : staying.values()) {
            var demand = play.job(rank.job()).spec().podOf(rank).demand();
            left.computeIfPresent(rank.making().node(), (_, free) -> free.minus(demand));
        }
        return play.rows(Row.Table.HOLD_ROOM).values().stream()
                .map(Hold.Room.class::cast)
                .allMatch(room ->
                        room.amounts().timesIn(left.getOrDefault(room.node(), Amounts.NONE)) > 0);
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
