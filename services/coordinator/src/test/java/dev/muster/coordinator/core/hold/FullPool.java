package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A pool that is full of jobs which run, before somebody comes who may make some of them go. */
final class FullPool {
    final Play play;

    /** Those that have room. */
    final List<JobId> jobs = new ArrayList<>();

    FullPool(Play play, PoolSpec.Mode mode) {
        this.play = play;
        var rules = new PoolSpec.Preemption(mode, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
    }

    /** Who has no room is not there. */
    void run(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
        if (!play.job(id).state().isUp()) {
            play.on(Fixtures.cancel(id, "", null));
            return;
        }
        jobs.add(id);
        var one = new OneJob(play, id);
        one.applied(false);
        play.ranks(id).forEach(rank -> one.seeNewest(rank.id().index(), PodPhase.RUNNING, null));
        play.pass(Duration.ofSeconds(1));
    }

    /** What is taken of them once somebody has waited for long. */
    Taken takenFor(JobId head, JobSpec spec) {
        play.on(new Event.Submitted(head, spec, null));
        boolean isUp = play.job(head).state().isUp();
        play.passHeard(Duration.ofMinutes(6), 0);
        var ended = new TreeSet<JobId>();
        var ranks = new ArrayList<Rank>();
        for (var id : jobs) {
            if (!play.job(id).state().isUp()) {
                ended.add(id);
            } else {
                play.ranks(id).stream().filter(Rank::isLeaving).forEach(ranks::add);
            }
        }
        return new Taken(isUp, ended, ranks);
    }

    /** Gangs that were ended, and ranks of others that are given back. */
    record Taken(boolean startedAtOnce, TreeSet<JobId> ended, List<Rank> ranks) {
        boolean isNothing() {
            return ended.isEmpty() && ranks.isEmpty();
        }
    }
}
