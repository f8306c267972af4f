package dev.muster.coordinator.core.state;

import static java.util.Collections.unmodifiableSortedMap;
import static java.util.Collections.unmodifiableSortedSet;

import dev.muster.coordinator.core.gang.Awaiting;
import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.GrowableJobs;
import dev.muster.coordinator.core.gang.MixableJobs;
import dev.muster.coordinator.core.gang.Ports;
import dev.muster.coordinator.core.gang.Residents;
import dev.muster.coordinator.core.gang.UnansweredCheckpoints;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.EndedJob;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.SettingsAnswer;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.queue.Backlog;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Marks;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a pool, and what is derived from them to find things fast. Every change goes through
 * {@link #put} or {@link #remove}, which note it in the journal: so the rows alone are the state.
 */
public final class Tables {
    private final Journal journal;
    public final Marks marks = new Marks();
    private final JobIndex jobs = new JobIndex(marks);
    private final SortedMap<String, Source> sources = new TreeMap<>();
    public final BulkMemory bulks = new BulkMemory();
    public final LastAnswers<SettingsAnswer> answers = new LastAnswers<>();
    private final SortedMap<JobId, Throughput> speeds = new TreeMap<>();
    final SortedMap<String, EndedJob> ends = new TreeMap<>();
    private final SortedMap<String, Suspicion> suspects = new TreeMap<>();
    public final DeferredWork undone = new DeferredWork();
    private Clock clock = Clock.START;
    private Settings settings = Settings.NONE;
    private @Nullable Hold hold;
    private @Nullable Sweep sweep;
    public final Capacity capacity = new Capacity();
    public final HeldRooms held = new HeldRooms(capacity);
    public final Ledger ledger = new Ledger(marks);
    final Namespaces namespaces = new Namespaces(marks, jobs.backlog, ledger);
    public final HookRuns hooks = new HookRuns(capacity, ledger, namespaces);
    private final RankIndex ranks = new RankIndex(jobs, capacity, ledger, namespaces);
    private final QueueIndex queues = new QueueIndex(ledger, marks);
    public final Backlog backlog = jobs.backlog;
    public final Alarms alarms = new Alarms();
    public final Awaiting awaiting = jobs.awaiting;
    public final GrowableJobs growing = jobs.growing;
    public final UnansweredCheckpoints unawaited = jobs.unawaited;
    public final Ports ports = ranks.ports;
    public final Residents residents = ranks.residents;
    public final SortedSet<JobId> moving = unmodifiableSortedSet(jobs.moving);
    public final MixableJobs mixable = jobs.mixable;
    public final SortedMap<JobId, Throughput> throughputs = unmodifiableSortedMap(speeds);
    public final SortedMap<String, Suspicion> suspicions = unmodifiableSortedMap(suspects);
    final Ceilings ceilings = new Ceilings(this);
    public final Quotas quotas = new Quotas(this);
    public final Eligibility eligibility = new Eligibility(this);
    public final GroupRoom groupRoom = new GroupRoom(this);
    public final Reserves reserves = new Reserves(this);
    public final UseNews useNews = new UseNews(this);
    public final Wakings wakings = new Wakings(this);

    public Tables(Journal journal) {
        this.journal = journal;
    }

    /** Takes a row that the journal knows already. */
    public void restore(Row row) {
        switch (row) {
            case Clock time -> clock = time;
            case Settings next -> set(next);
            case Queue queue -> queues.put(queue);
            case Job job -> known(job);
            case Node node -> changeNodes(() -> capacity.put(node));
            case Suspicion suspicion -> suspects.put(suspicion.node(), suspicion);
            case HookRun run -> hooks.put(run);
            case Others use -> changeNodes(() -> capacity.put(use));
            case NamespaceQuota quota -> namespaces.put(quota);
            case Rank rank -> ranks.put(rank);
            case Throughput speed -> speeds.put(speed.job(), speed);
            case EndedJob end -> ends.put(end.key().id(), end);
            case Hold next -> holdFor(next);
            case Hold.Room room -> held.put(room);
            case Source source -> sources.put(source.key().id(), source);
            case Alarm alarm -> {
                alarms.put(alarm);
                reserves.rests(alarm, true);
            }
            case Bulk bulk -> bulks.put(bulk);
            case Waiting event -> undone.put(event);
            case Sweep next -> sweep = next;
            case UntoldEnd end -> undone.put(end);
            case SettingsAnswer answer -> answers.put(answer.tick(), answer);
        }
    }

    /**
     * Older builds could give two jobs one ticket. The second one found gets a new ticket, so it
     * goes to the end of its queue.
     */
    private void known(Job job) {
        if (jobs.isTicketTaken(job)) {
            tick(now());
            put(job.withTicket(clock.tick()), true);
        } else {
            put(job, false);
        }
    }

    public void put(Row row) {
        if (row instanceof Job job) {
            put(job, true);
        } else {
            useNews.changing(row);
            restore(row);
            journal.put(row);
        }
    }

    private void put(Job job, boolean isNews) {
        var known = jobs.put(job, settings.spec().spot());
        ranks.follow(known);
        if (isNews) {
            journal.put(known.job());
        }
        reshape();
    }

    /** Jobs came or went that others' pods keep apart from, or theirs from others. */
    private void reshape() {
        for (var id : jobs.takeConcerned()) {
            var before = jobs.known(id);
            if (before != null) {
                ranks.settle(before, -1);
                var now = jobs.reshape(before, settings.spec().spot());
                ranks.follow(now);
                ranks.settle(now, 1);
            }
        }
    }

    public void remove(Row row) {
        useNews.changing(row);
        switch (row) {
            case Queue queue -> queues.remove(queue);
            case Job job -> {
                jobs.remove(job);
                ranks.forget(job.id());
                reshape();
            }
            case Node node -> changeNodes(() -> capacity.removeNode(node.name()));
            case Suspicion suspicion -> suspects.remove(suspicion.node());
            case HookRun run -> hooks.remove(run);
            case Others use -> changeNodes(() -> capacity.remove(use));
            case NamespaceQuota quota -> namespaces.remove(quota);
            case Rank rank -> ranks.remove(rank);
            case Throughput speed -> speeds.remove(speed.job());
            case EndedJob end -> ends.remove(end.key().id());
            case Hold _ -> holdForNobody();
            case Hold.Room room -> held.remove(room);
            case Source source -> sources.remove(source.key().id());
            case Alarm alarm -> {
                alarms.remove(alarm);
                reserves.rests(alarm, false);
            }
            case Bulk bulk -> bulks.remove(bulk);
            case Waiting event -> undone.remove(event);
            case Sweep _ -> sweep = null;
            case UntoldEnd end -> undone.remove(end);
            case SettingsAnswer answer -> answers.remove(answer.tick());
            case Clock _, Settings _ ->
                    throw new IllegalArgumentException("always there: " + row.key());
        }
        journal.remove(row.key());
    }

    private void set(Settings next) {
        boolean otherSpot = !next.spec().spot().equals(settings.spec().spot());
        boolean isNews =
                !next.spec().equals(settings.spec())
                        || next.isServed() != settings.isServed()
                        || !Objects.equals(next.name(), settings.name());
        settings = next;
        capacity.delegate(next.spec().backing().delegated());
        if (isNews) {
            marks.ofAll();
        }
        if (otherSpot) {
            jobs.changed(next.spec().spot());
        }
    }

    private void changeNodes(Runnable change) {
        boolean had = capacity.hasNodes();
        change.run();
        if (had != capacity.hasNodes()) {
            marks.ofAll();
        }
    }

    private void holdFor(Hold next) {
        hold = next;
        var job = jobs.get(next.job());
        if (job != null) {
            ledger.hold(Ledger.Payer.of(job), makeup(job).startUse());
            namespaces.used(job.id().namespace(), false);
        }
    }

    private void holdForNobody() {
        hold = null;
        var holder = ledger.holder();
        ledger.holdNothing();
        if (holder != null) {
            namespaces.used(holder.namespace(), true);
        }
    }

    public GangRequirements makeup(Job job) {
        return jobs.makeup(job);
    }

    public Gang gang(Job job) {
        return ranks.gang(job);
    }

    /** Null: it has no such rank, or nothing is known of the job. */
    public @Nullable Rank rank(JobId id, RankId rank) {
        var job = job(id);
        return job == null ? null : gang(job).get(rank);
    }

    /** Every job that has ranks, in order. */
    public List<JobId> jobsWithRanks() {
        return ranks.jobs();
    }

    public void tick(Instant time) {
        put(clock.after(time));
    }

    public Instant now() {
        return clock.now();
    }

    public Clock clock() {
        return clock;
    }

    public Settings settings() {
        return settings;
    }

    /** Something may be startable that was not tried. */
    public void startsAreDue() {
        if (!settings.startsDue()) {
            put(settings.due(true));
        }
    }

    public @Nullable Job job(JobId id) {
        return jobs.get(id);
    }

    /** The newest of a job that was just changed; the same where it was forgotten meanwhile. */
    public Job current(Job job) {
        var now = jobs.get(job.id());
        return now == null ? job : now;
    }

    public List<JobId> olderThan(JobId id) {
        return jobs.olderThan(id);
    }

    public @Nullable Job newest(String fullName) {
        return jobs.newest(fullName);
    }

    /**
     * The first job that came after {@code ticket}.
     *
     * @param queue of it; null: of any
     */
    public @Nullable Job after(@Nullable String queue, long ticket) {
        return jobs.after(queue, ticket);
    }

    public @Nullable Queue queue(String name) {
        return queues.get(name);
    }

    /**
     * The queues that one of those who look has to look at, by name, with all that changed since
     * they were asked for; from now on they are not marked.
     */
    public List<String> marked(Marks.Marked who) {
        reserves.catchUp();
        groupRoom.catchUp(who);
        return who.take(queueNames());
    }

    /** Of all queues, in order. */
    public SortedSet<String> queueNames() {
        return queues.names();
    }

    public List<Queue> queues() {
        return queues.all();
    }

    /** That a policy noted of any queue; 0: it noted no more of any. */
    public long largestCredit() {
        return queues.largestCredit();
    }

    /** Some queue keeps others from starting for a head that may still start. */
    public boolean mayAnyStandInTheWay() {
        return queues.mayAnyStandInTheWay() || namespaces.isAny();
    }

    public JobIndex.Counts counts(String queue) {
        return jobs.counts(queue);
    }

    public @Nullable NamespaceQuota namespace(String name) {
        return namespaces.get(name);
    }

    public List<NamespaceQuota> namespaces() {
        return namespaces.all();
    }

    public @Nullable Hold hold() {
        return hold;
    }

    /** Whose the hold is; null: nobody's. */
    public @Nullable JobId holder() {
        return hold == null ? null : hold.job();
    }

    public @Nullable Job holdingJob() {
        return hold == null ? null : job(hold.job());
    }

    /** Nobody holds any more. */
    public void endHold() {
        if (hold != null) {
            held.all().forEach(this::remove);
            remove(hold);
        }
    }

    public @Nullable Source source(Source.Kind kind, int number) {
        return sources.get(kind + "/" + number);
    }

    List<Source> sources() {
        return List.copyOf(sources.values());
    }

    /** Null: no queue ever had so many lines. */
    public @Nullable Sweep sweep() {
        return sweep;
    }
}
