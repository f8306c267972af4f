package dev.muster.coordinator.core.simulation;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.EarlierRuns;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What chance makes of containers that start again in their pods. */
record ContainerChance(Random random, LongSupplier versions, Set<String> known) {
    ContainerChance(Random random, LongSupplier versions) {
        this(random, versions, new HashSet<>());
    }

    /** What is seen so long from now. */
    record Due(long millis, Event event) {}

    /** The kubelet starts its container again, once or some times before anybody looks. */
    List<Due> byKubelet(JobId job, PodMark mark, String node) {
        var coming = new ArrayList<Due>();
        if (random.nextBoolean()) {
            coming.add(new Due(0, seen(job, pod(mark, PodPhase.RUNNING, node, 42))));
        }
        var runs =
                new EarlierRuns(
                        1 + random.nextInt(3), new ContainerEnd(random.nextInt(256), "Error", ""));
        var pod = Fixtures.again(pod(mark, PodPhase.RUNNING, node, null), runs);
        coming.add(new Due(random.nextInt(20_000), seen(job, pod)));
        return coming;
    }

    /**
     * What becomes of a pod whose kubelet starts its container again as often as that fails, which
     * alone is no end of it.
     */
    List<Due> untilItSucceeds(JobId job, PodMark mark, String node) {
        var coming = new ArrayList<Due>();
        long at = 0;
        EarlierRuns runs = null;
        for (int i = 1; random.nextInt(3) > 0 && i < 8; i++) {
            at += 1 + random.nextInt(i % 2 == 0 ? 2_000 : 20_000);
            int code = new int[] {1, 42, 137}[random.nextInt(3)];
            if (random.nextBoolean()) {
                var fell = Fixtures.unready(pod(mark, PodPhase.RUNNING, node, code));
                coming.add(new Due(at, seen(job, again(fell, runs))));
            }
            at += random.nextInt(2_000);
            runs = new EarlierRuns(i, new ContainerEnd(code, "Error", ""));
            coming.add(
                    new Due(at, seen(job, again(pod(mark, PodPhase.RUNNING, node, null), runs))));
        }
        boolean isEvicted = random.nextInt(12) == 0;
        var end =
                isEvicted
                        ? pod(mark, PodPhase.FAILED, node, 143)
                        : pod(mark, PodPhase.SUCCEEDED, node, 0);
        coming.add(new Due(at + 1 + random.nextInt(30_000), seen(job, again(end, runs))));
        return coming;
    }

    private static Pod again(Pod pod, @Nullable EarlierRuns runs) {
        return runs == null ? pod : Fixtures.again(pod, runs);
    }

    /**
     * It is asked for, each incarnation once: some requests come to nothing, and some end the pod.
     */
    List<Due> asked(int inPlace, JobId job, Pod there) {
        var coming = new ArrayList<Due>();
        if (inPlace == 0 || !known.add(there.mark().podUid() + "/" + inPlace)) {
            return coming;
        }
        var mark = there.mark();
        int fate = random.nextInt(4);
        // By a chance of its own, so that a seed's other fates stay what they were.
        var words = new Random(Objects.hash(mark.podUid(), inPlace));
        if (fate == 0 && words.nextBoolean() || words.nextInt(8) == 0) {
            var asked =
                    new PodMark(mark.rank(), mark.attempt(), inPlace, mark.plan(), mark.podUid());
            var givenUp = new Event.RestartFailed(WATCHER, job, asked, "pod has gone");
            coming.add(new Due(words.nextInt(60_000), givenUp));
            coming.add(new Due(words.nextInt(60_000), givenUp));
        }
        if (fate > 1) {
            int count = there.runs() == null ? 1 : there.runs().count() + 1;
            var runs = new EarlierRuns(count, new ContainerEnd(137, "Error", ""));
            var pod = Fixtures.again(pod(mark, PodPhase.RUNNING, there.node(), null), runs);
            coming.add(new Due(random.nextInt(5000), seen(job, pod)));
        }
        if (fate > 0) {
            var phase = fate == 1 ? PodPhase.FAILED : PodPhase.SUCCEEDED;
            var pod = pod(mark, phase, there.node(), fate == 1 ? 143 : 0);
            coming.add(new Due(5000 + random.nextInt(60_000), seen(job, pod)));
        }
        return coming;
    }

    private Pod pod(PodMark mark, PodPhase phase, String node, Integer exitCode) {
        return Fixtures.pod(mark, versions.getAsLong(), phase, node, exitCode);
    }

    private static Event seen(JobId job, Pod pod) {
        return new Event.PodSeen(WATCHER, job, pod);
    }
}
