package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.behindAll;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.DependsOn;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stages that come later are reserved with all that waits for them to run. */
class PoolJointStagesTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    @Test
    void laterStageIsReservedWithWhatWaitsForItToRun() {
        submit(a, chain());
        succeed(a, "data");
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(planned(a)).containsExactly("master-0");
        submit(b, workers(6, 1));
        assertThat(pods(a)).isEqualTo(4);
        assertThat(pods(b)).isZero();
        see(a, "master", PodPhase.RUNNING, null);
        assertThat(planned(a)).containsExactly("master-0", "worker-0", "worker-1");
        play.takeEffects();
        play.passHeard(Duration.ofMinutes(4), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
    }

    @Test
    void twoLaterStagesNeverEachHoldAPart() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 3)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        submit(a, chain());
        submit(b, chain());
        succeed(a, "data");
        succeed(b, "data");
        play.restart();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(List.of(pods(a), pods(b))).containsExactly(4, 1);
        succeed(a, "master");
        succeed(a, "worker");
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(pods(b)).isEqualTo(4);
    }

    @Test
    void whatWaitsForASuccessOfALaterStageIsNotReservedWithIt() {
        submit(
                a,
                spec(
                        "default",
                        role("data", 1, 1),
                        after("data", Milestone.SUCCEEDED, role("master", 1, 1)),
                        after("master", Milestone.SUCCEEDED, role("worker", 2, 1))));
        succeed(a, "data");
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(planned(a)).containsExactly("master-0");
        assertThat(pods(a)).isEqualTo(2);
        succeed(a, "master");
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(pods(a)).isEqualTo(4);
    }

    @Test
    void roleBehindASuccessAndARunIsReservedOnceTheFormerIsThere() {
        submit(
                a,
                spec(
                        "default",
                        role("data", 1, 1),
                        role("master", 1, 1),
                        behindAll(
                                role("worker", 2, 1),
                                new DependsOn("data", Milestone.SUCCEEDED),
                                new DependsOn("master", Milestone.RUNNING))));
        assertThat(pods(a)).isEqualTo(2);
        succeed(a, "data");
        submit(b, workers(6, 1));
        assertThat(pods(a)).isEqualTo(4);
        assertThat(pods(b)).isZero();
        see(a, "master", PodPhase.RUNNING, null);
        assertThat(planned(a)).contains("worker-0", "worker-1");
    }

    @Test
    void laterStageWaitsForRoomForAllThatIsReservedWithIt() {
        submit(a, chain());
        see(a, "data", PodPhase.RUNNING, null);
        submit(b, workers(6, 1));
        see(a, "data", PodPhase.SUCCEEDED, 0);
        assertThat(pods(a)).isEqualTo(1);
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly("master and worker wait: needs 3 of cpu, 2 are free");
    }

    private static JobSpec chain() {
        return spec(
                "default",
                role("data", 1, 1),
                after("data", Milestone.SUCCEEDED, role("master", 1, 1)),
                after("master", Milestone.RUNNING, role("worker", 2, 1)));
    }

    private void succeed(JobId id, String role) {
        see(id, role, PodPhase.RUNNING, null);
        see(id, role, PodPhase.SUCCEEDED, 0);
    }

    /** Pods of the newest plan that have not ended. */
    private List<String> planned(JobId id) {
        return plan(id).pods().stream()
                .map(pod -> pod.rank().toString())
                .filter(rank -> !rank.startsWith("data"))
                .toList();
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private RunPlan plan(JobId id) {
        return play.take(RunPlan.class).stream()
                .filter(plan -> plan.job().equals(id))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private int pods(JobId id) {
        return play.ranks(id).size();
    }

    private void see(JobId id, String role, PodPhase phase, Integer exitCode) {
        for (var rank : List.copyOf(play.ranks(id))) {
            if (rank.id().role().equals(role)) {
                int incarnation = rank.making().incarnation();
                var mark = Fixtures.mark(role, rank.id().index(), incarnation);
                var node = rank.making().node();
                play.on(
                        new Event.PodSeen(
                                WATCHER, id, Fixtures.pod(mark, 9, phase, node, exitCode)));
            }
        }
    }
}
