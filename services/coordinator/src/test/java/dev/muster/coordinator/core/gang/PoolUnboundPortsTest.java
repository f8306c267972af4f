package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.BackedPools.DELEGATED;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.onHost;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ports of pods on their nodes' network, whose nodes a backend alone will choose. */
class PoolUnboundPortsTest {
    private final Play play = BackedPools.play(DELEGATED);
    private final JobId a = job("a", 1);

    @Test
    void whatAScaleBringsMayComeToTheNodeOfTheOthers() {
        var two = spec("default", atLeast(2, onHost(role("worker", 2, 1))));
        play.on(new Event.Submitted(a, ElasticJobs.elastic(2, 4, two), null));
        play.on(new Event.PlanApplied(a, 1, false, List.of()));
        isBound(2);
        play.takeEffects();
        var out = new Change.ScaleOut("worker", 2, Change.Terms.PLAIN);
        play.on(new Event.ChangeAsked(a, out, new Event.Request("ml/a", "out")));
        play.passHeard(Jobs.PUBLISH_DELAY, 0);
        assertThat(ports(play.take(RunPlan.class).getLast()).toList())
                .hasSize(4)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    @Test
    void podsOfTwoJobsMayComeToOneNode() {
        var first = submitted(a, spec("default", onHost(role("worker", 8, 1))));
        isBound(8);
        // Begins its search where the first one has its last port.
        var second = submitted(job("b", 2), spec("default", onHost(role("worker", 8, 1))));
        assertThat(Stream.concat(ports(first), ports(second)).toList())
                .hasSize(16)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    private RunPlan submitted(JobId job, JobSpec spec) {
        play.on(new Event.Submitted(job, spec, null));
        return play.takeOne(RunPlan.class);
    }

    private void isBound(int pods) {
        for (int i = 0; i < pods; i++) {
            var pod = Fixtures.pod(OneJob.mark(i), 7, PodPhase.RUNNING, "node-0");
            play.on(new Event.PodSeen(WATCHER, a, pod));
        }
    }

    private static Stream<@Nullable Integer> ports(RunPlan plan) {
        return plan.pods().stream().map(PlannedPod::port);
    }
}
