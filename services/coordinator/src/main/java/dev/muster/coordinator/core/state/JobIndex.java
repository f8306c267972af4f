package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.gang.Awaiting;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.GrowableJobs;
import dev.muster.coordinator.core.gang.MixableJobs;
import dev.muster.coordinator.core.gang.SharedWorks;
import dev.muster.coordinator.core.gang.UnansweredCheckpoints;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.queue.Backlog;
import dev.muster.coordinator.core.queue.Marks;
import dev.muster.coordinator.core.queue.Tickets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All jobs of a pool, and what finds them: by name, by age, by queue, by what they still lack. */
public final class JobIndex {
    private final Map<JobId, Known> jobs = new LinkedHashMap<>();
    private final Tickets byTicket = new Tickets();
    private final Map<String, Tickets> ofQueues = new LinkedHashMap<>();
    private final Names names = new Names();
    private final Map<String, Counts> counts = new LinkedHashMap<>();
    private final SharedWorks works = new SharedWorks();
    private final Strangers strangers = new Strangers(() -> jobs.values().stream().map(Known::job));
    private final Marks marks;
    final Backlog backlog;
    final Awaiting awaiting = new Awaiting();
    final GrowableJobs growing = new GrowableJobs();
    final UnansweredCheckpoints unawaited = new UnansweredCheckpoints();

    /** Those that wait to start and may do so with several mixes of roles. */
    final MixableJobs mixable = new MixableJobs();

    /** Those that leave their nodes to start again elsewhere, and have not yet. */
    final SortedSet<JobId> moving = new TreeSet<>();

    /** Those with pods that may be spot pods. */
    private final SortedSet<JobId> onSpot = new TreeSet<>();

    JobIndex(Marks marks) {
        this.marks = marks;
        this.backlog = new Backlog(marks);
    }

    /** A job, sharing what it has in common with others. */
    record Known(Job job, GangRequirements makeup) {}

    /** Living jobs of a queue. */
    public record Counts(int waiting, int running) {
        static final Counts NONE = new Counts(0, 0);

        Counts plus(JobState state, int sign) {
            return switch (state) {
                case JobState.Queued _, JobState.Suspended _, JobState.Lost _ ->
                        new Counts(waiting + sign, running);
                case JobState.Leaving leaving when leaving.wasLost() ->
                        new Counts(waiting + sign, running);
                case JobState.Starting _, JobState.Running _ -> new Counts(waiting, running + sign);
                case JobState.Restarting _, JobState.Saving _, JobState.Stopping _ ->
                        new Counts(waiting, running + sign);
                case JobState.Absent _, JobState.Ended _ -> this;
            };
        }

        /** It counts among those that run. */
        public static boolean isRunning(JobState state) {
            return NONE.plus(state, 1).running() > 0;
        }

        public int all() {
            return waiting + running;
        }
    }

    /** Takes the newest of a job, and returns what is kept of it. */
    Known put(Job job, PoolSpec.Spot spot) {
        var before = jobs.get(job.id());
        if (before == null) {
            strangers.add(job);
        }
        var now = before == null ? take(job, spot) : replace(before, job, spot);
        var kept = now.job();
        jobs.put(kept.id(), now);
        if (before == null) {
            byTicket.put(kept.ticket(), kept.id());
            names.put(kept.id());
        }
        follow(before == null ? null : before.job(), kept);
        if (before == null || !before.job().past().awaits().equals(kept.past().awaits())) {
            awaiting.put(kept);
        }
        if (kept.state().isMoving()) {
            moving.add(kept.id());
        } else {
            moving.remove(kept.id());
        }
        return now;
    }

    /** Whose queue it is in. */
    private void follow(@Nullable Job before, @Nullable Job now) {
        var from = before == null ? null : before.spec().queue();
        var to = now == null ? null : now.spec().queue();
        if (before != null && !before.spec().queue().equals(to)) {
            ofQueues.computeIfPresent(
                    before.spec().queue(),
                    (_, jobs) -> jobs.remove(before.ticket()) && jobs.isEmpty() ? null : jobs);
        }
        if (now != null && !now.spec().queue().equals(from)) {
            ofQueues.computeIfAbsent(now.spec().queue(), _ -> new Tickets())
                    .put(now.ticket(), now.id());
        }
    }

    private Known take(Job job, PoolSpec.Spot spot) {
        var makeup = works.take(job.spec().work(), spot, strangers.repulsions(job));
        var now = new Known(job.with(job.spec().with(makeup.work())), makeup);
        if (makeup.work().hasSpotPods()) {
            onSpot.add(job.id());
        } else {
            onSpot.remove(job.id());
        }
        enter(now);
        return now;
    }

    private Known replace(Known before, Job job, PoolSpec.Spot spot) {
        if (before.job().spec().work() != job.spec().work()) {
            leave(before);
            var now = take(job, spot);
            works.release(before.makeup());
            return now;
        }
        var now = new Known(job, before.makeup());
        if (!standsAs(before.job(), job)) {
            leave(before);
            enter(now);
        }
        return now;
    }

    void remove(Job job) {
        var known = jobs.remove(job.id());
        if (known == null) {
            return;
        }
        leave(known);
        byTicket.remove(job.ticket());
        follow(known.job(), null);
        growing.remove(job);
        unawaited.remove(job.id());
        awaiting.remove(job);
        names.remove(job.id());
        moving.remove(job.id());
        onSpot.remove(job.id());
        works.release(known.makeup());
        strangers.remove(known.job());
    }

    /** Those that may keep apart from others than before: see {@link #reshape}. */
    List<JobId> takeConcerned() {
        return strangers.takeConcerned();
    }

    /** Pods keep apart from others than before. */
    Known reshape(Known before, PoolSpec.Spot spot) {
        var repulsions = strangers.repulsions(before.job());
        if (repulsions.equals(before.makeup().repulsions())) {
            return before;
        }
        leave(before);
        var now = take(before.job(), spot);
        works.release(before.makeup());
        jobs.put(now.job().id(), now);
        return now;
    }

    @Nullable Known known(JobId id) {
        return jobs.get(id);
    }

    /** Spot nodes are others now: spot pods that wait need other nodes, and nobody else. */
    void changed(PoolSpec.Spot spot) {
        var concerned = onSpot.stream().flatMap(id -> Stream.ofNullable(jobs.get(id))).toList();
        var tried = concerned.stream().filter(known -> known.job().state().takesPart()).toList();
        tried.forEach(this::leaveBacklog);
        works.changed(spot);
        for (var known : concerned) {
            var makeup = works.now(known.makeup());
            jobs.put(known.job().id(), new Known(known.job(), makeup));
        }
        tried.forEach(known -> backlog.add(known.job(), makeup(known.job())));
    }

    /** In the same place of the same line, and counted alike. */
    private static boolean standsAs(Job before, Job now) {
        var place = before.spec().place();
        return before.state().takesPart()
                && now.state().takesPart()
                && place.queue().equals(now.spec().queue())
                && place.priority() == now.spec().place().priority()
                && before.past().inLine().equals(now.past().inLine());
    }

    private void enter(Known known) {
        if (known.job().state().takesPart()) {
            backlog.add(known.job(), known.makeup());
            if (known.makeup().isMixable()) {
                mixable.add(known.job(), known.makeup());
            }
        }
        count(known.job(), 1);
    }

    private void leave(Known known) {
        mixable.remove(known.job(), known.makeup());
        if (known.job().state().takesPart()) {
            leaveBacklog(known);
        }
        count(known.job(), -1);
    }

    private void leaveBacklog(Known known) {
        backlog.remove(known.job(), known.makeup(), this::submitted);
    }

    private Instant submitted(JobId id) {
        var job = get(id);
        return job == null ? Instant.EPOCH : job.times().submitted();
    }

    private void count(Job job, int sign) {
        var before = counts.getOrDefault(job.spec().queue(), Counts.NONE);
        var sum = before.plus(job.state(), sign);
        if (sum.running() != before.running()) {
            marks.of(job.spec().queue());
        }
        if (sum.equals(Counts.NONE)) {
            counts.remove(job.spec().queue());
        } else {
            counts.put(job.spec().queue(), sum);
        }
    }

    GangRequirements makeup(Job job) {
        var known = jobs.get(job.id());
        return known != null ? known.makeup() : works.of(job.spec().work());
    }

    @Nullable Job get(JobId id) {
        var known = jobs.get(id);
        return known == null ? null : known.job();
    }

    @Nullable Job newest(String fullName) {
        var id = names.newest(fullName);
        return id == null ? null : get(id);
    }

    /** Of the same name, the newest first. */
    List<JobId> olderThan(JobId id) {
        return names.older(id.fullName()).stream()
                .filter(other -> id.uid().isNewerThan(other.uid()))
                .toList();
    }

    /**
     * The first job that came after {@code ticket}.
     *
     * @param queue of it; null: of any
     */
    @Nullable Job after(@Nullable String queue, long ticket) {
        var all = queue == null ? byTicket : ofQueues.get(queue);
        var later = all == null ? null : all.after(ticket);
        return later == null ? null : get(later);
    }

    /** Another job has its ticket. */
    boolean isTicketTaken(Job job) {
        var holder = byTicket.get(job.ticket());
        return holder != null && !holder.equals(job.id());
    }

    Counts counts(String queue) {
        return counts.getOrDefault(queue, Counts.NONE);
    }
}
