package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a job went through that later decisions need.
 *
 * @param awaits jobs that must end before it may start
 * @param opened roles whose pods were ordered in this attempt
 * @param preempted how often it made room for another
 * @param since when it last began to wait
 * @param letIn when it came in line after it stood aside (it was held or suspended, or waited for
 *     others); null: it never did
 * @param back when it came in line again after it last backed off; null: it never did
 * @param moved when it was moved to its queue; null: it has always been in it, as far as is known
 * @param budgets its restarts so far
 * @param exclusions nodes that it avoids
 * @param ran how long it was Running before it came to where it is
 * @param scaling the last command that changes its size; null: there was none
 * @param hosts the host list of its launcher; null: none was published
 * @param checkpoint what it was asked to save last; null: nothing yet
 * @param roomless why it was told last that ranks of it are to be made again and find no room;
 *     null: it was not, or nothing is known of why
 */
public record Past(
        List<Job.Awaited> awaits,
        SortedSet<String> opened,
        int preempted,
        Instant since,
        @Nullable Instant letIn,
        @Nullable Instant back,
        @Nullable Instant moved,
        Budgets budgets,
        Exclusions exclusions,
        Duration ran,
        @Nullable Scaling scaling,
        @Nullable HostList hosts,
        @Nullable Checkpoint checkpoint,
        WaitReason.@Nullable Gist roomless) {
    public Past {
        awaits = List.copyOf(awaits);
        opened =
                opened.isEmpty()
                        ? Collections.emptySortedSet()
                        : Collections.unmodifiableSortedSet(new TreeSet<>(opened));
    }

    /** Of a job that was just submitted. */
    public static Past of(Instant submitted) {
        return new Past(
                List.of(),
                new TreeSet<>(),
                0,
                submitted,
                null,
                null,
                null,
                Budgets.UNTOUCHED,
                Exclusions.NONE,
                Duration.ZERO,
                null,
                null,
                null,
                null);
    }

    public Past awaiting(List<Job.Awaited> awaits) {
        return with(awaits, opened, preempted);
    }

    public Past opening(SortedSet<String> opened) {
        return with(awaits, opened, preempted);
    }

    public Past madeRoom() {
        return with(awaits, opened, preempted + 1);
    }

    private Past with(List<Job.Awaited> awaits, SortedSet<String> opened, int preempted) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                moved,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint,
                roomless);
    }

    /** In its queue, with nothing of it ordered. */
    public Past waitingAgain(Instant since) {
        return waitingSince(since).opening(Collections.emptySortedSet());
    }

    public Past waitingSince(Instant since) {
        return with(since, letIn, back, moved);
    }

    /** It stood aside until now. */
    public Past lettingIn(Instant now) {
        return with(since, now, back, moved);
    }

    /** It backed off until now. */
    public Past comingBack(Instant now) {
        return with(since, letIn, now, moved);
    }

    /** It is in another queue from now on. */
    public Past movingOn(Instant now) {
        return with(since, letIn, back, now);
    }

    private Past with(
            Instant since,
            @Nullable Instant letIn,
            @Nullable Instant back,
            @Nullable Instant moved) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                moved,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint,
                roomless);
    }

    /** Since when it waits in line, without what it stood aside or backed off. */
    public Instant inLine() {
        return latest(latest(since, letIn), back);
    }

    /** Since when it waits in its queue, of which nothing was in its way before. */
    public Instant inQueue() {
        return latest(since, moved);
    }

    private static Instant latest(Instant one, @Nullable Instant other) {
        return other == null || other.isBefore(one) ? one : other;
    }

    public Past charged(Budgets budgets) {
        return with(budgets, exclusions, ran);
    }

    public Past avoiding(Exclusions exclusions) {
        return with(budgets, exclusions, ran);
    }

    public Past ranFor(Duration more) {
        return with(budgets, exclusions, ran.plus(more));
    }

    private Past with(Budgets budgets, Exclusions exclusions, Duration ran) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                moved,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint,
                roomless);
    }

    public Past scaling(Scaling scaling) {
        return with(scaling, hosts, checkpoint, roomless);
    }

    public Past telling(HostList hosts) {
        return with(scaling, hosts, checkpoint, roomless);
    }

    public Past asked(Checkpoint checkpoint) {
        return with(scaling, hosts, checkpoint, roomless);
    }

    private Past with(
            @Nullable Scaling scaling,
            @Nullable HostList hosts,
            @Nullable Checkpoint checkpoint,
            WaitReason.@Nullable Gist roomless) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                moved,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint,
                roomless);
    }

    public Past roomless(WaitReason.@Nullable Gist why) {
        return with(scaling, hosts, checkpoint, why);
    }
}
