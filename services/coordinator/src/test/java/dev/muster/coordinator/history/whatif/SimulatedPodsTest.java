package dev.muster.coordinator.history.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Grouping;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pods of a job among many of others that have ended. */
class SimulatedPodsTest {
    private static final JobId JOB = Fixtures.job("a", 1);

    /** Their names, and what is made of those, begin alike. */
    private static final List<JobId> OTHERS =
            Stream.of(
                            Stream.of(Fixtures.job("a", 10), Fixtures.job("a-b", 1)),
                            Stream.of(Fixtures.job("a.b", 1), Fixtures.job("aa", 1)),
                            Stream.iterate(2L, i -> i + 1)
                                    .limit(200)
                                    .map(i -> Fixtures.job("j" + i, i)))
                    .flatMap(jobs -> jobs)
                    .toList();

    private final SimulatedPods pods = new SimulatedPods();

    @BeforeEach
    void make() {
        for (var other : OTHERS) {
            for (var pod : List.of(pod(0, 1), pod(1, 2))) {
                var mark = made(other, pod);
                pods.see(other, SimulatedPods.pod(mark, 2, PodPhase.SUCCEEDED, "n1"));
            }
        }
        made(JOB, pod(10, 3));
        made(JOB, pod(1, 2));
        made(JOB, pod(1, 4));
        made(JOB, pod(0, 1));
    }

    private static Effect.PlannedPod pod(int index, int incarnation) {
        return new Effect.PlannedPod(
                new RankId("worker", index), incarnation, "n1", null, 0, false, 0);
    }

    private PodMark made(JobId job, Effect.PlannedPod pod) {
        return Objects.requireNonNull(pods.make(plan(job, pod), pod));
    }

    private static Effect.RunPlan plan(JobId job, Effect.PlannedPod... planned) {
        return new Effect.RunPlan(
                job,
                1,
                1,
                "q",
                List.of(planned),
                PoolSpec.Spot.NONE,
                Grouping.NONE,
                0,
                0,
                null,
                0,
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                List.of(),
                false);
    }

    private static List<String> names(List<SimulatedPods.Made> made) {
        return made.stream()
                .map(one -> one.job() + "/" + one.mark().rank() + "/" + one.mark().incarnation())
                .toList();
    }

    private static String name(String pod) {
        return JOB + "/" + pod;
    }

    @Test
    void listNamesThoseOfItsJobInTheirOrder() {
        assertThat(pods.listed(JOB))
                .extracting(pod -> pod.mark().rank() + "/" + pod.mark().incarnation())
                .containsExactly("worker-0/1", "worker-1/2", "worker-1/4", "worker-10/3");
    }

    @Test
    void olderThanOneAreThoseOfItsRankThatWereMadeBefore() {
        var mark = new PodMark(new RankId("worker", 1), 1, 4, 1, "u");
        assertThat(names(pods.olderThan(JOB, mark))).containsExactly(name("worker-1/2"));
    }

    @Test
    void whoIsInNoPlanIsOfItsJob() {
        assertThat(names(pods.unplanned(plan(JOB, pod(1, 4)))))
                .containsExactly(name("worker-0/1"), name("worker-10/3"));
    }

    @Test
    void stopTakesThoseOfItsJobThatHaveNotEnded() {
        var ended = new PodMark(new RankId("worker", 0), 1, 1, 1, "u");
        pods.see(JOB, SimulatedPods.pod(ended, 2, PodPhase.SUCCEEDED, "n1"));
        var stop = new Order.Stop(Keep.FINISHED, Duration.ZERO, false);
        var plan = new Effect.StopPlan(JOB, 1, 2, "q", stop, PoolSpec.Backend.NONE, List.of());
        assertThat(names(pods.stopped(plan)))
                .containsExactly(name("worker-1/2"), name("worker-1/4"), name("worker-10/3"));
    }
}
