package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.after;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.QueueSpecs.QUEUE;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Pools whose gangs another scheduler binds. */
final class BackedPools {
    static final Backing OBSERVED = new Backing(Backend.VOLCANO, false, null);
    static final Backing DELEGATED = new Backing(Backend.VOLCANO, true, "muster");

    private BackedPools() {}

    /** Two nodes of four cores, and somebody has found the kinds of its backend. */
    static Play play(Backing backing) {
        var play = Play.withNodes(4, 4);
        play.on(pool(backing));
        play.on(served());
        play.on(new Event.QueuePut("default", QUEUE, null));
        play.takeEffects();
        return play;
    }

    static Event served() {
        return new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(Backend.VOLCANO), false);
    }

    static Event pool(Backing backing) {
        return new Event.PoolPut("default", with(backing), null);
    }

    static PoolSpec with(Backing backing) {
        return with(Map.of(), backing);
    }

    static PoolSpec with(Map<String, String> nodeSelector, Backing backing) {
        var plain = PoolSpec.PLAIN;
        return new PoolSpec(
                new TreeMap<>(nodeSelector),
                plain.policy(),
                plain.preemption(),
                plain.priorities(),
                plain.spot(),
                backing);
    }

    /** Its workers are ordered, and bound to no node yet. */
    static Play masterRuns(JobId id, String node) {
        return masterRuns(id, node, Milestone.RUNNING);
    }

    static Play masterRuns(JobId id, String node, Milestone until) {
        var play = play(DELEGATED);
        var waits = after("master", until, role("worker", 2, 1));
        play.on(new Event.Submitted(id, spec("default", role("master", 1, 1), waits), null));
        play.on(new Event.PlanApplied(id, 1, false, List.of()));
        master(play, id, PodPhase.RUNNING, node, null);
        play.takeEffects();
        return play;
    }

    static void master(
            Play play, JobId id, PodPhase phase, String node, @Nullable Integer exitCode) {
        var mark = Fixtures.mark("master", 0, 1);
        long version = exitCode == null ? 7 : 8;
        play.on(new Event.PodSeen(WATCHER, id, Fixtures.pod(mark, version, phase, node, exitCode)));
    }
}
