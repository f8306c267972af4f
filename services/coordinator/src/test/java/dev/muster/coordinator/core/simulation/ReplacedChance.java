package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are deleted while nobody watches, and that a pod-manager makes again which begins anew.
 * To a job that is up each making of a rank is one pod: another one is none of it.
 */
final class ReplacedChance implements Piece {
    private final Random random;

    /** What was seen of each rank of jobs that are up. */
    private final Map<String, Rank> known = new HashMap<>();

    private int weighed;

    ReplacedChance(long seed) {
        random = new Random(seed + 3);
    }

    @Override
    public @Nullable Made replaced(Collection<Made> pods) {
        var all = List.copyOf(pods);
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event instanceof Event.PodSeen(_, var job, var pod)) {
            weigh(job, pod.mark());
        } else if (event instanceof Event.PlanApplied(var job, _, _, var pods)) {
            pods.forEach(pod -> weigh(job, pod.mark()));
        }
        known.values().removeIf(rank -> !play.isUp(rank.job()));
        play.ranks()
                .forEach((job, ranks) -> {
                    if (play.isUp(job)) {
                        ranks.forEach(this::isOne);
                    }
                });
    }

    private void weigh(JobId job, Event.PodMark mark) {
        var rank = known.get(Rank.id(job, mark.rank()));
        weighed += rank != null && isAnother(rank, mark) ? 1 : 0;
    }

    private void isOne(Rank rank) {
        var before = known.put(rank.key().id(), rank);
        var uid = rank.sight().podUid();
        if (before != null && uid != null && isAnother(before, mark(rank, uid))) {
            throw new AssertionError(before + " is taken for " + rank);
        }
    }

    private static Event.PodMark mark(Rank rank, String uid) {
        var making = rank.making();
        return new Event.PodMark(rank.id(), making.attempt(), making.incarnation(), 0, uid);
    }

    private static boolean isAnother(Rank rank, Event.PodMark mark) {
        var uid = rank.sight().podUid();
        return rank.making().isOf(mark) && uid != null && !uid.equals(mark.podUid());
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
