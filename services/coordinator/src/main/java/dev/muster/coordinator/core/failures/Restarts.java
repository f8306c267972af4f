package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.gang.ReturningRanks;
import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.jobs.ElasticEnd;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.NextMaking;
import dev.muster.coordinator.core.jobs.StartupProblems;
import dev.muster.coordinator.core.jobs.Successors;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.starts.Starts;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Quotas;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes single ranks anew that failed. They keep the room that they had, and come before everybody
 * else's claim, the pool's hold included.
 */
public final class Restarts {
    /** How many ranks one step makes again, or tries in vain. */
    private static final int AT_ONCE = 200;

    /** So many jobs are tried when room comes; the others' alarms go on. */
    private static final int TRIED_AT_ONCE = 256;

    /** Of each role so many that differ in what is theirs already. */
    private static final int TRIED_OF_ROLE = 4;

    private final Tables tables;
    private final Jobs jobs;
    private final NextMaking making;
    private final Quotas quotas;
    private final Starts starts;
    private final Stages stages;
    private final InPlaceRestarts inPlace;
    private final ReturnPlaces places;
    private final Successors successors;
    private final ElasticEnd ending;
    private final MeetingPoint meeting;

    public Restarts(Tables tables, Journal journal, Jobs jobs, Stages stages) {
        this.tables = tables;
        this.jobs = jobs;
        this.making = new NextMaking(tables, journal);
        this.quotas = tables.quotas;
        this.starts = new Starts(tables, journal, jobs);
        this.stages = stages;
        this.inPlace = new InPlaceRestarts(tables, journal, jobs);
        this.places = new ReturnPlaces(tables);
        this.successors = new Successors(tables);
        this.ending = new ElasticEnd(tables, jobs);
        this.meeting = new MeetingPoint(tables, jobs, new SilentNodes(tables));
    }

    /**
     * The delay of single ranks is over: their pods are made again, each where there is room.
     * Nobody comes into the middle of a job's saving: it is to stop then, or looks again.
     */
    public void delayOver(Job job) {
        if (!job.state().grows()) {
            return;
        }
        var due = due(job);
        if (!due.isEmpty()) {
            var awaited = due.stream().filter(rank -> !hasFallen(job, rank)).toList();
            var roles = new TreeSet<String>();
            awaited.forEach(rank -> roles.add(rank.id().role()));
            stages.again(job.id(), roles);
            if (awaited.stream().anyMatch(rank -> isDelayedAtStart(job, rank))) {
                stages.startAgain(job.id());
            }
            var now = tables.current(job);
            if (Dependents.reason(tables, now) != null) {
                tables.put(now.with(now.due().and(Job.Due.STATUS))); // Its status says why.
            }
            remake(tables.current(job), places.elsewhere(job), true);
        }
        var now = tables.job(job.id());
        var next =
                now == null || !now.state().grows()
                        ? null
                        : tables.gang(now).returning().next(tables.now());
        if (next != null) {
            Remakes.wake(tables, job.id(), next);
        }
    }

    /** Its delay is over since the gang's time to run began last. */
    private boolean isDelayedAtStart(Job job, Rank returning) {
        var due = returning.sight().due();
        return job.state() instanceof JobState.Starting starting
                && due != null
                && due.isAfter(starting.ordered());
    }

    /**
     * It is to be made again since the rank where all meet was not there: it may fail in this way
     * without end, for nobody is charged.
     */
    public boolean hasFallen(Job job, Rank rank) {
        return rank.state() == RankState.RETURNING && meeting.hasFallen(job, rank);
    }

    /** The same of those that found no room then. */
    public void roomless(Job job) {
        if (job.state().grows()) {
            remake(job, places.elsewhere(job), false);
        }
    }

    private List<Rank> due(Job job) {
        return tables.gang(job).returning().due(tables.now());
    }

    /**
     * @param elsewhere where those go that leave their domain together
     * @param isNews some of them are tried for the first time
     */
    private void remake(Job job, SortedMap<RankId, String> elsewhere, boolean isNews) {
        if (ending.startsAgain(job)) {
            return;
        }
        if (isDenied(job, due(job))) {
            return;
        }
        var all = due(job);
        var free = new ArrayList<>(Dependents.free(tables, job, all));
        boolean anyLeft = false;
        for (var first : MeetingPoint.among(job, free)) {
            free.remove(first);
            anyLeft |= !remade(tables.current(job), first, elsewhere);
        }
        var returning = meeting.ready(tables.current(job), free);
        anyLeft |= returning.size() < free.size();
        var tried = tried(job, returning, elsewhere);
        anyLeft |= tried.anyLeft();
        anyLeft |= !haveRoom(job, Dependents.roomless(tables, job, all), elsewhere);
        stages.ranksChanged(job.id());
        jobs.scalings().look(job.id()); // Who started again in its pod is there, without news.
        if (tried.isFull()) {
            tables.wakings.at(Alarm.Kind.REMAKE, job.id(), tables.now());
            return;
        }
        if (anyLeft) {
            tables.wakings.at(Alarm.Kind.ROOM, job.id(), tables.now().plus(Alarm.RETRY_INTERVAL));
            tellWhy(tables.current(job), isNews);
        } else {
            tables.wakings.none(Alarm.Kind.ROOM, job.id());
        }
        Dependents.follow(tables, job.id()); // What started again in its pod runs already.
        jobs.publishGathered(tables.current(job));
    }

    /** Its status says it, unless that was told and nothing but numbers is another. */
    private void tellWhy(Job job, boolean isNews) {
        var why = StartupProblems.of(tables, job);
        var gist = why == null ? null : why.gist();
        if (isNews || !Objects.equals(job.past().roomless(), gist)) {
            tables.put(job.with(job.past().roomless(gist)).with(job.due().and(Job.Due.STATUS)));
        }
    }

    /**
     * What came of trying to make ranks again.
     *
     * @param isFull as many were made as one step makes, and others are left
     */
    private record Tried(boolean isFull, boolean anyLeft) {}

    /** Who finds no room is in nobody's way; others that need the same are not tried. */
    private Tried tried(Job job, List<Rank> returning, SortedMap<RankId, String> elsewhere) {
        var failed = new LinkedHashSet<RoomNeed>();
        int made = 0;
        int inVain = 0;
        boolean anyLeft = false;
        for (var rank : ReturningRanks.inTurn(returning, AT_ONCE, tables.now())) {
            if (made == AT_ONCE || inVain == AT_ONCE) {
                return new Tried(made == AT_ONCE, true);
            }
            var need = RoomNeed.of(tables, job, rank);
            if (need != null && failed.contains(need)) {
                anyLeft = true;
            } else if (remade(tables.current(job), rank, elsewhere)) {
                made++;
            } else {
                anyLeft = true;
                inVain += awaitsItsNode(job, rank) ? 0 : 1;
                if (need != null) {
                    failed.add(need);
                }
            }
        }
        return new Tried(false, anyLeft);
    }

    /** No room is looked for: its pod is left on a dead node, and nobody may come in its place. */
    private boolean awaitsItsNode(Job job, Rank rank) {
        return isCutOff(rank)
                && !DeadNodes.mayBeForced(tables, job, rank)
                && !Successors.mayCome(tables, job, rank);
    }

    private boolean isCutOff(Rank rank) {
        return !rank.sight().over() && DeadNodes.isOnDeadNode(tables, rank);
    }

    /**
     * Those that wait for others keep their room; whose room is lost gets other room now. Where one
     * of a role finds none, the others of it are not tried.
     *
     * @return false: some have none
     */
    private boolean haveRoom(Job job, List<Rank> roomless, SortedMap<RankId, String> elsewhere) {
        var without = new TreeSet<String>();
        int tried = 0;
        for (var rank : roomless) {
            var role = rank.id().role();
            if (without.contains(role)) {
                continue;
            }
            var node = tried++ < AT_ONCE ? nodeOfAgain(job, rank, elsewhere) : null;
            if (node == null) {
                without.add(role);
            } else {
                tables.put(rank.with(rank.making().on(node), rank.sight()));
            }
        }
        return without.isEmpty();
    }

    private @Nullable String nodeOfAgain(Job job, Rank rank, SortedMap<RankId, String> elsewhere) {
        if (quotas.ofAgain(job, rank) != null) {
            return null;
        }
        var node = elsewhere.get(rank.id());
        return node == null ? places.besideOthers(job, rank) : node;
    }

    /** Somebody cannot start again in his pod, where all were to: all are made anew. */
    private boolean isDenied(Job job, List<Rank> returning) {
        for (var rank : returning) {
            boolean fits = fitsItsPod(job, rank);
            if (inPlace.isDenied(job, rank, fits)) {
                var why = fits ? "nobody can be asked for it" : "its pod has to be another one";
                inPlace.giveUp(job, InPlaceRestarts.message(rank.id(), why));
                return true;
            }
        }
        return false;
    }

    /**
     * Room may have come for ranks that found none: they are first, those of the oldest job before
     * others, and of a job those that fit though others do not. Who still has a delay is not tried.
     *
     * @return whether any was made again
     */
    public boolean inRoomThatCame() {
        var inNeed =
                tables.alarms.inNeedOfRoom(TRIED_AT_ONCE).stream()
                        .map(tables::job)
                        .filter(job -> job != null && isInNeed(job))
                        .sorted(Comparator.comparingLong(Job::ticket))
                        .toList();
        var failed = new LinkedHashSet<RoomNeed>();
        for (var job : inNeed) {
            var elsewhere = places.elsewhere(job);
            for (var role : job.spec().roles()) {
                var returning =
                        tables.gang(job).returning().due(role.name(), TRIED_OF_ROLE, tables.now());
                var roomless = Dependents.roomless(tables, job, returning);
                if (!haveRoom(job, roomless, elsewhere)) {
                    continue;
                }
                for (var rank : meeting.ready(job, Dependents.free(tables, job, returning))) {
                    var need = RoomNeed.of(tables, job, rank);
                    if (need != null && failed.contains(need)) {
                        break;
                    }
                    if (remade(tables.current(job), rank, elsewhere)) {
                        remake(tables.current(job), elsewhere, true);
                        return true;
                    }
                    if (need != null) {
                        failed.add(need);
                    }
                }
            }
        }
        return false;
    }

    private boolean isInNeed(Job job) {
        return job.state().grows()
                && tables.gang(job).returning().isAnyDue(tables.now())
                && !ending.isToStartAgain(job);
    }

    /** Where its minimum does not run, a gang has its time once more for whoever is made again. */
    private boolean remade(Job job, Rank rank, SortedMap<RankId, String> elsewhere) {
        boolean isAwaited = !hasFallen(job, rank);
        boolean isMade = made(job, rank, elsewhere);
        if (isMade && isAwaited) {
            stages.startAgain(job.id());
            stages.again(job.id(), new TreeSet<>(List.of(rank.id().role())));
        }
        return isMade;
    }

    private boolean made(Job job, Rank rank, SortedMap<RankId, String> elsewhere) {
        boolean isCutOff = isCutOff(rank);
        if (fitsItsPod(job, rank) && inPlace.restarts(rank)) {
            inPlace.restart(job, rank);
            return true;
        }
        if (isCutOff && !DeadNodes.mayBeForced(tables, job, rank)) {
            return Successors.mayCome(tables, job, rank) && succeeded(job, rank);
        }
        if (quotas.ofAgain(job, rank) != null) {
            return false;
        }
        var node = elsewhere.get(rank.id());
        if (node == null) {
            node = isCutOff ? places.besideOthers(job, rank) : node(job, rank);
        }
        if (node == null) {
            return false;
        }
        int forced =
                isCutOff
                        ? job.fences().nextIncarnation().incarnation()
                        : DeadNodes.forcedBefore(rank);
        making.make(job, rank, node, List.of(), forced);
        return true;
    }

    /** It leaves, and another comes at once, or later where the job may do without it. */
    private boolean succeeded(Job job, Rank rank) {
        var fit = successors.fit(job, rank, places::placed);
        if (fit == null && !successors.isSpare(job, rank)) {
            return false;
        }
        jobs.departures().giveUp(job, List.of(rank.id()));
        if (fit == null) {
            tables.startsAreDue();
        } else {
            starts.succeed(tables.current(job), fit);
        }
        jobs.scalings().look(job.id());
        return true;
    }

    /** A pod that still runs stays where it is; its successor comes when it is gone. */
    private @Nullable String node(Job job, Rank rank) {
        return fitsItsPod(job, rank) ? rank.making().node() : places.besideOthers(job, rank);
    }

    /** Its pod still is as it should be, where it should be. */
    private boolean fitsItsPod(Job job, Rank rank) {
        var role = job.spec().role(rank.id().role());
        return !rank.sight().over()
                && !DeadNodes.isForDeadNode(tables, rank)
                && !role.filter().avoided().contains(rank.making().node())
                && rank.making().memory() == role.pod().grown()
                && places.isAmongOthers(job, rank);
    }
}
