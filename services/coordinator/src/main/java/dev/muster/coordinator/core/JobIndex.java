package dev.muster.coordinator.core;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All jobs of a pool, and what finds them: by name, by age, by queue, by what they still lack. */
final class JobIndex {
    private final Map<JobId, Job> jobs = new LinkedHashMap<>();
    private final Map<JobId, Makeup> makeups = new LinkedHashMap<>();
    private final SortedMap<Long, JobId> byTicket = new TreeMap<>();
    private final SortedMap<Long, JobId> incomplete = new TreeMap<>();
    private final Map<String, JobId> newest = new LinkedHashMap<>();
    private final Map<String, Counts> counts = new LinkedHashMap<>();
    private final Works works = new Works();
    final Backlog backlog = new Backlog();
    final Awaiting awaiting = new Awaiting();

    /** Living jobs of a queue. */
    record Counts(int waiting, int running) {
        static final Counts NONE = new Counts(0, 0);

        Counts plus(JobState state, int sign) {
            return switch (state) {
                case JobState.Queued _, JobState.Suspended _ -> new Counts(waiting + sign, running);
                case JobState.Starting _, JobState.Running _ -> new Counts(waiting, running + sign);
                case JobState.Restarting _, JobState.Stopping _ ->
                        new Counts(waiting, running + sign);
                case JobState.Absent _, JobState.Ended _ -> this;
            };
        }

        int all() {
            return waiting + running;
        }
    }

    /**
     * Takes the newest of a job.
     *
     * @return the same, sharing what it has in common with others
     */
    Job put(Job job, PoolSpec.Spot spot) {
        var before = jobs.get(job.id());
        var kept = job;
        if (before == null || before.spec().work() != job.spec().work()) {
            var makeup = works.take(job.spec().work(), spot);
            if (before != null) {
                uncount(before);
                works.release(before.spec().work());
            }
            makeups.put(job.id(), makeup);
            kept = job.with(job.spec().with(makeup.work()));
        } else {
            uncount(before);
        }
        jobs.put(kept.id(), kept);
        byTicket.put(kept.ticket(), kept.id());
        awaiting.put(kept);
        if (isTried(kept)) {
            backlog.add(kept, makeup(kept));
        }
        count(kept, 1);
        newest.merge(
                kept.id().fullName(), kept.id(), (a, b) -> b.uid().isNewerThan(a.uid()) ? b : a);
        return kept;
    }

    void remove(Job job) {
        uncount(job);
        jobs.remove(job.id());
        makeups.remove(job.id());
        byTicket.remove(job.ticket());
        incomplete.remove(job.ticket());
        awaiting.remove(job);
        newest.remove(job.id().fullName(), job.id());
        works.release(job.spec().work());
    }

    /** Spot nodes are others now: what waits needs other nodes. */
    void changed(PoolSpec.Spot spot) {
        var tried = jobs.values().stream().filter(JobIndex::isTried).toList();
        tried.forEach(this::leaveBacklog);
        works.changed(spot);
        makeups.replaceAll((_, makeup) -> works.of(makeup.work()));
        tried.forEach(job -> backlog.add(job, makeup(job)));
    }

    private static boolean isTried(Job job) {
        return job.state() instanceof JobState.Queued queued && queued.isOpen();
    }

    private void uncount(Job job) {
        if (isTried(job)) {
            leaveBacklog(job);
        }
        count(job, -1);
    }

    private void leaveBacklog(Job job) {
        backlog.remove(job, makeup(job), this::submitted);
    }

    private Instant submitted(JobId id) {
        var job = jobs.get(id);
        return job == null ? Instant.EPOCH : job.times().submitted();
    }

    private void count(Job job, int sign) {
        var sum = counts.getOrDefault(job.spec().queue(), Counts.NONE).plus(job.state(), sign);
        if (sum.equals(Counts.NONE)) {
            counts.remove(job.spec().queue());
        } else {
            counts.put(job.spec().queue(), sum);
        }
    }

    /** Notes whether a started job may have more pods than {@code placed}. */
    void countPods(Job job, int placed) {
        int open = 0;
        for (var role : job.spec().roles()) {
            boolean isLater = makeup(job).later().contains(role.name());
            open += !isLater || job.past().opened().contains(role.name()) ? role.replicas() : 0;
        }
        if (job.state().isUp() && placed < open) {
            incomplete.put(job.ticket(), job.id());
        } else {
            incomplete.remove(job.ticket());
        }
    }

    Makeup makeup(Job job) {
        var makeup = makeups.get(job.id());
        return makeup != null ? makeup : works.of(job.spec().work());
    }

    @Nullable Job get(JobId id) {
        return jobs.get(id);
    }

    @Nullable Job newest(String fullName) {
        var id = newest.get(fullName);
        return id == null ? null : jobs.get(id);
    }

    /** The first job that came after {@code ticket}. */
    @Nullable Job after(long ticket) {
        var later = byTicket.tailMap(ticket + 1);
        return later.isEmpty() ? null : jobs.get(later.firstEntry().getValue());
    }

    /** Started jobs that may have more pods, the oldest first. */
    List<Job> incomplete() {
        return incomplete.values().stream().map(jobs::get).filter(Objects::nonNull).toList();
    }

    Counts counts(String queue) {
        return counts.getOrDefault(queue, Counts.NONE);
    }
}
