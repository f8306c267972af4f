package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.PodSight;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * For how long images or settings have kept pods from running. It counts only while it is seen:
 * nobody knows what becomes of a pod whose node is not heard of.
 */
public final class Hindrances {
    /** An image that cannot be pulled, or settings that are not there, may still come. */
    public static final Duration LIMIT = Duration.ofMinutes(5);

    /** So may they in a later attempt, which has this long at least. */
    private static final Duration LEAST_WAIT_PER_ATTEMPT = Duration.ofSeconds(30);

    private Hindrances() {}

    /** Since when something keeps the containers of a pod; null: nothing does. */
    public static @Nullable Instant since(PodSight before, Event.Pod pod, Instant now) {
        return pod.hindrance() == null
                ? null
                : Objects.requireNonNullElse(before.hinderedSince(), now);
    }

    /** What a pod of this attempt has from when its containers are kept. */
    static Duration limit(Job job) {
        var left = LIMIT.minus(job.times().hinderedFor());
        return left.compareTo(LEAST_WAIT_PER_ATTEMPT) < 0 ? LEAST_WAIT_PER_ATTEMPT : left;
    }

    /** What keeps the containers of a pod has the rest of its time, which nobody minded so far. */
    static void watch(Tables tables, Job job, Rank rank) {
        var since = rank.sight().hinderedSince();
        if (rank.sight().hindrance() != null && since != null) {
            tables.wakings.once(Alarm.Kind.HINDERED, OfRank.of(rank), since.plus(limit(job)));
        }
    }

    /** The node is heard of again: what keeps pods there has its whole time from now on. */
    static void heard(Tables tables, Job job, String node) {
        for (var rank : tables.gang(job).all()) {
            if (rank.sight().hindrance() != null
                    && !rank.state().hasEnded()
                    && rank.whereabouts().equals(node)) {
                tables.put(rank.with(rank.sight().hinderedFrom(tables.now())));
                if (!rank.isLeaving()) {
                    var at = tables.now().plus(limit(job));
                    tables.wakings.at(Alarm.Kind.HINDERED, OfRank.of(rank), at);
                }
            }
        }
    }

    /**
     * Who cannot start for so long that another attempt would have no more than the least time;
     * null: nobody.
     */
    public static @Nullable Rank forGood(Tables tables, Job job) {
        var all = all(tables, job).plus(LEAST_WAIT_PER_ATTEMPT);
        return all.compareTo(LIMIT) < 0 ? null : longest(tables, job);
    }

    /** How long in all they have kept a job from running, this attempt included. */
    static Duration all(Tables tables, Job job) {
        var longest = longest(tables, job);
        var since = longest == null ? null : longest.sight().hinderedSince();
        var now = tables.now();
        return job.times().hinderedFor().plus(Duration.between(since == null ? now : since, now));
    }

    /** The first of those that cannot start for the longest time; null: all can. */
    private static @Nullable Rank longest(Tables tables, Job job) {
        return tables.gang(job).allHindered().stream()
                .filter(rank -> rank.sight().hinderedSince() != null)
                .filter(rank -> !DeadNodes.isUnheardOf(tables, rank))
                .min(
                        Comparator.comparing(
                                rank -> Objects.requireNonNull(rank.sight().hinderedSince())))
                .orElse(null);
    }
}
