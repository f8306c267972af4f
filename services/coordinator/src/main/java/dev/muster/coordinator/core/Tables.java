package dev.muster.coordinator.core;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a pool, and what is derived from them to find things fast. Every change goes through
 * {@link #put} or {@link #remove}, which note it in the journal: so the rows alone are the state.
 */
final class Tables {
    private final Journal journal;
    private final SortedMap<String, Queue> queues = new TreeMap<>();
    private final Map<JobId, Job> jobs = new LinkedHashMap<>();
    private final SortedMap<JobId, Gang> gangs = new TreeMap<>();
    private final Map<String, JobId> newest = new LinkedHashMap<>();
    private final Map<String, Counts> counts = new LinkedHashMap<>();
    private final SortedMap<String, Source> sources = new TreeMap<>();
    private final SortedMap<Long, Waiting> waiting = new TreeMap<>();
    private Clock clock = Clock.START;
    private Settings settings = Settings.NONE;
    final Capacity capacity = new Capacity();
    final Backlog backlog = new Backlog();
    final Alarms alarms = new Alarms();

    /** Living jobs of a queue. */
    record Counts(int waiting, int running) {
        static final Counts NONE = new Counts(0, 0);

        Counts plus(JobState state, int sign) {
            return switch (state) {
                case JobState.Queued _ -> new Counts(waiting + sign, running);
                case JobState.Starting _, JobState.Running _, JobState.Stopping _ ->
                        new Counts(waiting, running + sign);
                case JobState.Absent _, JobState.Ended _ -> this;
            };
        }
    }

    Tables(Journal journal) {
        this.journal = journal;
    }

    /** Takes a row that the journal knows already. */
    void restore(Row row) {
        switch (row) {
            case Clock time -> clock = time;
            case Settings next -> settings = next;
            case Queue queue -> queues.put(queue.name(), queue);
            case Job job -> index(job);
            case Node node -> capacity.put(node);
            case Others use -> capacity.put(use);
            case Rank rank -> index(rank);
            case Source source -> sources.put(source.key().id(), source);
            case Alarm alarm -> alarms.put(alarm);
            case Waiting event -> waiting.put(event.tick(), event);
        }
    }

    void put(Row row) {
        restore(row);
        journal.put(row);
    }

    void remove(Row row) {
        switch (row) {
            case Queue queue -> queues.remove(queue.name());
            case Job job -> forget(job);
            case Node node -> capacity.removeNode(node.name());
            case Others use -> capacity.remove(use);
            case Rank rank -> {
                hold(rank, -1);
                gang(job(rank)).remove(rank);
            }
            case Source source -> sources.remove(source.key().id());
            case Alarm alarm -> alarms.remove(alarm);
            case Waiting event -> waiting.remove(event.tick());
            case Clock _, Settings _ ->
                    throw new IllegalArgumentException("always there: " + row.key());
        }
        journal.remove(row.key());
    }

    private void index(Job job) {
        var before = jobs.put(job.id(), job);
        if (before != null) {
            uncount(before);
        }
        if (job.state() instanceof JobState.Queued(_, var notBefore, _) && notBefore == null) {
            backlog.add(job);
        }
        counts.merge(
                job.spec().queue(),
                Counts.NONE.plus(job.state(), 1),
                (sum, _) -> sum.plus(job.state(), 1));
        newest.merge(job.id().fullName(), job.id(), (a, b) -> b.uid().isNewerThan(a.uid()) ? b : a);
    }

    private void uncount(Job job) {
        if (job.state() instanceof JobState.Queued) {
            backlog.remove(job);
        }
        counts.computeIfPresent(job.spec().queue(), (_, sum) -> sum.plus(job.state(), -1));
    }

    private void forget(Job job) {
        jobs.remove(job.id());
        gangs.remove(job.id());
        uncount(job);
        newest.remove(job.id().fullName(), job.id());
    }

    private void index(Rank rank) {
        var before = gang(job(rank)).put(rank);
        if (before != null) {
            hold(before, -1);
        }
        hold(rank, 1);
    }

    private void hold(Rank rank, int sign) {
        if (rank.sight().released()) {
            return;
        }
        var demand = job(rank).spec().role(rank.id().role()).demand();
        if (sign > 0) {
            capacity.hold(rank.making().node(), demand);
        } else {
            capacity.release(rank.making().node(), demand);
        }
    }

    private Job job(Rank rank) {
        var job = jobs.get(rank.job());
        if (job == null) {
            throw new IllegalStateException("rank without its job: " + rank.key());
        }
        return job;
    }

    Gang gang(Job job) {
        return gangs.computeIfAbsent(job.id(), _ -> new Gang(job.spec()));
    }

    /** Every job that has ranks, in order. */
    List<JobId> jobsWithRanks() {
        return List.copyOf(gangs.keySet());
    }

    void tick(Instant time) {
        put(clock.after(time));
    }

    Instant now() {
        return clock.now();
    }

    Clock clock() {
        return clock;
    }

    Settings settings() {
        return settings;
    }

    /** Something may be startable that was not tried. */
    void startsAreDue() {
        if (!settings.startsDue()) {
            put(settings.due(true));
        }
    }

    @Nullable Job job(JobId id) {
        return jobs.get(id);
    }

    @Nullable Job newest(String fullName) {
        var id = newest.get(fullName);
        return id == null ? null : jobs.get(id);
    }

    @Nullable Queue queue(String name) {
        return queues.get(name);
    }

    List<Queue> queues() {
        return List.copyOf(queues.values());
    }

    Counts counts(String queue) {
        return counts.getOrDefault(queue, Counts.NONE);
    }

    @Nullable Source source(Source.Kind kind, int number) {
        return sources.get(kind + "/" + number);
    }

    List<Source> sources() {
        return List.copyOf(sources.values());
    }

    /** The oldest event that waits. */
    @Nullable Waiting firstWaiting() {
        return waiting.isEmpty() ? null : waiting.firstEntry().getValue();
    }

    void alarm(Alarm.Kind kind, String subject, Instant at) {
        put(new Alarm(kind, subject, at));
    }

    /** Unless one is set already. */
    void alarmOnce(Alarm.Kind kind, String subject, Instant at) {
        if (alarms.get(kind, subject) == null) {
            alarm(kind, subject, at);
        }
    }

    void silence(Alarm.Kind kind, String subject) {
        var alarm = alarms.get(kind, subject);
        if (alarm != null) {
            remove(alarm);
        }
    }
}
