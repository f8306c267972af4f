package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Standing.Outlook;
import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.jobs.Followers;
import dev.muster.coordinator.core.jobs.ForeignNodes;
import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.jobs.StartupProblems;
import dev.muster.coordinator.core.jobs.WaitingTimes;
import dev.muster.coordinator.core.life.Gates;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Suspended;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.QuotaShortage;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.ClearMix;
import dev.muster.coordinator.core.turns.NextStage;
import dev.muster.coordinator.core.turns.NextTurns;
import dev.muster.coordinator.core.turns.RoomSeekers;
import dev.muster.coordinator.core.turns.ShutDoors;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers how a job stands and why. It only reads: a pool that was asked goes on as it would. */
final class Inquiry {
    /** How many other jobs an answer names. */
    private static final int SHOWN = 5;

    private final Tables tables;
    private final Eligibility eligibility;
    private final ShutDoors doors;
    private final NextStage next;
    private final ClearMix mixes;
    private final Siblings siblings;
    private final RoomSeekers wanting;

    Inquiry(Tables tables, RoomSeekers wanting) {
        this.tables = tables;
        this.wanting = wanting;
        this.eligibility = tables.eligibility;
        this.doors = new ShutDoors(tables);
        this.next = new NextStage(tables);
        this.mixes = new ClearMix(tables);
        this.siblings = new Siblings(tables);
    }

    Standing of(Job job) {
        var queue = tables.queue(job.spec().queue());
        boolean waits = job.state().isWaiting();
        var before = queue == null ? List.<Job>of() : before(job, queue);
        if (!waits || queue == null) {
            var outlook = new Outlook(false, true, null, null, tables.holder());
            var throughput = tables.throughputs.get(job.id());
            return new Standing(
                    job,
                    null,
                    ofStarted(job),
                    outlook,
                    first(before, queue),
                    rivals(job),
                    throughput == null ? null : throughput.verdict());
        }
        int of = tables.backlog.size(queue.name()) + (job.state().takesPart() ? 0 : 1);
        return new Standing(
                job,
                new Place(before.size() + 1, of),
                reasons(job, queue),
                outlook(job, queue, before.isEmpty()),
                first(before, queue),
                rivals(job));
    }

    /** What a job that was started waits for. */
    private List<WaitReason> ofStarted(Job job) {
        var told = StartupProblems.told(tables, job);
        var ofStage = job.state() instanceof Running ? since(next.reason(job), told) : null;
        boolean isOver =
                job.state() instanceof Running
                        && told != null
                        && told.code() != WaitReason.Code.NOT_SCHEDULED;
        return Stream.of(
                        StartupProblems.of(tables, job),
                        ofStage == null && !isOver ? told : ofStage,
                        job.state().isUp() ? StartupProblems.leftBehind(tables, job) : null,
                        ForeignNodes.reason(tables, job),
                        ofGrowth(job))
                .flatMap(Stream::ofNullable)
                .distinct()
                .toList();
    }

    /** The first role of which not all is placed may not, has no room, or leaves it to others. */
    private @Nullable WaitReason ofGrowth(Job job) {
        var lacking = tables.growing.lacking(job);
        if (lacking == null) {
            return null;
        }
        var role = lacking.role();
        int there = tables.gang(job).count(role.name());
        var has =
                "%s has %d of %d that are wished: ".formatted(role.name(), there, role.replicas());
        var shape = siblings.next(job, role, lacking.pods());
        var queue = tables.queue(job.spec().queue());
        var claim = queue == null ? null : eligibility.claim(queue, job, shape, By.GROWING_JOB);
        var excesses = claim == null ? List.<QuotaShortage>of() : eligibility.excesses(claim);
        if (!excesses.isEmpty()) {
            var all =
                    excesses.stream().map(QuotaShortage::message).collect(Collectors.joining("; "));
            return excesses.getFirst().reason(tables.now()).saying(has + all);
        }
        var extra = siblings.of(job, shape);
        if (tables.capacity.fit(shape, extra) instanceof Short why) {
            return why.reason(tables.now()).saying(has + why.message());
        }
        boolean yields = job.spec().work().isElastic(role.name());
        var rival = yields ? wanting.place(job, shape, extra).rival() : null;
        return rival == null
                ? null
                : WaitReason.told(
                        WaitReason.Code.BEHIND_HEAD,
                        rival.toString(),
                        tables.now(),
                        "that it starts or leaves",
                        has + rival.fullName() + " waits for room");
    }

    private List<Rival> first(List<Job> before, @Nullable Queue queue) {
        return queue == null
                ? List.of()
                : before.stream().limit(SHOWN).map(ahead -> rival(ahead, queue)).toList();
    }

    /** Those of its queue that come before it, in order. */
    private List<Job> before(Job job, Queue queue) {
        var order = eligibility.order(queue, tables.now());
        var own = order.of(WaitingTimes.inLine(job, tables.now()));
        return tables.backlog
                .jobs(queue.name())
                .map(tables::job)
                .filter(Objects::nonNull)
                .filter(other -> order.of(other).compareTo(own) < 0)
                .sorted(Comparator.comparing(order::of))
                .toList();
    }

    private List<WaitReason> reasons(Job job, Queue queue) {
        var first =
                Stream.of(ofDoors(queue), ofGate(job), ofOthers(job), ofHead(job, queue))
                        .flatMap(Stream::ofNullable);
        var shape = start(job, queue);
        var last = Stream.ofNullable(since(ofRoom(job, shape), told(job)));
        return Stream.of(first, ofQuotas(job, queue, shape), last).flatMap(all -> all).toList();
    }

    /** These are everybody's; what else is published of a queue has the numbers of its first. */
    private @Nullable WaitReason ofDoors(Queue queue) {
        return since(doors.reason(queue), queue.reason());
    }

    /**
     * A shut gate's word holds, but that fewer may be awaited by now; all else is looked at anew,
     * since numbers move.
     */
    private @Nullable WaitReason ofGate(Job job) {
        var awaits = job.past().awaits();
        boolean isBehind = job.state() instanceof Queued(_, Gate.Behind _, _) && !awaits.isEmpty();
        var own = job.state().takesPart() ? null : own(job);
        return isBehind ? since(Followers.waitsFor(awaits, tables.now()), own) : own;
    }

    /** What stands before that head could never start; nothing stands before who holds room. */
    private @Nullable WaitReason ofHead(Job job, Queue queue) {
        var line = eligibility.blocking(queue, eligibility.lines(queue));
        var head = line == null ? null : tables.job(line.head());
        var order = eligibility.order(queue, tables.now());
        var own = order.of(WaitingTimes.inLine(job, tables.now()));
        return head == null
                        || job.id().equals(tables.holder())
                        || order.of(head).compareTo(own) >= 0
                ? null
                : sinceOfQueue(WaitReason.behind(head.id(), tables.now()), job, queue);
    }

    /** Once resumed a suspended job still waits for those that it comes after. */
    private @Nullable WaitReason ofOthers(Job job) {
        var awaits = job.past().awaits();
        return job.state() instanceof Suspended && !awaits.isEmpty()
                ? Followers.waitsFor(awaits, tables.now())
                : null;
    }

    private @Nullable WaitReason own(Job job) {
        var waiting = waiting(job);
        return waiting == null ? null : waiting.reason();
    }

    /** As it waits or, if it is suspended, as it would if it were resumed now. */
    private @Nullable Queued waiting(Job job) {
        if (job.state() instanceof Suspended suspended) {
            return Gates.resumed(suspended, !job.past().awaits().isEmpty(), tables.now());
        }
        return job.state() instanceof Queued queued ? queued : null;
    }

    /** Its own reason or, where only the first of those that are alike was told, that one's. */
    private @Nullable WaitReason told(Job job) {
        var own = own(job);
        var line =
                own == null && job.state().takesPart()
                        ? tables.backlog.lineOf(job, tables.makeup(job))
                        : null;
        var first = line == null ? null : tables.job(line.head());
        var its = first == null ? null : own(first);
        var came = job.past().inQueue();
        return its == null || its.since().isAfter(came) ? its == null ? own : its : its.since(came);
    }

    /** It holds since it was first told. */
    private static @Nullable WaitReason since(@Nullable WaitReason now, @Nullable WaitReason told) {
        return now == null ? null : holding(now, told);
    }

    private static WaitReason holding(WaitReason now, @Nullable WaitReason told) {
        return told == null || now.isNewsAfter(told) ? now : now.since(told.since());
    }

    /** The same where it was told of the whole queue, of which it was none before it came. */
    private static WaitReason sinceOfQueue(WaitReason now, Job job, Queue queue) {
        var told = queue.reason();
        var came = job.past().inQueue();
        return told != null && told.since().isBefore(came)
                ? holding(now, told.since(came))
                : holding(now, told);
    }

    /** All of them at once: more of one alone would not let it start. */
    private Stream<WaitReason> ofQuotas(Job job, Queue queue, Shape shape) {
        var told = told(job);
        return eligibility.excesses(claim(job, queue, shape)).stream()
                .map(excess -> excess.reason(tables.now()))
                .map(now ->
                        now.isNewsAfter(told) ? sinceOfQueue(now, job, queue) : holding(now, told));
    }

    private Claim claim(Job job, Queue queue, Shape shape) {
        return eligibility.claim(queue, job, shape, eligibility.asWaiting(job.id()));
    }

    /** Turns choose a job's mix; one that takes no part in them would get its own once it does. */
    private Shape start(Job job, Queue queue) {
        return job.state().takesPart() ? tables.makeup(job).start() : mixes.of(queue, job).start();
    }

    private @Nullable WaitReason ofRoom(Job job, Shape shape) {
        if (!(fit(job, shape) instanceof Short why)) {
            return null;
        }
        var reason = why.reason(tables.now());
        var holder = tables.holder();
        return holder == null || !wouldFitWhatIsHeld(job, shape) ? reason : reason.keptFor(holder);
    }

    /** Nothing but the hold of another is in its way. */
    private boolean wouldFitWhatIsHeld(Job job, Shape shape) {
        return !job.id().equals(tables.holder()) && tables.held.fit(shape) instanceof Placed;
    }

    private Fit fit(Job job, Shape shape) {
        return job.id().equals(tables.holder())
                ? tables.held.fit(shape)
                : tables.capacity.fit(shape);
    }

    private Outlook outlook(Job job, Queue queue, boolean isFirst) {
        var waiting = waiting(job);
        var shape = start(job, queue);
        boolean fits =
                eligibility.excess(claim(job, queue, shape)) == null
                        && fit(job, shape) instanceof Placed;
        boolean everFits = tables.capacity.couldEverFit(shape);
        return new Outlook(
                fits,
                everFits,
                waiting != null && waiting.gate() instanceof Gate.Later(var until) ? until : null,
                isFirst && job.state().takesPart() && mayHold(job, queue)
                        ? queue.ripeAt(job)
                        : null,
                tables.holder());
    }

    private boolean mayHold(Job job, Queue queue) {
        return !tables.capacity.isDelegated()
                && eligibility.mayStart(queue)
                && eligibility.mayHold(queue, job, eligibility.asWaiting(job.id()));
    }

    private Rival rival(Job job, Queue queue) {
        return rival(job, queue, ofTurn(job, queue));
    }

    private Rival rival(Job job, Queue queue, @Nullable WaitReason why) {
        long priority = eligibility.order(queue, tables.now()).worth(job);
        return new Rival(
                job.id(), queue.name(), priority, queue.spec().weight(), queue.credit(), why);
    }

    /** The first that is in its way where its queue's doors are open. */
    private @Nullable WaitReason ofTurn(Job job, Queue queue) {
        var ofHead = ofHead(job, queue);
        if (ofHead != null) {
            return ofHead;
        }
        var shape = start(job, queue);
        var ofQuota = ofQuotas(job, queue, shape).findFirst().orElse(null);
        return ofQuota == null ? since(ofRoom(job, shape), told(job)) : ofQuota;
    }

    private List<Rival> rivals(Job job) {
        return new NextTurns(tables)
                .besides(job.spec().queue()).stream()
                        .limit(SHOWN)
                        .flatMap(one -> Stream.ofNullable(rival(one)))
                        .toList();
    }

    private @Nullable Rival rival(NextTurns.OfQueue one) {
        var head = tables.job(one.head());
        if (head == null) {
            return null;
        }
        var ofDoors = ofDoors(one.queue());
        var why = ofDoors == null ? ofTurn(head, one.queue()) : ofDoors;
        return rival(head, one.queue(), why);
    }
}
