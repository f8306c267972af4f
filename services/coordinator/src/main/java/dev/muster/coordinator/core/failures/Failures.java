package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.gang.UnjudgedFailures;
import dev.muster.coordinator.core.jobs.Avoidance;
import dev.muster.coordinator.core.jobs.BudgetCharges;
import dev.muster.coordinator.core.jobs.JobAlarms;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Verdict;
import dev.muster.coordinator.core.jobs.Verdict.Extent;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.nodes.SuspectNodes;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job whose ranks fail. First failures mislead: when a node dies, its peers exit
 * before the node is known to be lost. So the verdict waits a while, and the strongest cause is
 * charged; however many ranks failed by then, it is one restart.
 */
public final class Failures {
    /** The verdict waits so long when a node of the gang is not heard of. */
    public static final Duration NODE_SETTLE = SilentNodes.SETTLE;

    private final Tables tables;
    private final Jobs jobs;
    private final Avoidance avoidance;
    private final Stages stages;
    private final BudgetCharges costs;
    private final SuspectNodes suspects;
    private final InPlaceRestarts inPlace;
    private final Remakes remakes;
    private final MeetingPoint meeting;
    private final SilentNodes silent;
    private final KubeletRestarts kubelet;

    public Failures(Tables tables, Jobs jobs, Stages stages, InPlaceRestarts inPlace) {
        this.tables = tables;
        this.jobs = jobs;
        this.costs = new BudgetCharges(tables, jobs);
        this.avoidance = new Avoidance(tables, jobs);
        this.stages = stages;
        this.suspects = new SuspectNodes(tables);
        this.inPlace = inPlace;
        this.remakes = new Remakes(tables, jobs);
        this.silent = new SilentNodes(tables);
        this.meeting = new MeetingPoint(tables, jobs, silent);
        this.kubelet = new KubeletRestarts(tables, jobs, silent);
    }

    /** Looks at the ranks that failed: what is clear is done at once, the rest waits. */
    public void look(JobId id) {
        var job = tables.job(id);
        if (job == null || !job.state().isUp()) {
            return;
        }
        jobs.scalings().undoing().ofFailed(tables.current(job));
        job = tables.current(job);
        if (!job.state().isUp()) {
            return;
        }
        var casualties = tables.gang(job).casualties();
        if (casualties.isEmpty()) {
            endIfNothingIsLeft(job);
            return;
        }
        boolean counts = false;
        var fallen = new ArrayList<Rank>();
        for (var rank : casualties.unseen()) {
            var failure = UnjudgedFailures.failure(rank);
            if (meeting.isLackedBy(job, failure)) {
                fallen.add(rank);
            } else if (policy(job, failure).isFinal(failure)) {
                fail(job, failure);
                return;
            }
            counts |= !Verdict.mayBeIgnored(job, rank);
        }
        casualties.looked();
        if (counts) {
            jobs.checkpoints().broken(job);
            job = tables.current(job);
        }
        if (!job.state().isUp()) {
            return;
        }
        // While it saves only what may be ignored is left, which is judged when it has settled.
        if (!fallen.isEmpty() && !(job.state() instanceof JobState.Saving)) {
            meeting.fallen(job, fallen);
            job = tables.current(job);
        }
        if (casualties.isEmpty()) {
            return;
        }
        var strongest = casualties.strongest();
        if (strongest.isTheClusters() && concernsAll(job, strongest)) {
            judge(job, null);
            return;
        }
        boolean settles =
                tables.wakings.isSet(Alarm.Kind.SETTLE, id)
                        || tables.wakings.isSet(Alarm.Kind.NODE_SETTLE, id);
        if (!settles) {
            var at = tables.now().plus(casualties.settle(job.spec()));
            tables.wakings.at(Alarm.Kind.SETTLE, id, at);
        }
    }

    /**
     * Every rank has ended, and those whose success was asked for did not succeed. Who leaves has
     * its time until then, unless its pod is left on a lost node.
     */
    private void endIfNothingIsLeft(Job job) {
        var tally = tables.gang(job).tally();
        var success = job.spec().success();
        if (tally.isOver() && !tally.satisfies(success) && !jobs.departures().isAnyAwaited(job)) {
            var whose = success instanceof JobSpec.Success.OfRole(var role) ? " of " + role : "";
            var message = "every rank has ended, and none%s has succeeded".formatted(whose);
            jobs.on(job, new JobEvent.GaveUp(End.failed(End.Code.NOTHING_SUCCEEDED, message)));
        }
    }

    /** The first failures have settled. */
    public void settled(Job job) {
        if (!awaitsVerdict(job) || Blindness.putsOff(tables, Alarm.Kind.SETTLE, job.id())) {
            return;
        }
        var casualties = tables.gang(job).casualties();
        var strongest = casualties.strongest();
        var settle = casualties.settle(job.spec());
        var node = silent.of(job);
        if (node != null && !strongest.isTheClusters() && settle.compareTo(NODE_SETTLE) < 0) {
            var at = tables.now().plus(NODE_SETTLE.minus(settle));
            tables.wakings.at(Alarm.Kind.NODE_SETTLE, job.id(), at);
        } else {
            judge(job, node);
        }
    }

    /** A node of the gang was not heard of; by now it is known, or lost. */
    public void settledLate(Job job) {
        if (awaitsVerdict(job) && !Blindness.putsOff(tables, Alarm.Kind.NODE_SETTLE, job.id())) {
            judge(job, silent.of(job));
        }
    }

    private boolean awaitsVerdict(Job job) {
        return job.state().isUp() && !tables.gang(job).casualties().isEmpty();
    }

    /** What the kubelet restarted has settled. */
    public void restartsSettled(Job job) {
        kubelet.settled(job);
    }

    private void judge(Job job, @Nullable String node) {
        var verdict = Verdict.of(job, tables.gang(job).casualties().all(), node);
        var charged = verdict.charged();
        if (charged != null && job.state() instanceof JobState.Saving) {
            jobs.checkpoints().broken(job); // It stops anyway: nothing is charged for that.
            return;
        }
        if (charged == null) {
            JobAlarms.noVerdict(tables, job.id());
        }
        if (!verdict.ignored().isEmpty()) {
            ignore(job, verdict.ignored());
        }
        var now = tables.job(job.id());
        if (now == null || !now.state().isUp()) {
            return;
        }
        if (charged == null) {
            endIfNothingIsLeft(now);
        } else if (verdict.extent() == Extent.NOTHING) {
            fail(now, charged);
        } else {
            restart(now, charged, verdict);
        }
        jobs.scalings().look(job.id()); // Whose failure is ignored is not waited for any more.
    }

    /** Their failure is an end like any other. */
    private void ignore(Job job, List<Rank> ranks) {
        for (var rank : ranks) {
            var sight = rank.sight();
            var failure = UnjudgedFailures.failure(rank);
            tables.put(rank.with(sight.judged(RankState.IGNORED, sight.over(), failure)));
            if (sight.over()) {
                tables.startsAreDue();
            }
            jobs.roleMayHaveEnded(job, rank);
        }
        boolean isTold = tables.settings().spec().backing().choosesNodes();
        jobs.gather(job, isTold ? Job.Due.PLAN_AND_STATUS : Job.Due.STATUS);
        stages.ranksChanged(job.id());
    }

    private void restart(Job job, Failure charged, Verdict verdict) {
        var policy = policy(job, charged);
        var failed = verdict.failed();
        var guilty = failed.stream().filter(rank -> isBy(charged, rank)).toList();
        var growing = grow(job, guilty);
        if (!growing.isEnough()) {
            outOfMemory(job, charged, growing);
            return;
        }
        var strongest = kubelet.charged(job, charged);
        // Before the charge: from then on it has not run for long any more.
        var known = BudgetCharges.atRest(tables.current(job), tables.now());
        var node = silent.behind(known, strongest, verdict.blamed());
        var budgets = costs.charge(known, strongest, node);
        if (budgets == null) {
            costs.exhausted(known, strongest);
            return;
        }
        var until = tables.now().plus(policy.delay().after(budgets.inARow() - 1));
        var extent = extent(known, verdict);
        var delayed = budgets.until(until);
        if (extent == Extent.ALL_CONTAINERS) {
            delayed = delayed.notBeyond(until);
        }
        var grown = known.with(growing.of(known.spec())).with(known.past().charged(delayed));
        var paid = avoidance.avoid(grown, badNodes(job, guilty, verdict));
        tables.put(paid);
        JobAlarms.noVerdict(tables, job.id());
        var message =
                "%s%s; restart %d".formatted(charged.message(), growing.words(), budgets.all());
        switch (extent) {
            case CONTAINERS -> remakes.inPods(paid, failed, until);
            case PODS -> remakes.pods(paid, failed, until);
            case ROLES -> remakes.roles(paid, failed, until);
            case ALL_CONTAINERS -> remakes.inPods(paid, inPlace.all(paid), until);
            case GANG, NOTHING ->
                    jobs.on(paid, new JobEvent.RestartDecided(until, charged.reason(), message));
        }
    }

    /** How much starts again: all as a new attempt, where less cannot be had. */
    private Extent extent(Job job, Verdict verdict) {
        if (hasLostCritical(job)) {
            return Extent.GANG;
        }
        boolean isDenied =
                verdict.extent() == Extent.ALL_CONTAINERS && !inPlace.canBeAskedOfAll(job);
        return isDenied ? Extent.GANG : verdict.extent();
    }

    /** What failed by a weaker cause fell with the others: its own rule says nothing of it. */
    private static boolean isBy(Failure charged, Rank failed) {
        return UnjudgedFailures.failure(failed).isBy(charged.cause());
    }

    /** Others say what is done besides a restart. */
    private static boolean isRestart(Action action) {
        return !(action instanceof Action.ExcludeNode || action instanceof Action.GrowMemory);
    }

    /** What roles get whose ranks ran out of memory, where their rule says so. */
    private Enlargement grow(Job job, List<Rank> failed) {
        var growing = Enlargement.nothing(job.spec().work());
        var makeup = tables.makeup(job);
        for (var rank : failed) {
            var failure = UnjudgedFailures.failure(rank);
            if (policy(job, failure).actionOn(failure) instanceof Action.GrowMemory rule) {
                var spec = job.spec().with(growing.work());
                var role = rank.id().role();
                var had = rank.making().memory();
                var spot = tables.settings().spec().spot();
                var places = MemoryGrowth.Places.of(spec.role(role), rank, spot, nodes());
                var least = Enlargement.least(job, spec.work(), tables.gang(job), makeup);
                growing =
                        growing.and(
                                role, MemoryGrowth.of(spec.with(least), role, rule, had, places));
            }
        }
        return growing;
    }

    private List<MemoryGrowth.NodeRoom> nodes() {
        return tables.capacity.nodes().stream()
                .map(node -> new MemoryGrowth.NodeRoom(node, tables.capacity.leftByOthers(node)))
                .toList();
    }

    private void outOfMemory(Job job, Failure charged, Enlargement growing) {
        var message = charged.message() + growing.words();
        jobs.on(job, new JobEvent.GaveUp(End.failed(End.Code.MEMORY_LIMIT_REACHED, message)));
    }

    /** Of ranks whose rule says that their nodes are at fault; the pool hears of it, too. */
    private SortedSet<String> badNodes(Job job, List<Rank> failed, Verdict verdict) {
        var nodes = new TreeSet<String>();
        for (var rank : failed) {
            var failure = UnjudgedFailures.failure(rank);
            var node = rank.failedOn();
            if (node != null
                    && policy(job, failure).actionOn(failure) instanceof Action.ExcludeNode) {
                nodes.add(node);
                suspects.failed(rank, failure.reason(), failure.message());
            }
        }
        var charged = verdict.charged();
        var blamed = verdict.blamed();
        if (charged != null && blamed != null && verdict.excludesBlamed(job)) {
            nodes.add(blamed);
            suspects.failed(blamed, job.id(), charged.reason(), charged.message());
        }
        return nodes;
    }

    /**
     * The kubelet started a rank's container again. What of a gang starts again together is charged
     * as one restart of ours would be, so that what always fails comes to an end; a rule that says
     * what else is to be done about such a failure makes it one like any other, and so it is of a
     * rank without which the gang cannot do.
     */
    public void restartedInItsPod(JobId id, RankId rankId, int times, Failure failure) {
        var job = tables.job(id);
        var rank = tables.rank(id, rankId);
        if (job == null || rank == null || !job.state().isUp() || rank.state().hasEnded()) {
            return;
        }
        var said = policy(job, failure).said(failure);
        boolean critical = job.spec().isCritical(rankId);
        if (said instanceof Action.Ignore && !critical || meeting.isLackedBy(job, failure)) {
            return;
        }
        boolean neverRan = failure.isBy(Cause.CONFIG);
        if (critical || said != null || neverRan || isOnlyByRules(job, rankId.role())) {
            var tick = tables.clock().tick();
            tables.put(rank.with(rank.sight().failed(tick, false, failure, InPlace.DONE)));
            jobs.gather(job, Job.Due.STATUS);
            stages.ranksChanged(id);
            look(id);
            jobs.hosts().mayChange(id);
            return;
        }
        kubelet.gather(job, rank, times, failure);
    }

    /** The kubelet restarts for the sake of rules alone: what no rule names is a failure. */
    private static boolean isOnlyByRules(Job job, String role) {
        return job.spec().role(role).restart() == JobSpec.Restart.NEVER
                && job.spec().failureOf(role).hasInPlace();
    }

    private void fail(Job job, Failure failure) {
        var action = policy(job, failure).actionOn(failure);
        var said = action instanceof Action.Fail(var message) ? message : "";
        var message =
                said.isEmpty() ? failure.message() : "%s (%s)".formatted(said, failure.message());
        jobs.on(job, new JobEvent.GaveUp(new End(Phase.FAILED, failure.reason(), message)));
    }

    /** Nothing stronger can come, and waiting would gather nothing: the whole gang goes anyway. */
    private boolean concernsAll(Job job, Failure strongest) {
        var policy = policy(job, strongest);
        var said = policy.actionOn(strongest);
        return said instanceof Action.RestartGang
                || !isRestart(said) && policy.restart() instanceof Action.RestartGang
                || hasLostCritical(job);
    }

    private boolean hasLostCritical(Job job) {
        var gang = tables.gang(job);
        return job.spec().work().roles().stream()
                .flatMap(role ->
                        role.care().critical().stream()
                                .map(index -> gang.get(new RankId(role.name(), index))))
                .anyMatch(rank -> rank != null && UnjudgedFailures.isOne(rank));
    }

    private static FailurePolicy policy(Job job, Failure failure) {
        return job.spec().failureOf(failure.rank().role());
    }
}
