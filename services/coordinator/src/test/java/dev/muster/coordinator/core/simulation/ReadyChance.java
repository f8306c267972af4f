package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.simulation.ContainerChance.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * How pods that run come to be ready: some at once, some later, some never, and some are not for a
 * while. Its chance is its own, so that all else comes as it did.
 */
final class ReadyChance {
    private final Random random;
    private final LongSupplier versions;

    ReadyChance(long seed, LongSupplier versions) {
        random = new Random(seed ^ 0x4ead_9L);
        this.versions = versions;
    }

    /**
     * What is seen of a pod from when it runs, as long as its container neither ends nor starts.
     */
    List<Due> of(JobId job, JobSpec spec, PodMark mark, String node) {
        int often = asksForIt(spec) ? 2 : 12;
        var coming = new ArrayList<Due>();
        boolean isSlow = random.nextInt(often) == 0;
        coming.add(seen(0, job, mark, node, !isSlow));
        if (isSlow && random.nextInt(8) == 0) {
            return coming;
        }
        long ready = isSlow ? random.nextInt(8_000) : 0;
        if (isSlow) {
            coming.add(seen(ready, job, mark, node, true));
        }
        if (random.nextInt(often) == 0) {
            long from = ready + random.nextInt(20_000);
            coming.add(seen(from, job, mark, node, false));
            coming.add(seen(from + random.nextInt(12_000), job, mark, node, true));
        }
        return coming;
    }

    /** Somebody is told who is ready, or waits for it. */
    private static boolean asksForIt(JobSpec spec) {
        return spec.work().hostList()
                || spec.roles().stream()
                        .flatMap(role -> role.dependsOn().stream())
                        .anyMatch(on -> on.until() == JobSpec.Milestone.READY);
    }

    private Due seen(long millis, JobId job, PodMark mark, String node, boolean isReady) {
        var pod = Fixtures.pod(mark, versions.getAsLong(), PodPhase.RUNNING, node);
        return new Due(
                millis, new Event.PodSeen(WATCHER, job, isReady ? pod : Fixtures.unready(pod)));
    }
}
