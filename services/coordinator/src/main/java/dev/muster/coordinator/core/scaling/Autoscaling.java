package dev.muster.coordinator.core.scaling;

import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Digest;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.ResourceLimits;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.coordinator.core.model.Throughput.Code;
import dev.muster.coordinator.core.scaling.Autoscaler.Choice;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.RoomSeekers;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Jobs whose size follows how fast they train: takes in what they say of it and has what {@link
 * Autoscaler} chooses carried out like anybody's command, where nothing else comes first.
 */
public final class Autoscaling {
    /** Whose commands these are: their ids begin so. */
    public static final String ACTOR = "autoscaler";

    /**
     * How long pods that it asked for may take to run, beside what the job may take to save; then
     * what runs is kept.
     */
    public static final Duration GROWTH_TIMEOUT = Duration.ofMinutes(5);

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final RoomSeekers wanting;
    private final Siblings siblings;

    public Autoscaling(Tables tables, Journal journal, Jobs jobs, RoomSeekers wanting) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.wanting = wanting;
        this.siblings = new Siblings(tables);
    }

    public void on(Event.Trained trained) {
        var job = tables.job(trained.job());
        var range = job == null ? null : job.spec().work().elastic();
        boolean isAsked = range != null && range.cooldown() != null;
        if (job != null && range != null && isAsked && !isStale(job, trained.digest())) {
            hear(job, range, trained.digest());
        } else {
            journal.stays(Decision.Why.STALE);
        }
    }

    /** What starts again in its pod goes on under the incarnation that the pod was made with. */
    private boolean isStale(Job job, Digest digest) {
        var attempt = digest.attempt();
        var incarnation = digest.incarnation();
        return !(job.state() instanceof JobState.Running)
                || attempt != null && attempt != job.fences().attempt()
                || incarnation != null
                        && tables.gang(job).members().stream()
                                .noneMatch(rank -> rank.making().incarnation() == incarnation);
    }

    private void hear(Job job, JobSpec.Elastic range, Digest digest) {
        var now = tables.now();
        var known = tables.throughputs.getOrDefault(job.id(), Throughput.unknown(job.id(), now));
        int size = size(job, range.role());
        int attempt = job.fences().attempt();
        boolean isSame = size == known.size() && attempt == known.attempt();
        if (!isSame || size == 0) {
            var changed = known.at(attempt, size, now);
            var code = size == 0 ? Code.INCOMPLETE : Code.MEASURING;
            var message = size == 0 ? "its size is changing" : "it has come to %d".formatted(size);
            tell(job, changed.deciding(code, message, now));
            return;
        }
        var workers = digest.workers();
        int train = together(job, range.role());
        if (workers != null && workers != train) {
            tell(job, missed(decided(job, range, known), workers, train));
            return;
        }
        // What began before it had this size is of another.
        boolean isOfThis = !now.minus(digest.span()).isBefore(known.since());
        var measured = isOfThis ? known.measured(digest.speed()) : known;
        tell(job, decided(job, range, measured));
    }

    /** Who measures and finds that it does not count is told why. */
    private Throughput missed(Throughput decided, int workers, int train) {
        var verdict = decided.verdict();
        return verdict == null || verdict.code() != Code.MEASURING
                ? decided
                : decided.deciding(
                        Code.MEASURING,
                        "%s; the last was of %d pods, and %d train now"
                                .formatted(verdict.message(), workers, train),
                        tables.now());
    }

    /**
     * How many of its elastic role run; 0: some come or go. Whose pods are left on lost nodes are
     * gone, and so are those whose failures are ignored: nobody trains there.
     */
    private int size(Job job, String role) {
        var gang = tables.gang(job);
        var tally = gang.tally().byRole().get(role);
        if (tally == null || tally.running() + tally.ignored() != gang.count(role)) {
            return 0;
        }
        boolean isStill =
                gang.leaving(role).stream().allMatch(rank -> DeadNodes.isLeftBehind(tables, rank));
        return isStill ? tally.running() : 0;
    }

    /** Of its elastic role, who counts in what is wished and does not train any more. */
    private int ignored(Job job, JobSpec.Elastic range) {
        var tally = tables.gang(job).tally().byRole().get(range.role());
        return tally == null ? 0 : tally.ignored();
    }

    /**
     * How many pods train together: those of the elastic role and of all of its world, but for a
     * launcher, which only leads. It is what a digest says, whatever the elastic role's size is.
     */
    private int together(Job job, String elastic) {
        int world = job.spec().role(elastic).world();
        boolean isLed = job.spec().work().hostList();
        var tally = tables.gang(job).tally();
        int sum = 0;
        for (var role : tally.roles()) {
            boolean leads = isLed && role.role().equals(JobSpec.LAUNCHER);
            if (!leads && job.spec().role(role.role()).world() == world) {
                sum += role.running();
            }
        }
        return sum;
    }

    private Throughput decided(Job job, JobSpec.Elastic range, Throughput known) {
        int ignored = ignored(job, range);
        int most = ResourceLimits.most(job.spec().work(), range) - ignored;
        return switch (Autoscaler.choose(known, training(range, known.size(), ignored), most)) {
            case Choice.Stay(var code, var message) -> known.deciding(code, message, tables.now());
            case Choice.Resize resize -> resized(job, range, known, resize);
        };
    }

    /** The sizes that those who train may have. */
    private static JobSpec.Elastic training(JobSpec.Elastic range, int size, int ignored) {
        int least = Math.min(size, range.min());
        return new JobSpec.Elastic(range.role(), least, range.max() - ignored, range.cooldown());
    }

    private Throughput resized(
            Job job, JobSpec.Elastic range, Throughput known, Choice.Resize resize) {
        var now = tables.now();
        int wished = job.spec().role(range.role()).replicas() - ignored(job, range);
        var until = lastChange(job, known).plus(Objects.requireNonNull(range.cooldown()));
        if (Scaling.isUnderWay(job)) {
            return known.deciding(Code.COMMAND_UNDER_WAY, "a command changes its size", now);
        }
        if (wished != known.size()) {
            return known.deciding(
                    Code.INCOMPLETE,
                    "%d of %d run; the others wait for room".formatted(known.size(), wished),
                    now);
        }
        if (now.isBefore(until)) {
            return known.deciding(
                    Code.COOLING_DOWN,
                    "it has had %d since %s, and goes to %d at %s at the earliest"
                            .formatted(known.size(), known.since(), resize.to(), until),
                    now);
        }
        var wants = resize.to() > known.size() ? rival(job, range, resize) : null;
        if (wants != null) {
            return known.deciding(
                    Code.ROOM_WANTED,
                    "%s waits for room, so that it does not grow to %d"
                            .formatted(wants.fullName(), resize.to()),
                    now);
        }
        return carriedOut(job, range, known, resize);
    }

    /** Who needs the room that it would grow into; null: nobody does. */
    private @Nullable JobId rival(Job job, JobSpec.Elastic range, Choice.Resize resize) {
        var role = job.spec().role(range.role());
        int more = resize.to() + ignored(job, range) - tables.gang(job).count(range.role());
        return wanting.of(job, siblings.next(job, role, more));
    }

    /** A command that came to nothing counts, too: there was no room, and asking on makes none. */
    private static Instant lastChange(Job job, Throughput known) {
        var last = job.past().scaling();
        return last == null || last.since().isBefore(known.since()) ? known.since() : last.since();
    }

    private Throughput carriedOut(
            Job job, JobSpec.Elastic range, Throughput known, Choice.Resize resize) {
        boolean isGrowth = resize.to() > known.size();
        // Who leaves has the time that its template says, however long.
        var timeout = isGrowth ? patience(job) : Duration.ZERO;
        var terms = new Change.Terms(timeout, false, null, false);
        // Who does not train leaves before all others, and else is there beside who does.
        int size = isGrowth ? resize.to() + ignored(job, range) : resize.to();
        var command = new Change.SetReplicas(range.role(), size, terms);
        // No other event of the job has this number, and so no other of its commands.
        var id = "%s-%d".formatted(ACTOR, job.seq() + 1);
        var result = jobs.scalings().ask(job, command, id, resize.message());
        return known.deciding(
                result.outcome() == Outcome.REFUSED ? Code.REFUSED : Code.SCALED,
                result.message(),
                tables.now());
    }

    /** What the job may take to save is not taken from its pods. */
    private static Duration patience(Job job) {
        var asks = job.spec().work().checkpoint();
        return asks == null ? GROWTH_TIMEOUT : GROWTH_TIMEOUT.plus(asks.timeout());
    }

    private void tell(Job job, Throughput now) {
        var before = tables.throughputs.get(job.id());
        var told = before == null ? null : before.verdict();
        tables.put(now);
        if (now.verdict() != null && (told == null || told.code() != now.verdict().code())) {
            jobs.gather(job, Job.Due.STATUS);
        }
    }
}
