package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pool's one hold. A head that has waited for long and fits the empty pool gets a fixed room;
 * others use what is not held. It is the oldest of the queues that would stay below their guarantee
 * with it, else the oldest of all, and chosen anew when it no longer fits, or when one of the
 * former has waited for as long and the holder is none of them.
 */
public final class Holds {
    /** For how long nobody is looked for who could make room. */
    static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    /** So many heads are asked in one round whether they lack what is their own queue's. */
    private static final int ASKED = 20;

    /** After so long the next of them is, and not sooner is anybody looked for again. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

    private final Tables tables;
    private final Journal journal;
    private final Eligibility eligibility;
    private final Heads heads;
    private final HoldCheck rooms;
    private final FitAfterRelease foresight;
    private final RepellingTenants tenants;
    private final RoomForHolder sacrifices;

    public Holds(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.eligibility = tables.eligibility;
        this.heads = new Heads(tables);
        this.rooms = new HoldCheck(tables);
        this.foresight = new FitAfterRelease(tables);
        this.tenants = new RepellingTenants(tables, foresight);
        this.sacrifices =
                new RoomForHolder(
                        tables,
                        foresight,
                        new ElasticSurplus(tables, journal, jobs, foresight),
                        new Victims(tables, journal, jobs, foresight));
    }

    /** The holder, if its queue and the pool let it start; null: nobody. */
    public @Nullable Job startable() {
        var job = tables.holdingJob();
        return job != null && isWaiting(job) && eligibility.mayStart(job) ? job : null;
    }

    /** Where the holder could start now; null: nowhere. */
    public @Nullable Placed fit(Job holder) {
        var shape = tables.makeup(holder).start();
        if (!eligibility.mayUse(holder, shape, By.HOLDER)) {
            return null;
        }
        var held = tables.held.amounts();
        var fit = tables.capacity.placed(shape, Extra.room(held));
        return fit == null ? tables.capacity.placedOn(held.keySet(), shape, Extra.room(held)) : fit;
    }

    private boolean isWaiting(Job job) {
        var queue = tables.queue(job.spec().queue());
        return job.state().takesPart() && queue != null && !queue.spec().doors().paused();
    }

    /**
     * Gives the hold to somebody, takes it from one who lost the right to it, or makes room for it.
     *
     * @return whether anything changed
     */
    public boolean review() {
        var hold = tables.hold();
        if (tables.capacity.isDelegated()) {
            tables.endHold();
            return hold != null;
        }
        if (hold == null) {
            return choose();
        }
        var holder = tables.job(hold.job());
        // Whoever makes room for it may leave what it lacks of its own queue's quota, too.
        if (holder == null
                || !isWaiting(holder)
                || !hold.preempts() && !mayHold(holder)
                || !rooms.areThere(holder)) {
            tables.endHold();
            return true;
        }
        if (!eligibility.mayStart(holder)) {
            // It keeps the hold: when the pool is available again, others would have turns first.
            return false;
        }
        return !isGuaranteed(holder) && giveToGuaranteed()
                || lookForSacrifices(hold, holder)
                || leaveRepellingTenants(holder);
    }

    private boolean isGuaranteed(Job holder) {
        var claim = eligibility.toStart(holder, By.HOLDER);
        return claim != null && eligibility.isGuaranteed(claim);
    }

    /** Who borrows holds only for as long as nobody below his guarantee has waited as long. */
    private boolean giveToGuaranteed() {
        heads.catchUp();
        var first = heads.first();
        var next = heads.nextRipeGuaranteed();
        if (next != null) {
            wakeAt(next);
        }
        var job = first == null || !first.guaranteed() ? null : tables.job(first.job());
        return job != null && give(job);
    }

    /** Unless the pool is woken sooner. */
    private void wakeAt(Instant at) {
        tables.wakings.notLater(Alarm.Kind.RESERVE, Named.POOL, at);
    }

    private boolean mayHold(Job job) {
        var queue = tables.queue(job.spec().queue());
        return queue != null && eligibility.mayHold(queue, job, By.HOLDER);
    }

    /** Where nobody has waited long enough, the pool is woken when the next one will have. */
    private boolean choose() {
        heads.catchUp();
        var first = heads.first();
        var next = heads.nextRipe();
        if (first == null && next != null) {
            wakeAt(next);
        }
        if (sacrifices.areAny() && giveWithSacrifices(first)) {
            return true;
        }
        var job = first == null ? null : tables.job(first.job());
        return job != null && give(job);
    }

    /**
     * To the oldest head that lacks what its own queue or namespace uses, where others make room
     * for it: without them nodes would idle for as long as those run. One is looked at in a round,
     * and each now and then.
     *
     * @param first who else would get it
     */
    private boolean giveWithSacrifices(Heads.@Nullable Head first) {
        for (int asked = 0; asked < ASKED; asked++) {
            var job = nextAwake(first);
            if (job == null) {
                break;
            }
            long seconds = Math.max(CHECK_INTERVAL.toSeconds(), tables.reserves.ripe());
            var next = tables.now().plusSeconds(seconds);
            tables.wakings.at(Alarm.Kind.RESERVE, new Named(job.spec().queue()), next);
            if (lacksItsOwn(job)) {
                if (makeRoom(job)) {
                    return true;
                }
                break;
            }
        }
        if (nextAwake(first) != null) {
            wakeAt(tables.now().plus(LOOK_INTERVAL));
        }
        wakeWhenNextIsRipe();
        return false;
    }

    private @Nullable Job nextAwake(Heads.@Nullable Head first) {
        var id = tables.reserves.firstAwake();
        var job = id == null ? null : tables.job(id);
        return job == null || first != null && comesFirst(first, job) ? null : job;
    }

    private static boolean comesFirst(Heads.Head first, Job job) {
        return first.guaranteed() || first.ticket() <= job.ticket();
    }

    /** Nothing of it is kept for somebody who comes before it. */
    private boolean lacksItsOwn(Job job) {
        var claim = eligibility.toStart(job, By.WAITING_JOB);
        if (claim == null) {
            return false;
        }
        var excesses = eligibility.excesses(claim);
        return excesses.stream().anyMatch(excess -> !excess.byOthers())
                && excesses.stream().allMatch(excess -> excess.keptFor() == null);
    }

    private boolean makeRoom(Job job) {
        var leaving = foresight.leaving();
        boolean comes = foresight.fit(job, leaving) != null;
        var found = comes ? null : sacrifices.of(job, leaving);
        if (found == null) {
            return false;
        }
        make(found, holdFor(job, found.fit()), job);
        return true;
    }

    private boolean give(Job job) {
        var shape = tables.makeup(job).start();
        var apart = tenants.placedApart(shape);
        var fit = apart == null ? tables.capacity.fitEventually(shape) : apart;
        if (!(fit instanceof Placed placed)) {
            return false;
        }
        lookForSacrifices(holdFor(job, placed), job);
        return true;
    }

    /** Where others end for it, that is seen when it is looked at again whether they do. */
    private boolean leaveRepellingTenants(Job holder) {
        var hold = tables.hold();
        var shape = tables.makeup(holder).start();
        boolean isInVain = hold != null && !hold.preempts() && tenants.areInHeldRooms(shape);
        var apart = isInVain ? tenants.placedApart(shape) : null;
        if (apart != null) {
            keepRooms(holder, apart);
        }
        return apart != null;
    }

    private Hold holdFor(Job job, Placed fit) {
        tables.endHold();
        var hold = new Hold(job.id(), tables.now(), false, tables.now());
        tables.put(hold);
        Hold.rooms(tables.makeup(job).start(), fit).forEach(tables::put);
        journal.publish(new Effect.Held(job.id(), job.spec().queue(), fit.rooms(job.spec())));
        return hold;
    }

    /**
     * Whether others shrink or are being ended for the holder from now on. That holds for as long
     * as nobody who comes before it takes of what they leave.
     */
    private boolean lookForSacrifices(Hold hold, Job holder) {
        boolean mayLook = sacrifices.areAny() || hold.preempts();
        if (!mayLook) {
            return false;
        }
        var next = nextLook(hold, holder);
        if (next.isAfter(tables.now())) {
            wakeAt(next); // It may have been woken for somebody else before.
            return false;
        }
        boolean mayWait = mayHold(holder);
        if (hold.preempts() && mayWait && comesAsIs(holder)) {
            lookAgain(hold, true);
            return false;
        }
        var leaving = foresight.leaving();
        var comes = foresight.fit(holder, leaving);
        if (comes != null) {
            keepRooms(holder, comes); // Enough goes already: nobody else has to.
            lookAgain(hold, true);
            return true;
        }
        var found = sacrifices.of(holder, leaving);
        if (found == null) {
            lookAgain(hold, false);
            return !mayWait;
        }
        keepRooms(holder, found.fit());
        make(found, hold, holder);
        return true;
    }

    /** Whoever was ended for it leaves all that it needs. */
    private boolean comesAsIs(Job holder) {
        return tenants.comes(holder) && foresight.quotaComes(holder);
    }

    /** Sooner where somebody has come since the last look who keeps it off what is to come free. */
    private Instant nextLook(Hold hold, Job holder) {
        var soon = hold.nextLook().minus(CHECK_INTERVAL).plus(LOOK_INTERVAL);
        return hold.preempts() && tenants.haveComeToHeldRooms(tables.makeup(holder).start())
                ? soon
                : hold.nextLook();
    }

    private void make(RoomForHolder.Found found, Hold hold, Job holder) {
        if (sacrifices.make(found, holder)) {
            lookAgain(hold, true);
        } else {
            tables.put(hold.looked(!mayHold(holder), tables.now()));
        }
    }

    private void lookAgain(Hold hold, boolean preempts) {
        var next = tables.now().plus(CHECK_INTERVAL);
        tables.put(hold.looked(preempts, next));
        wakeAt(next);
    }

    /** There will be room where others go. */
    private void keepRooms(Job holder, Placed fit) {
        tables.held.all().forEach(tables::remove);
        Hold.rooms(tables.makeup(holder).start(), fit).forEach(tables::put);
    }

    /** One of some lines that no round looks at may be the first of its queue to hold. */
    public void note(String name, List<Line> further) {
        var queue = tables.queue(name); // It may just have been told another reason.
        var noted = queue == null ? null : heads.note(queue, further);
        if (queue != null && noted != null) {
            remind(queue, noted);
        }
    }

    /** The pool looks when a job has waited long enough, if that is the next and may hold. */
    public void remind(Queue queue, Job job) {
        if (tables.hold() == null && sacrifices.areAny()) {
            remindOfQuotas(job);
        }
        var at = queue.ripeAt(job);
        if (!eligibility.mayStart(queue)
                || !mayGetIt(queue, job)
                || !eligibility.mayHold(queue, job, By.WAITING_JOB)
                || heads.isBehind(queue, job)) {
            return;
        }
        if (at.isAfter(tables.now())) {
            wakeAt(at);
        } else {
            tables.startsAreDue();
        }
    }

    /** It may be the first of its queue, and lack what that uses. */
    private void remindOfQuotas(Job job) {
        if (job.id().equals(tables.reserves.firstAwake())) {
            tables.startsAreDue();
        }
        wakeWhenNextIsRipe();
    }

    private void wakeWhenNextIsRipe() {
        var ripe = tables.reserves.nextRipe();
        if (ripe != null) {
            wakeAt(ripe);
        }
    }

    /** Nobody holds, or somebody who borrows. */
    private boolean mayGetIt(Queue queue, Job job) {
        var holder = tables.holdingJob();
        return holder == null
                || !isGuaranteed(holder)
                        && eligibility.isGuaranteed(
                                eligibility.toStart(queue, job, By.WAITING_JOB));
    }
}
