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
 * @param budgets its restarts so far
 * @param exclusions nodes that it avoids
 * @param ran how long it was Running before it came to where it is
 * @param scaling the last command that changes its size; null: there was none
 * @param hosts the host list of its launcher; null: none was published
 * @param checkpoint what it was asked to save last; null: nothing yet
 */
public record Past(
        List<Job.Awaited> awaits,
        SortedSet<String> opened,
        int preempted,
        Instant since,
        @Nullable Instant letIn,
        @Nullable Instant back,
        Budgets budgets,
        Exclusions exclusions,
        Duration ran,
        @Nullable Scaling scaling,
        @Nullable HostList hosts,
        @Nullable Checkpoint checkpoint) {
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
                Budgets.UNTOUCHED,
                Exclusions.NONE,
                Duration.ZERO,
                null,
                null,
                null);
    }

    public Past scaling(Scaling scaling) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past asked(Checkpoint checkpoint) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past telling(HostList hosts) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past awaiting(List<Job.Awaited> awaits) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past opening(SortedSet<String> opened) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past madeRoom() {
        return new Past(
                awaits,
                opened,
                preempted + 1,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    /** In its queue, with nothing of it ordered. */
    public Past waitingAgain(Instant since) {
        return waitingSince(since, new TreeSet<>());
    }

    public Past waitingSince(Instant since) {
        return waitingSince(since, opened);
    }

    private Past waitingSince(Instant since, SortedSet<String> opened) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    /** It stood aside until now. */
    public Past lettingIn(Instant now) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                now,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    /** It backed off until now. */
    public Past comingBack(Instant now) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                now,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    /** Since when it waits in line, without what it stood aside or backed off. */
    public Instant inLine() {
        return latest(latest(since, letIn), back);
    }

    private static Instant latest(Instant one, @Nullable Instant other) {
        return other == null || other.isBefore(one) ? one : other;
    }

    public Past charged(Budgets budgets) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past avoiding(Exclusions exclusions) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran,
                scaling,
                hosts,
                checkpoint);
    }

    public Past ranFor(Duration more) {
        return new Past(
                awaits,
                opened,
                preempted,
                since,
                letIn,
                back,
                budgets,
                exclusions,
                ran.plus(more),
                scaling,
                hosts,
                checkpoint);
    }
}
