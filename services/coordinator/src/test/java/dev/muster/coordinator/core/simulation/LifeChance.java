package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.simulation.ContainerChance.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What becomes of a pod once its node has it: it runs, is ready, trains, starts again and ends. */
record LifeChance(
        Random random,
        LongSupplier versions,
        Chance chance,
        ContainerChance again,
        ReadyChance readiness) {

    /** From when it runs. */
    List<Due> of(JobId job, JobSpec spec, PodMark mark, String node) {
        if (mark.rank().equals(Hook.RANK)) {
            return ofHook(job, mark, node);
        }
        var coming = new ArrayList<>(readiness.of(job, spec, mark, node));
        if (spec.role(mark.rank().role()).restart() == JobSpec.Restart.ON_FAILURE) {
            coming.addAll(again.untilItSucceeds(job, mark, node));
            return coming;
        }
        if (random.nextInt(8) == 0) {
            coming.addAll(again.byKubelet(job, mark, node));
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            coming.add(new Due(random.nextInt(30_000), chance.trained(job, mark)));
        }
        int exit = random.nextInt(10) == 0 ? new int[] {1, 42, 137}[random.nextInt(3)] : 0;
        var phase = exit == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        coming.add(seen(1 + random.nextInt(60_000), job, pod(mark, phase, node, exit)));
        return coming;
    }

    /** Many of them fail, or are lost, and soon: few commands have one, and some try again. */
    private List<Due> ofHook(JobId job, PodMark mark, String node) {
        int fate = random.nextInt(6);
        long end = 1 + random.nextInt(10_000);
        var phase = fate < 4 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        var runs = seen(0, job, pod(mark, PodPhase.RUNNING, node, null));
        return fate == 5
                ? List.of(runs, new Due(end, new Event.PodGone(WATCHER, job, mark)))
                : List.of(runs, seen(end, job, pod(mark, phase, node, fate / 4)));
    }

    private Pod pod(PodMark mark, PodPhase phase, String node, @Nullable Integer exit) {
        return Fixtures.pod(mark, versions.getAsLong(), phase, node, exit);
    }

    private static Due seen(long millis, JobId job, Pod pod) {
        return new Due(millis, new Event.PodSeen(WATCHER, job, pod));
    }
}
