package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hooks of commands of scale: each is run when its change is made, in a pod of its own beside the
 * gang, and again where it did not end well, as often as it may be.
 */
public final class Hooks {
    /** The command's reason, where its hook did not end well. */
    private static final String FAILED = "HookFailed";

    /** From the end of its time until that must have been told. */
    private static final Duration RESULT_GRACE = Duration.ofSeconds(10);

    /** Whether a quota is still used up is looked at after so long. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private final Tables tables;
    private final Jobs jobs;
    private final Scalings scalings;
    private final HookQuota quota;

    /** A hook that was begun, of the command that goes on. */
    private record UnderWay(HookRun run, Scaling scaling, Hooked hooked) {
        static @Nullable UnderWay of(Tables tables, Job job) {
            var run = tables.hooks.of(job.id());
            var scaling = Scaling.underWay(job);
            var hooked = scaling == null ? null : scaling.hook();
            return run == null || scaling == null || hooked == null
                    ? null
                    : new UnderWay(run, scaling, hooked);
        }
    }

    Hooks(Tables tables, Jobs jobs, Scalings scalings) {
        this.tables = tables;
        this.jobs = jobs;
        this.scalings = scalings;
        this.quota = new HookQuota(tables);
    }

    /**
     * Notes what a command is to run, if anything.
     *
     * @return it runs before ranks leave
     */
    boolean await(Job job, Scaling asked, Sizing.Fits fits, Change.Terms terms) {
        if (terms.hook() == null || !isDue(job, fits, terms)) {
            return false;
        }
        var run =
                new HookRun(job.id(), asked.number(), terms.hook(), terms.drain(), List.of(), null);
        tables.put(run);
        return !asked.isGrowth();
    }

    /** Nobody is told of what changes nothing for who runs. */
    static boolean isDue(Job job, Sizing.Fits fits, Change.Terms terms) {
        // Whoever waits for another role's turn is only reserved for.
        Predicate<RankId> isOrdered = rank -> job.past().opened().contains(rank.role());
        boolean isTold =
                fits.to() > fits.from()
                        || fits.awaited()
                        || job.state().isUp() && fits.leaving().stream().anyMatch(isOrdered);
        return terms.hook() != null && isTold;
    }

    /** The command under way must not end before it. */
    boolean isAwaited(JobId id) {
        return tables.hooks.of(id) != null;
    }

    /** Its pod is wanted now. */
    private boolean isOrdered(JobId id) {
        var run = tables.hooks.of(id);
        return run != null && run.making() != null;
    }

    /** What a command does, for people. */
    String words(Job job, Change.Scale scale, Sizing.Fits fits) {
        var words = fits.words(scale.role());
        return isDue(job, fits, scale.terms()) ? words + "; its hook is run then" : words;
    }

    /** The change is made: it is run, unless it was begun before. */
    void begin(JobId id) {
        var run = tables.hooks.of(id);
        var job = tables.job(id);
        var scaling = job == null ? null : Scaling.underWay(job);
        if (run == null || job == null || scaling == null || scaling.hook() != null) {
            return;
        }
        tables.put(run.about(changed(job, scaling)));
        tables.put(with(job, scaling.with(Hooked.BEGUN)));
        order(tables.current(job));
    }

    private List<Integer> changed(Job job, Scaling scaling) {
        var gang = tables.gang(job);
        // Of those that leave some may have been told already, since their role has begun to end.
        var ranks =
                scaling.isGrowth()
                        ? gang.members(scaling.role()).stream()
                                .filter(rank -> rank.tenure().isBroughtBy(scaling.number()))
                        : gang.leaving(scaling.role()).stream()
                                .filter(rank -> rank.tenure().isTakenBy(scaling.number()));
        return ranks.map(rank -> rank.id().index()).limit(HookRun.MOST_CHANGED).toList();
    }

    private static Job with(Job job, Scaling scaling) {
        return job.with(job.past().scaling(scaling));
    }

    private void order(Job job) {
        var begun = UnderWay.of(tables, job);
        if (begun == null) {
            return;
        }
        var node = HookPlace.node(job, tables.gang(job));
        if (node == null) {
            tables.wakings.at(Alarm.Kind.HOOK, job.id(), tables.now().plus(Alarm.SOON));
            return;
        }
        var fences = job.fences().nextIncarnation();
        var until = tables.now().plus(begun.run().hook().timeout()).plus(RESULT_GRACE);
        tables.put(
                begun.run()
                        .with(
                                new HookRun.Making(
                                        fences.attempt(),
                                        fences.incarnation(),
                                        node,
                                        until,
                                        Blindness.of(tables, job.id()),
                                        null,
                                        -1,
                                        tables.clock().tick(),
                                        null)));
        tables.wakings.at(Alarm.Kind.HOOK, job.id(), until);
        var tried = begun.hooked().tried();
        var known = begun.scaling().with(quota.isUsedUp(job) ? tried.waits() : tried);
        publish(with(job.with(fences), known));
    }

    /**
     * @return false: it is not the pod that is wanted now
     */
    public boolean seen(Job job, Event.Pod pod) {
        var run = tables.hooks.of(job.id());
        if (run == null || !isOf(run, pod.mark())) {
            return false;
        }
        var making = run.making();
        if (making == null) {
            return true;
        }
        if (pod.resourceVersion() < making.resourceVersion()) {
            tables.put(run.at(tables.clock().tick())); // No news, but it is listed.
            return true;
        }
        tables.put(run.seen(pod, tables.clock().tick()));
        if (making.podUid() == null) {
            hasItsTime(job);
        }
        end(tables.current(job), pod);
        return true;
    }

    private void end(Job job, Event.Pod pod) {
        switch (HookEnd.of(pod)) {
            case HookEnd.Well(var output) -> succeeded(job, output);
            case HookEnd.Failed end -> failed(job, end);
            case HookEnd.NotYet _ -> {}
        }
    }

    private static boolean isOf(HookRun run, Event.PodMark mark) {
        return mark.rank().equals(Hook.RANK) && run.making() != null && run.making().isOf(mark);
    }

    public void gone(Job job, Event.PodMark mark) {
        var run = tables.hooks.of(job.id());
        if (run != null && isOf(run, mark)) {
            failed(job, HookEnd.lost());
        }
    }

    /** Those that were seen last before {@code tick} are gone. */
    public void goneBefore(long tick, Predicate<JobId> covered) {
        for (var run : tables.hooks.all()) {
            var job = tables.job(run.job());
            var making = run.making();
            if (job != null
                    && making != null
                    && making.podUid() != null
                    && making.at() < tick
                    && covered.test(run.job())) {
                failed(job, HookEnd.lost());
            }
        }
    }

    /** The time of its pod is over, or that between two tries. */
    public void due(Job job) {
        var run = tables.hooks.of(job.id());
        if (run == null || !job.state().isUp()) {
            return;
        }
        var making = run.making();
        if (making == null) {
            order(job);
            return;
        }
        var until = making.until();
        if (Blindness.putsOff(tables, Alarm.Kind.HOOK, job.id(), until, making.blindBefore())) {
            return;
        }
        boolean isAwaited = making.podUid() == null;
        if (isAwaited && quota.isUsedUp(job)) {
            noQuota(job);
            return;
        }
        if (isAwaited && isWaiting(job)) {
            hasItsTime(job);
            return;
        }
        failed(job, HookEnd.late(making.hindrance()));
    }

    /**
     * Its pod is not there, since its namespace may have no more: that is waited for, where others
     * may leave.
     */
    private void noQuota(Job job) {
        var begun = UnderWay.of(tables, job);
        if (begun == null) {
            return;
        }
        var allowed = quota.usedUpByItself(job);
        if (allowed.isPresent()) {
            var why =
                    "the quota of namespace %s allows %d pods, and the job itself has %d"
                            .formatted(job.id().namespace(), allowed.getAsLong(), quota.pods(job));
            cannotBe(job, begun.scaling(), why);
            return;
        }
        tables.wakings.at(Alarm.Kind.HOOK, job.id(), tables.now().plus(CHECK_INTERVAL));
        if (!begun.hooked().waiting()) {
            tell(job, begun.scaling().with(begun.hooked().waits()));
        }
    }

    private void cannotBe(Job job, Scaling scaling, String why) {
        scalings.undoing().ofHook(job, scaling, FAILED, "its hook's pod cannot be: " + why);
    }

    private static boolean isWaiting(Job job) {
        var scaling = Scaling.underWay(job);
        return scaling != null && scaling.hook() != null && scaling.hook().waiting();
    }

    /** There is a slot for its pod, or the pod itself: it has its whole time from now on. */
    private void hasItsTime(Job job) {
        var begun = UnderWay.of(tables, job);
        if (begun == null) {
            return;
        }
        var until = tables.now().plus(begun.run().hook().timeout()).plus(RESULT_GRACE);
        tables.put(begun.run().until(until, Blindness.of(tables, job.id())));
        tables.wakings.at(Alarm.Kind.HOOK, job.id(), until);
        if (begun.hooked().waiting()) {
            tell(job, begun.scaling().with(begun.hooked().running()));
        }
    }

    private void tell(Job job, Scaling scaling) {
        tables.put(with(job, scaling));
        jobs.gather(job, Job.Due.STATUS);
    }

    private void succeeded(Job job, String output) {
        var scaling = Scaling.underWay(job);
        var hooked = scaling == null ? null : scaling.hook();
        if (scaling == null || hooked == null) {
            return;
        }
        var done = dropped(with(job, scaling.with(hooked.succeeded(output))));
        publish(done);
        scalings.look(job.id());
    }

    private void failed(Job job, HookEnd.Failed end) {
        var begun = UnderWay.of(tables, job);
        if (begun == null) {
            return;
        }
        var run = begun.run();
        var next = begun.hooked().failed(end.exitCode(), end.reason(), end.output());
        var known = begun.scaling().with(next);
        tables.put(run.with(null));
        tables.startsAreDue(); // Its slots are free.
        if (next.tries() > run.hook().retries()) {
            tables.put(with(job, known));
            var message = "its hook " + next.words();
            scalings.undoing().ofHook(tables.current(job), known, FAILED, message);
            return;
        }
        var again = tables.now().plus(run.hook().delayAfter(next.tries()));
        tables.wakings.at(Alarm.Kind.HOOK, job.id(), again);
        publish(scalings.told(job, known));
    }

    /** The API server does not take a plan: where it has a hook's pod, that is held to be why. */
    boolean isRefused(Job job, Scaling scaling, String message) {
        boolean isOurs = isOrdered(job.id());
        if (isOurs) {
            cannotBe(job, scaling, message);
        }
        return isOurs;
    }

    /** A job that has lost its pods has lost what it was told with them: it starts over. */
    void follow(JobId id) {
        var job = tables.job(id);
        var begun = job == null ? null : UnderWay.of(tables, job);
        if (job != null && begun != null && !job.state().isUp()) {
            tables.wakings.none(Alarm.Kind.HOOK, id);
            tables.put(begun.run().with(null));
            tables.startsAreDue(); // Its slot is free.
            tables.put(with(job, begun.scaling().with(null)));
        }
    }

    /** The job without the hook that it had; not yet put. Who waited for that leaves now. */
    Job dropped(Job job) {
        var run = tables.hooks.of(job.id());
        if (run == null) {
            return job;
        }
        tables.wakings.none(Alarm.Kind.HOOK, job.id());
        tables.remove(run);
        jobs.departures().tell(job, run.drain());
        tables.startsAreDue();
        return jobs.gathering(job, Job.Due.PLAN_AND_STATUS);
    }

    private void publish(Job job) {
        jobs.publishGathered(job.with(Job.Due.PLAN_AND_STATUS));
    }
}
