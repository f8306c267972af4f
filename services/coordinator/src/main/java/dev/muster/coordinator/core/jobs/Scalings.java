package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.HostList;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;

/**
 * Commands that change the size of a job: taken in or refused, carried out by wishing another size
 * and by taking ranks out, and brought to exactly one end each.
 */
public final class Scalings {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Hooks hooks;
    private final Undoing undoing;

    Scalings(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.hooks = new Hooks(tables, jobs, this);
        this.undoing = new Undoing(tables, jobs, this);
    }

    public Hooks hooks() {
        return hooks;
    }

    public Undoing undoing() {
        return undoing;
    }

    /**
     * @param id of the request; empty: it had none
     */
    public Result ask(Job job, Change.Scale scale, String id) {
        return ask(job, scale, id, "");
    }

    /**
     * @param why of one that nobody asked for; empty: whoever asked knows
     */
    public Result ask(Job job, Change.Scale scale, String id, String why) {
        var phase = job.state().phase();
        var terms = scale.terms();
        return switch (sized(scale, job)) {
            case Sizing.Refused(var message) -> new Result(Outcome.REFUSED, phase, message);
            case Sizing.Fits fits when terms.dryRun() ->
                    new Result(
                            Outcome.ACCEPTED, phase, "dry run: " + hooks.words(job, scale, fits));
            case Sizing.Fits fits -> {
                var words = hooks.words(job, scale, fits) + (why.isEmpty() ? "" : "; " + why);
                take(superseded(job, id), scale, fits, id, words);
                yield new Result(Outcome.ACCEPTED, phase, words);
            }
        };
    }

    private Sizing sized(Change.Scale scale, Job job) {
        var basis = Basis.of(job, tables.gang(job));
        return Sizing.of(scale, basis.job(), basis.gang(), node -> undoing.isBad(job, node));
    }

    private Job superseded(Job job, String id) {
        var before = Scaling.underWay(job);
        if (before == null) {
            return job;
        }
        jobs.departures().stayUnsaved(job, before.number());
        var message = "by command " + id;
        return ended(tables.current(job), before, Stage.SUPERSEDED, "Superseded", message);
    }

    private void take(Job job, Change.Scale scale, Sizing.Fits fits, String id, String words) {
        var terms = scale.terms();
        var deadline = terms.timeout().isZero() ? null : tables.now().plus(terms.timeout());
        var asked =
                new Scaling(
                        job.seq() + 1,
                        id,
                        scale.role(),
                        fits.from(),
                        fits.to(),
                        terms.atomic(),
                        deadline,
                        Stage.WAITING,
                        "",
                        words,
                        tables.now(),
                        null,
                        fits.awaited(),
                        isListed(job, fits.heir()));
        var told = told(wishing(job, scale.role(), fits.to()), asked);
        tables.put(told);
        if (deadline != null) {
            tables.wakings.at(Alarm.Kind.SCALE_DEADLINE, job.id(), deadline);
        }
        if (fits.heir() != 0) {
            inherit(told, fits.heir(), asked.number());
        }
        var choice =
                hooks.await(told, asked, fits, terms)
                        ? Departures.Choice.afterHook(asked)
                        : Departures.Choice.of(asked, terms.drain());
        jobs.departures().leave(told, fits.leaving(), choice);
        tables.startsAreDue();
        jobs.gather(told, Job.Due.STATUS);
        look(job.id());
        jobs.hosts().mayChange(job.id());
    }

    /**
     * What the command before had brought is in the host list, and stays there. Of what came one by
     * one some of it is enough: to wait for the rest would take that some out again.
     */
    private boolean isListed(Job job, long before) {
        var last = job.past().scaling();
        return last != null
                && last.number() == before
                && (last.isListed()
                        || !last.atomic()
                                && tables.gang(job).all().stream()
                                        .anyMatch(rank ->
                                                rank.tenure().isBroughtBy(before)
                                                        && HostList.names(job, rank)));
    }

    /**
     * Ranks that came by the command before count as come by this one, also those that are to
     * leave: they may stay.
     */
    private void inherit(Job job, long before, long heir) {
        for (var rank : tables.gang(job).all()) {
            if (rank.tenure().isBroughtBy(before)) {
                tables.put(rank.with(rank.tenure().inheritedBy(heir)));
            }
        }
    }

    /** What is held for it stays so if it starts as before: others may have been ended for that. */
    Job wishing(Job job, String role, int size) {
        var wishing = job.with(job.spec().with(job.spec().work().sized(role, size)));
        if (job.id().equals(tables.holder()) && !startsAlike(job, wishing)) {
            tables.endHold();
        }
        return wishing;
    }

    private boolean startsAlike(Job job, Job wishing) {
        var known = tables.makeup(job);
        var spot = tables.settings().spec().spot();
        var makeup = GangRequirements.of(wishing.spec().work(), spot, known.repulsions());
        return makeup.start().equals(known.start());
    }

    /** How far the command under way has come now. */
    public void look(JobId id) {
        hooks.follow(id);
        var job = tables.job(id);
        var scaling = job == null ? null : Scaling.underWay(job);
        if (job == null || scaling == null) {
            return;
        }
        var asked = job.asked();
        boolean waits = asked != null && tables.gang(job).awaits(asked.id(), scaling.number());
        if (scaling.isGrowth()) {
            lookAtGrowth(job, scaling, waits);
        } else {
            lookAtShrink(job, scaling, waits);
        }
    }

    private void lookAtShrink(Job job, Scaling scaling, boolean waits) {
        var left = tables.gang(job).leaving(scaling.role());
        boolean isDone =
                tables.gang(job).count(scaling.role()) <= wish(job, scaling)
                        && left.stream().allMatch(r -> DeadNodes.isLeftBehind(tables, r))
                        && !hooks.isAwaited(job.id());
        if (!isDone && job.state().isBeingEnded()) {
            end(job, scaling, Stage.CANCELLED, "JobEnded", "the job is being ended");
            return;
        }
        if (isDone || !job.state().isUp()) {
            var words = isDone && !left.isEmpty() ? "; " + leftBehind(left) : "";
            end(job, scaling, Stage.SUCCEEDED, "", scaling.message() + words);
            return;
        }
        at(job, scaling, waits ? Stage.WAITING : Stage.SCALING);
        if (!waits) {
            hooks.begin(job.id());
        }
    }

    private void lookAtGrowth(Job job, Scaling scaling, boolean waits) {
        var gang = tables.gang(job);
        int wish = wish(job, scaling);
        boolean isUp = job.state().isUp();
        if (!isUp && scaling.listed()) {
            var anew = scaling.listed(false);
            tables.put(job.with(job.past().scaling(anew)));
            at(tables.current(job), anew, Stage.WAITING);
        } else if (!isThere(job, scaling) || takes(gang, scaling)) {
            boolean comes = isUp && gang.count(scaling.role()) >= wish && !waits;
            at(job, scaling, comes ? Stage.SCALING : Stage.WAITING);
        } else if (wish < scaling.to()) {
            end(job, scaling, Stage.FAILED, scaling.reason(), kept(scaling, wish));
        } else if (hooks.isAwaited(job.id())) {
            at(job, scaling, Stage.SCALING);
            hooks.begin(job.id());
        } else {
            succeed(job, scaling);
        }
    }

    /** All is there: that is its end once its job's launcher, if there is one, knows them. */
    private void succeed(Job job, Scaling scaling) {
        var listed = scaling.listed(true);
        if (!scaling.listed()) {
            tables.put(job.with(job.past().scaling(listed)));
            jobs.hosts().mayChange(job.id());
        }
        var now = tables.current(job);
        if (jobs.hosts().isTold(now)) {
            end(now, listed, Stage.SUCCEEDED, "", listed.message());
        } else {
            at(now, listed, Stage.SCALING);
        }
    }

    private static int wish(Job job, Scaling scaling) {
        return job.spec().role(scaling.role()).replicas();
    }

    /** All that is wished is there. */
    private boolean isThere(Job job, Scaling scaling) {
        return job.state().isUp() && there(job, scaling.role()) >= wish(job, scaling);
    }

    /** All that it asked for is there, and no hook is to be run. */
    boolean isComplete(Job job, Scaling scaling) {
        return scaling.isGrowth()
                && isThere(job, scaling)
                && wish(job, scaling) >= scaling.to()
                && !hooks.isAwaited(job.id());
    }

    /** Who leaves by it is there yet. */
    private boolean takes(Gang gang, Scaling scaling) {
        return gang.leaving(scaling.role()).stream()
                .filter(rank -> rank.tenure().isTakenBy(scaling.number()))
                .anyMatch(rank -> !DeadNodes.isLeftBehind(tables, rank));
    }

    private static String leftBehind(List<Rank> left) {
        var first = left.getFirst();
        return "%s is left on %s, which is not heard of%s"
                .formatted(first.id(), first.whereabouts(), Words.andMore(left.size() - 1));
    }

    /** How many are what a command waits for. */
    int there(Job job, String role) {
        var tally = tables.gang(job).tally().byRole().get(role);
        if (tally == null) {
            return 0;
        }
        return isOfLauncher(job) ? tally.fineAndReady() : tally.fine();
    }

    /**
     * Whether a rank is what a command waits for: it runs, and is ready where a launcher is to be
     * told of it, or needs neither any more.
     */
    public static boolean isThere(Job job, Rank rank) {
        return rank.state() == RankState.SUCCEEDED
                || rank.state() == RankState.IGNORED
                || rank.state() == RankState.RUNNING
                        && (rank.sight().ready() || !isOfLauncher(job));
    }

    static boolean isOfLauncher(Job job) {
        return job.spec().work().hostList();
    }

    private static String kept(Scaling scaling, int size) {
        return "%s has %d instead of %d: %s"
                .formatted(scaling.role(), size, scaling.to(), scaling.message());
    }

    /** A rank has come to another state: its backend may have to bind others together again. */
    public void changed(Job job, Rank rank) {
        if (Groups.mayChange(job, rank, tables.settings().spec())) {
            jobs.gather(job, Job.Due.PLAN_AND_STATUS);
        }
    }

    /**
     * The API server does not take the pods that a command would bring.
     *
     * @return false: no command brought any
     */
    public boolean isRefused(Job job, String reason, String message) {
        var scaling = Scaling.underWay(job);
        if (scaling == null || !job.state().isUp()) {
            return false;
        }
        if (hooks.isRefused(job, scaling, message)) {
            return true;
        }
        boolean brought =
                scaling.isGrowth()
                        && tables.gang(job).members(scaling.role()).stream()
                                .anyMatch(rank -> rank.tenure().isBroughtBy(scaling.number()));
        if (brought) {
            undoing.whole(job, scaling, reason, message);
        }
        return brought;
    }

    /**
     * Its job was asked to save before, and has not: where the command under way waited for that,
     * nothing of it is done.
     */
    void notSaved(Job job, Checkpoint asked) {
        var scaling = Scaling.underWay(job);
        var gang = tables.gang(job);
        if (scaling == null || !gang.awaits(asked.id(), scaling.number())) {
            return;
        }
        if (!scaling.isGrowth()) {
            undoing.stay(job, scaling);
        } else {
            undoing.ungrow(job, scaling);
        }
        boolean isLate = asked.stage() == Checkpoint.Stage.TIMED_OUT;
        var reason = isLate ? "CheckpointTimedOut" : "CheckpointFailed";
        end(tables.current(job), scaling, Stage.FAILED, reason, asked.message());
    }

    /** The job has ended, and so has what was under way of it; not yet put. */
    Job cancelled(Job job) {
        var scaling = Scaling.underWay(job);
        return scaling == null
                ? job
                : ended(job, scaling, Stage.CANCELLED, "JobEnded", "the job has ended");
    }

    private void at(Job job, Scaling scaling, Stage stage) {
        if (scaling.stage() != stage) {
            var next = scaling.at(stage, scaling.reason(), scaling.message(), tables.now());
            tables.put(told(job, next));
            jobs.gather(job, Job.Due.STATUS);
        }
    }

    void end(Job job, Scaling scaling, Stage stage, String reason, String message) {
        tables.put(ended(job, scaling, stage, reason, message));
        jobs.gather(job, Job.Due.STATUS);
        jobs.hosts().mayChange(job.id());
        jobs.checkpoints().look(job.id());
    }

    private Job ended(Job job, Scaling scaling, Stage stage, String reason, String message) {
        tables.wakings.none(Alarm.Kind.SCALE_DEADLINE, job.id());
        return told(hooks.dropped(job), scaling.at(stage, reason, message, tables.now()));
    }

    /** The job that has told of it; not yet put. */
    Job told(Job job, Scaling scaling) {
        var told = job.nextSeq().with(job.past().scaling(scaling));
        journal.publish(new Effect.Scaled(job.id(), told.seq(), told.fences().attempt(), scaling));
        return told;
    }
}
