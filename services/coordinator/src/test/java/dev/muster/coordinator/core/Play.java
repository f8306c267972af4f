package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.QUEUE;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Gangs;
import dev.muster.coordinator.core.fixtures.Grown;
import dev.muster.coordinator.core.fixtures.ReservationPromises;
import dev.muster.coordinator.core.fixtures.Trace;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A pool at play: gives it events at stated times and remembers what came of them. */
public final class Play {
    /** For how many steps a pool that was made again is compared with the one that was not. */
    private static final int COMPARED = 40;

    public final TreeMap<Row.Table, TreeMap<String, Row>> rows = new TreeMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final int most;
    private Pool pool;
    private @Nullable Pool original;
    private int compared;
    private Instant now = NOON;

    /** How many alarms fired while time passed last. */
    public int fired;

    private int largest;
    private int mostRows;

    /** The same jobs and ranks, found by their ids. */
    private final Gangs gangs = new Gangs();

    private final Map<JobSpec.Work, GangRequirements> makeups = new IdentityHashMap<>();

    public final Grown grown = new Grown();

    /** Who was started, and has neither ended nor gone back to wait; and of which queue. */
    private final Map<JobId, String> started = new HashMap<>();

    /** Whose kinds the cluster has. */
    public Set<PoolSpec.Backend> backends = Set.of();

    /** Who is heard of. */
    public List<Event.Witness> watchers = List.of(WATCHER);

    /** How many effects a step of a pool may have where nothing else is said. */
    public static final int EFFECTS = Pool.EFFECTS;

    /** Whoever is to know what the pool hears and answers, at the very time. */
    public interface Listener {
        void hears(Event event, Instant now, List<Effect> effects);
    }

    private final List<Listener> listeners = new ArrayList<>();

    public Play() {
        this(EFFECTS);
    }

    private Play(int most) {
        this.most = most;
        this.pool = Pool.empty(most);
    }

    /** With queue {@code default} and nodes of so many cores each. */
    public static Play withNodes(long... cores) {
        return inSteps(EFFECTS, cores);
    }

    /**
     * The same.
     *
     * @param most effects that one step has before the rest is left to the next
     */
    public static Play inSteps(int most, long... cores) {
        return inSteps(most, (_, _, _) -> {}, cores);
    }

    /**
     * @param first hears of everything, what makes the pool included
     */
    public static Play inSteps(int most, Listener first, long... cores) {
        var play = new Play(most);
        play.heardBy(first);
        play.on(new Event.PoolPut("default", PoolSpec.PLAIN, null));
        play.on(new Event.QueuePut("default", QUEUE, null));
        play.on(new Event.SnapshotBegin(WATCHER, "first"));
        for (int i = 0; i < cores.length; i++) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, cores[i])));
        }
        play.on(new Event.SnapshotEnd(WATCHER, "first"));
        play.takeEffects();
        return play;
    }

    public Play on(Event event) {
        if (onStep(event).more()) {
            goOn();
        }
        return this;
    }

    /** All that was left to be done is done. */
    public Play goOn() {
        while (onStep().more()) {}
        return this;
    }

    public void heardBy(Listener other) {
        listeners.add(other);
    }

    /** One step alone, whatever it leaves to be done. */
    public Step onStep(Event event) {
        var step = step(event);
        keep(step);
        return step;
    }

    /** What was left is gone on with, one step of it. */
    public Step onStep() {
        return onStep(new Event.TimePassed(now));
    }

    /** The pool that was made anew from rows does what the one does that never was. */
    private Step step(Event event) {
        var step = pool.on(event, now);
        var before = original == null ? step : original.on(event, now);
        if (!before.equals(step)) {
            throw new AssertionError(
                    "a restored pool does otherwise: %s, %s, and not %s"
                            .formatted(event, step, before));
        }
        if (++compared == COMPARED) {
            original = null;
        }
        Trace.print(event, now, step);
        listeners.forEach(listener -> listener.hears(event, now, step.effects()));
        return step;
    }

    /** Several events wait. */
    public boolean isCrowded() {
        return rows.getOrDefault(Row.Table.WAITING, new TreeMap<>()).size() > 1;
    }

    /** How many jobs of a queue were started and have neither ended nor gone back to wait. */
    public long started(String queue) {
        return started.values().stream().filter(queue::equals).count();
    }

    /** How many effects one step had at most. */
    public int largestStep() {
        return largest;
    }

    /** How many rows one step changed at most. */
    public int mostRows() {
        return mostRows;
    }

    private void keep(Step step) {
        largest = Math.max(largest, step.effects().size());
        mostRows = Math.max(mostRows, step.changes().size());
        var before = new ArrayList<@Nullable Rank>();
        var jobs = new HashMap<JobId, @Nullable Job>();
        for (var change : step.changes()) {
            var key = change.key();
            var table = rows.computeIfAbsent(key.table(), _ -> new TreeMap<>());
            var row = change.row();
            var was = row == null ? table.remove(key.id()) : table.put(key.id(), row);
            gangs.keep(was, row);
            grown.changes(key.table());
            if (row instanceof Job job) {
                jobs.putIfAbsent(job.id(), (Job) was);
            }
            if (row instanceof Rank) {
                before.add((Rank) was);
            }
            if (row instanceof Job job) {
                noteStart(job);
            } else if (was instanceof Job job) {
                started.remove(job.id());
            }
        }
        int at = 0;
        for (var change : step.changes()) {
            if (change.row() instanceof Rank rank) {
                var was = before.get(at++);
                var job = job(rank.job());
                var former = jobs.getOrDefault(rank.job(), job);
                ReservationPromises.nobodyLostHis(was, rank, former, job);
                grown.ranks(former, job, was, rank);
            }
        }
        effects.addAll(step.effects());
    }

    private void noteStart(Job job) {
        switch (job.state()) {
            case JobState.Starting _, JobState.Running _ -> {
                if (started.put(job.id(), job.spec().queue()) == null) {
                    grown.started(job.spec().queue());
                }
            }
            case JobState.Restarting _, JobState.Saving _, JobState.Stopping _ -> {}
            case JobState.Absent _, JobState.Queued _, JobState.Suspended _ ->
                    started.remove(job.id());
            case JobState.Lost _, JobState.Ended _ -> started.remove(job.id());
        }
    }

    /** Nothing once its room was given back. */
    public Use use(Rank rank) {
        return Grown.use(job(rank.job()), rank);
    }

    /** Time passes, all that fires on the way fires at its time. */
    public Play pass(Duration time) {
        var until = now.plus(time);
        fired = 0;
        for (var next = pool.nextAlarm();
                next.isPresent() && !next.get().isAfter(until);
                next = pool.nextAlarm()) {
            now = next.get().isAfter(now) ? next.get() : now;
            fired++;
            on(new Event.TimePassed(now));
        }
        now = until;
        return on(new Event.TimePassed(now));
    }

    /** So much later, of which the pool hears with the next event. */
    public Play later(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** The pool hears of so much time at once: what was due on the way is due together. */
    public Play jump(Duration time) {
        return later(time).on(new Event.TimePassed(now));
    }

    /** Time passes in which all witnesses are heard of. */
    public Play passHeard(Duration time, int partition) {
        var until = now.plus(time);
        int all = 0;
        while (now.isBefore(until)) {
            var left = Duration.between(now, until);
            var step = left.compareTo(Duration.ofSeconds(5)) < 0 ? left : Duration.ofSeconds(5);
            pass(step);
            all += fired;
            watchers.forEach(by -> on(new Event.WatcherAlive(by)));
            on(new Event.PodManagerAlive("pods-0", Set.of(partition), backends, false));
        }
        fired = all;
        return this;
    }

    /** The pool is made again from its rows; the old one goes on beside it, to compare. */
    public Play restart() {
        original = pool;
        compared = 0;
        pool = Pool.restore(allRows().toList(), most);
        return this;
    }

    public Stream<Row> allRows() {
        return rows.values().stream().flatMap(table -> table.values().stream());
    }

    public SortedMap<String, Row> rows(Row.Table table) {
        return rows.getOrDefault(table, new TreeMap<>());
    }

    public Instant now() {
        return now;
    }

    public List<Effect> takeEffects() {
        var taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    public <T extends Effect> List<T> take(Class<T> kind) {
        return takeEffects().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <T extends Effect> T takeOne(Class<T> kind) {
        var all = take(kind);
        if (all.size() != 1) {
            throw new AssertionError("expected one " + kind.getSimpleName() + ", got " + all);
        }
        return all.getFirst();
    }

    /** The names of jobs that were started, or told another plan, since effects were taken last. */
    public List<String> takeStarted() {
        return take(Effect.RunPlan.class).stream().map(plan -> plan.job().name()).toList();
    }

    /** Phases that a job went to since effects were taken last. */
    public static List<Phase> phases(List<Effect> effects, JobId job) {
        return effects.stream()
                .filter(Effect.Moved.class::isInstance)
                .map(Effect.Moved.class::cast)
                .filter(moved -> moved.job().equals(job))
                .map(Effect.Moved::to)
                .toList();
    }

    public List<Phase> takePhases(JobId job) {
        return phases(takeEffects(), job);
    }

    /** What the pool would publish of its queues now. */
    public List<Effect.QueueState> queueStates() {
        return pool.queueStates();
    }

    public Optional<Standing> explain(JobId id) {
        return pool.explain(id);
    }

    /** All that are known. */
    public List<JobId> jobs() {
        return rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values().stream()
                .map(row -> ((Job) row).id())
                .toList();
    }

    public Job job(JobId id) {
        var job = gangs.job(id);
        if (job == null) {
            throw new AssertionError("no row of " + id);
        }
        return job;
    }

    /** It is known, and placed. */
    public boolean isUp(JobId id) {
        var job = gangs.job(id);
        return job != null && job.state().isUp();
    }

    /** What follows from its work, without spot nodes. */
    public GangRequirements makeup(Job job) {
        var work = job.spec().work();
        return makeups.computeIfAbsent(work, _ -> Gangs.requirements(work));
    }

    /** In their order; the same list as long as none of them changes. */
    public List<Rank> ranks(JobId job) {
        return gangs.ranks(job);
    }

    /** Of all jobs that have some. */
    public Map<JobId, List<Rank>> ranks() {
        return gangs.ranks();
    }
}
