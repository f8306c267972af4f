package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Event.Pod;
import dev.muster.coordinator.core.Event.PodMark;
import dev.muster.coordinator.core.Event.PodPhase;
import dev.muster.coordinator.core.Event.Witness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Small words for tests of the core. */
final class Fixtures {
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    static final Witness WATCHER = new Witness(0, 1, 100);
    static final QueueSpec QUEUE = new QueueSpec(1, false, true, 1000);

    private Fixtures() {}

    static JobId job(String name, long offset) {
        return new JobId("ml", name, new Uid(0, offset));
    }

    static Amounts cpu(long cores) {
        return Amounts.of(Map.of("cpu", cores * 1000, "pods", 1L));
    }

    static Node node(String name, long cores) {
        return new Node(
                name,
                1,
                new TreeMap<>(Map.of("kubernetes.io/hostname", name)),
                List.of(),
                false,
                true,
                Amounts.of(Map.of("cpu", cores * 1000, "pods", 110L)),
                0);
    }

    static JobSpec.Role role(String name, int replicas, long cores) {
        return new JobSpec.Role(name, replicas, cpu(cores), NodeFilter.ANY, JobSpec.Restart.NEVER);
    }

    static JobSpec spec(String queue, JobSpec.Role... roles) {
        return new JobSpec(
                queue,
                0,
                List.of(roles),
                new JobSpec.Success.All(),
                JobSpec.Cleanup.RUNNING,
                Duration.ofMinutes(5),
                Duration.ofHours(24),
                Duration.ofSeconds(30));
    }

    static JobSpec workers(int replicas, long cores) {
        return spec("default", role("worker", replicas, cores));
    }

    static PodMark mark(String role, int index, int incarnation) {
        return new PodMark(
                new RankId(role, index), 1, incarnation, 1, "pod-" + role + index + incarnation);
    }

    static Pod pod(PodMark mark, long resourceVersion, PodPhase phase, String node) {
        return pod(mark, resourceVersion, phase, node, null);
    }

    static Pod pod(
            PodMark mark,
            long resourceVersion,
            PodPhase phase,
            @Nullable String node,
            @Nullable Integer exitCode) {
        var end = exitCode == null ? null : new Event.ContainerEnd(exitCode, "", "");
        return new Pod(
                mark,
                resourceVersion,
                phase,
                node,
                phase == PodPhase.RUNNING,
                false,
                phase == PodPhase.PENDING && node == null,
                end,
                "",
                "");
    }

    static Tally tally(int desired, int running, int succeeded, Tally.@Nullable Failure failure) {
        int failed = failure == null ? 0 : 1;
        int created = running + succeeded + failed;
        return new Tally(
                List.of(
                        new Tally.OfRole(
                                "worker", desired, created, running, running, succeeded, failed)),
                failure);
    }

    static List<RankId> ranks(String role, int count) {
        return IntStream.range(0, count).mapToObj(i -> new RankId(role, i)).toList();
    }
}
