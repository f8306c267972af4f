package dev.muster.coordinator.core;

import dev.muster.coordinator.core.commands.Administration;
import dev.muster.coordinator.core.commands.Bulks;
import dev.muster.coordinator.core.commands.Submissions;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.failures.Failures;
import dev.muster.coordinator.core.failures.InPlaceRestarts;
import dev.muster.coordinator.core.failures.Restarts;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.LostNodes;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Command;
import dev.muster.coordinator.core.model.Event.CoreVersion;
import dev.muster.coordinator.core.model.Event.PodManagerAlive;
import dev.muster.coordinator.core.model.Event.Report;
import dev.muster.coordinator.core.model.Event.Sight;
import dev.muster.coordinator.core.model.Event.Submitted;
import dev.muster.coordinator.core.model.Event.TimePassed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.nodes.PoolStates;
import dev.muster.coordinator.core.scaling.Autoscaling;
import dev.muster.coordinator.core.sights.Fencing;
import dev.muster.coordinator.core.sights.Pods;
import dev.muster.coordinator.core.sights.Reports;
import dev.muster.coordinator.core.sights.WatcherObservations;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.RoomSeekers;
import dev.muster.coordinator.core.turns.Sweeps;
import dev.muster.coordinator.core.turns.Turns;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is decided for one pool: its jobs, queues, nodes and deadlines, and what an event
 * means for them.
 *
 * <p>It knows no clock and no chance: the same events with the same append times give the same
 * steps, and {@code restore} of its rows gives a pool that goes on as this one would. Not
 * thread-safe: one partition, one writer.
 */
public final class Pool {
    /** How many effects one step may have before the rest is left to the next. */
    static final int EFFECTS = 400;

    /** So many pieces of work go to one effect: most have none. */
    private static final int PIECES = 5;

    private final Journal journal = new Journal();
    private final Tables tables = new Tables(journal);
    private final Jobs jobs = new Jobs(tables, journal);
    private final Stages stages = new Stages(tables, journal, jobs);
    private final RoomSeekers wanting = new RoomSeekers(tables);
    private final LostNodes lost = new LostNodes(tables, jobs);
    private final Restarts restarts = new Restarts(tables, journal, jobs, stages);
    private final Turns turns = new Turns(tables, journal, jobs, stages, wanting, restarts);
    private final InPlaceRestarts inPlace = new InPlaceRestarts(tables, journal, jobs);
    private final Failures failures = new Failures(tables, jobs, stages, inPlace);
    private final Pods pods = new Pods(tables, journal, jobs, stages, failures, lost);
    private final GoingNodes going = new GoingNodes(tables, jobs);
    private final WatcherObservations sightings =
            new WatcherObservations(tables, journal, jobs, pods, lost, going);
    private final Submissions submissions =
            new Submissions(tables, journal, jobs, turns, new Fencing(tables, jobs, pods));
    private final Bulks bulks = new Bulks(tables, journal, submissions);
    private final Administration administration = new Administration(tables, journal, going);
    private final Reports reports = new Reports(tables, jobs, pods);
    private final Deadlines deadlines =
            new Deadlines(tables, journal, jobs, pods, failures, restarts);
    private final Autoscaling autoscaling = new Autoscaling(tables, journal, jobs, wanting);
    private final Inquiry inquiry = new Inquiry(tables, wanting);

    private final int most;

    /** True once an event has used this step's tick; the next event then gets a new one. */
    private boolean tickTaken;

    /**
     * @param most effects of one step
     */
    private Pool(int most) {
        this.most = most;
    }

    /** A pool of which nothing was heard. */
    public static Pool empty() {
        return empty(EFFECTS);
    }

    /** The same in steps of another size: what a pool decides may follow from that. */
    static Pool empty(int most) {
        return new Pool(most);
    }

    /**
     * A pool as it was when these were its rows.
     *
     * @param rows in the order of {@link Row.Table}, in any order within one table
     * @throws IllegalStateException when a rank comes without its job
     */
    public static Pool restore(Iterable<Row> rows) {
        return restore(rows, EFFECTS);
    }

    /** The same in steps of another size. */
    static Pool restore(Iterable<Row> rows, int most) {
        var restoring = new Restoring(new Pool(most));
        rows.forEach(restoring::add);
        return restoring.whole();
    }

    /** A pool that comes from its rows one by one, for who has other work in between. */
    public static final class Restoring {
        private final Pool pool;

        private Restoring(Pool pool) {
            this.pool = pool;
        }

        public static Restoring begin() {
            return new Restoring(new Pool(EFFECTS));
        }

        /**
         * Takes one more.
         *
         * @param row in the order that {@link Pool#restore} wants
         * @throws IllegalStateException when a rank comes without its job
         */
        public void add(Row row) {
            pool.tables.restore(row);
        }

        /** The pool, once it has all rows. */
        public Pool whole() {
            return pool;
        }
    }

    /**
     * Takes one event in.
     *
     * <p>All deadlines that have come fire first, then starts that are due are made, then the event
     * is taken, and at last some of the lines are looked at that stand far behind. What is too much
     * for one step stays as rows, the event with it, and goes on at the next event.
     *
     * @param appended when the broker appended the event to the log
     */
    public Step on(Event event, Instant appended) {
        var time =
                event instanceof TimePassed(var until) && until.isAfter(appended)
                        ? until
                        : appended;
        tables.tick(time);
        turns.heedWaiting();
        tickTaken = false;
        boolean taken = event instanceof TimePassed;
        int pieces = 0;
        int windows = 0;
        while (!journal.isFull(most) && pieces++ < PIECES * most) {
            if (workOnce()) {
                continue;
            }
            var waiting = tables.undone.firstWaiting();
            if (waiting != null) {
                if (takeAtItsTick(waiting.event())) {
                    tables.remove(waiting);
                }
            } else if (!taken) {
                int before = journal.effects();
                taken = takeAtItsTick(event);
                journal.ofEvent(before);
            } else if (Turns.isMoreLeft(tables) && windows++ < Sweeps.AT_ONCE) {
                turns.lookFurther(most);
            } else {
                return close(Turns.isMoreLeft(tables));
            }
        }
        if (!taken) {
            tables.put(new Waiting(tables.clock().tick(), event));
        }
        return close(true);
    }

    private Step close(boolean more) {
        tables.useNews.tell();
        return journal.close(more);
    }

    /**
     * What comes before any event: one deadline, a change of many jobs, the end of a job for one
     * that comes after it, turns, or an idle ask. Ends are told when no change of many jobs is
     * under way: who is cancelled together with what he waits for does not fail by it.
     */
    private boolean workOnce() {
        var due = tables.alarms.due(tables.now());
        if (due.isPresent()) {
            deadlines.fire(due.get());
            return true;
        }
        if (tables.bulks.first() != null) {
            bulks.goOn(most);
            return true;
        }
        if (jobs.followers().tellNext()) {
            return true;
        }
        if (tables.settings().startsDue()) {
            turns.round(most);
            return true;
        }
        return jobs.checkpoints().look();
    }

    /** Every event gets a tick of its own, since tickets and sightings are ordered by it. */
    private boolean takeAtItsTick(Event event) {
        if (tickTaken) {
            tables.tick(tables.now());
        }
        tickTaken = take(event);
        return tickTaken;
    }

    /**
     * @return false when the event is to be given again
     */
    private boolean take(Event event) {
        switch (event) {
            case Command command -> command(command);
            case Sight sight -> {
                return sightings.on(sight);
            }
            case Report report -> {
                return reports.on(report);
            }
            case Event.Trained trained -> autoscaling.on(trained);
            case Event.CheckpointAnswered answer -> jobs.checkpoints().on(answer);
            case Event.Drained drained -> jobs.departures().on(drained);
            case PodManagerAlive alive -> reports.alive(alive);
            case CoreVersion(var version) -> {
                tables.put(tables.settings().ofCore(version));
                // Other rules may have jobs leave that the rules of before left where they were.
                going.reconsider();
                // What is told of the pool and its queues may be more than before.
                PoolStates.tell(tables);
                tables.queues().forEach(queue -> QueueStates.tell(tables, queue.name()));
            }
            case TimePassed _ -> {}
        }
        return true;
    }

    private void command(Command command) {
        switch (command) {
            case Submitted submitted -> submissions.on(submitted);
            case Event.ChangeAsked change -> submissions.on(change);
            case Event.BulkAsked bulk -> bulks.on(bulk);
            case Event.QueuePut put -> administration.on(put);
            case Event.QueueChange change -> administration.on(change);
            case Event.QueueDelete delete -> administration.on(delete);
            case Event.PoolPut put -> administration.on(put);
            case Event.PoolChange change -> administration.on(change);
        }
    }

    /** How a job stands now, and why; empty: nothing is known of it. Asking changes nothing. */
    public Optional<Standing> explain(JobId job) {
        return Optional.ofNullable(tables.job(job)).map(inquiry::of);
    }

    /** The newest submission of a name that is known; empty: none is. */
    public Optional<JobId> newest(String namespace, String name) {
        return Optional.ofNullable(tables.newest(namespace + "/" + name)).map(Job::id);
    }

    /** The pool's time at which it next has something to do by itself. */
    public Optional<Instant> nextAlarm() {
        return tables.alarms.next();
    }

    /** What is published of each of its queues, as it is now. */
    public List<Effect.QueueState> queueStates() {
        return tables.queues().stream().map(queue -> QueueStates.of(tables, queue)).toList();
    }

    /** The pool's time. */
    public Instant now() {
        return tables.now();
    }

    /** Its name; null until it was put. */
    public @Nullable String name() {
        return tables.settings().name();
    }
}
