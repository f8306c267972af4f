package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.JobSpec.Work;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Repulsion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The works of all living jobs, each kept once however many jobs have it beside the same others.
 */
public final class SharedWorks {
    private final Map<Key, Shared> works = new LinkedHashMap<>();

    /** Those with pods that may be spot pods. */
    private final Set<Key> onSpot = new LinkedHashSet<>();

    private record Key(Work work, SortedMap<String, Repulsion> repulsions) {
        static Key of(GangRequirements makeup) {
            return new Key(makeup.work(), makeup.repulsions());
        }

        GangRequirements makeup(PoolSpec.Spot spot) {
            return GangRequirements.of(work, spot, repulsions);
        }
    }

    private static final class Shared {
        private final GangRequirements makeup;
        private int jobs;

        private Shared(GangRequirements makeup) {
            this.makeup = makeup;
        }
    }

    /**
     * Its makeup, whose work is to be kept in place of the equal one given.
     *
     * @param repulsions between its pods and those of other jobs, by role
     */
    public GangRequirements take(
            Work work, PoolSpec.Spot spot, SortedMap<String, Repulsion> repulsions) {
        var key = new Key(work, repulsions);
        var shared = works.computeIfAbsent(key, of -> new Shared(of.makeup(spot)));
        if (shared.jobs == 0 && work.hasSpotPods()) {
            onSpot.add(key);
        }
        shared.jobs++;
        return shared.makeup;
    }

    public void release(GangRequirements makeup) {
        var shared = works.get(Key.of(makeup));
        if (shared != null && --shared.jobs == 0) {
            works.remove(Key.of(makeup));
            if (makeup.work().hasSpotPods()) {
                onSpot.remove(Key.of(makeup));
            }
        }
    }

    public GangRequirements of(Work work) {
        return of(new Key(work, Collections.emptySortedMap()));
    }

    /** What has taken the place of this one. */
    public GangRequirements now(GangRequirements makeup) {
        return of(Key.of(makeup));
    }

    private GangRequirements of(Key key) {
        var shared = works.get(key);
        if (shared == null) {
            throw new IllegalStateException("no job has this work");
        }
        return shared.makeup;
    }

    /** Spot nodes are others now. */
    public void changed(PoolSpec.Spot spot) {
        for (var key : onSpot) {
            works.computeIfPresent(
                    key,
                    (_, before) -> {
                        var shared = new Shared(key.makeup(spot));
                        shared.jobs = before.jobs;
                        return shared;
                    });
        }
    }
}
