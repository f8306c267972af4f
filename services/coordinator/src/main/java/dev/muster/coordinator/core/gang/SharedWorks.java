package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.JobSpec.Work;
import dev.muster.coordinator.core.model.PoolSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** The works of all living jobs, each kept once however many jobs have it. */
public final class SharedWorks {
    private final Map<Work, Shared> works = new LinkedHashMap<>();

    private static final class Shared {
        private final GangRequirements makeup;
        private int jobs;

        private Shared(GangRequirements makeup) {
            this.makeup = makeup;
        }
    }

    /** Its makeup, whose work is to be kept in place of the equal one given. */
    public GangRequirements take(Work work, PoolSpec.Spot spot) {
        var shared = works.computeIfAbsent(work, w -> new Shared(GangRequirements.of(w, spot)));
        shared.jobs++;
        return shared.makeup;
    }

    public void release(Work work) {
        var shared = works.get(work);
        if (shared != null && --shared.jobs == 0) {
            works.remove(shared.makeup.work());
        }
    }

    public GangRequirements of(Work work) {
        var shared = works.get(work);
        if (shared == null) {
            throw new IllegalStateException("no job has this work");
        }
        return shared.makeup;
    }

    /** Spot nodes are others now. */
    public void changed(PoolSpec.Spot spot) {
        works.replaceAll((work, before) -> {
            var shared = new Shared(GangRequirements.of(work, spot));
            shared.jobs = before.jobs;
            return shared;
        });
    }
}
