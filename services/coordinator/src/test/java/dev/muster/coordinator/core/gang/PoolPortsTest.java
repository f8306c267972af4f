package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.onHost;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ports of pods that are on their nodes' network. */
class PoolPortsTest {
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();

    private final Play play = Play.withNodes(2, 2);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void ranksOnOneNodeHaveOneEach() {
        assertThat(ports(submitted(a, spec("default", onHost(role("worker", 4, 1))))))
                .doesNotContainNull()
                .hasSize(4);
        assertThat(one.rank(0).making().node()).isEqualTo(one.rank(1).making().node());
        assertThat(one.rank(0).making().port()).isNotEqualTo(one.rank(1).making().port());
        assertThat(one.rank(2).making().port()).isEqualTo(one.rank(0).making().port());
    }

    @Test
    void whoHasAnAddressOfItsOwnNeedsNone() {
        assertThat(ports(submitted(a, spec("default", role("worker", 2, 1)))))
                .containsExactly(null, null);
    }

    @Test
    void twoJobsMeetWithoutAClash() {
        var wide = Play.withNodes(100);
        for (int i = 0; i < 40; i++) {
            var job = job("j" + i, i * 1430L);
            wide.on(new Event.Submitted(job, spec("default", onHost(role("worker", 2, 1))), null));
        }
        var all = wide.take(RunPlan.class).stream().flatMap(plan -> plan.pods().stream());
        assertThat(all.map(PlannedPod::port).toList()).hasSize(80).doesNotHaveDuplicates();
    }

    @Test
    void portOfRankZeroIsToldBeforeItsPodIsOrdered() {
        var last = after("worker", Milestone.RUNNING, onHost(role("master", 1, 1)));
        play.on(new Event.Submitted(a, spec("default", last, role("worker", 2, 1)), null));
        var first = play.takeOne(RunPlan.class);
        assertThat(first.pods()).extracting(pod -> pod.rank().role()).doesNotContain("master");
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        var master = planned(play.takeOne(RunPlan.class), "master");
        assertThat(first.ports()).containsExactly(Map.entry("master", master.port()));
    }

    private static PlannedPod planned(RunPlan plan, String role) {
        return plan.pods().stream()
                .filter(pod -> pod.rank().role().equals(role))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aRankThatIsMadeAgainListensWhereTheOthersWereTold() {
        one.runs(failing(policy(Otherwise.POD), spec("default", onHost(role("worker", 2, 1)))));
        var before = one.rank(1).making();
        one.fail(1, 137);
        play.passHeard(SETTLE.plusSeconds(11), 0);
        var again = one.rank(1).making();
        assertThat(again.incarnation()).isGreaterThan(before.incarnation());
        assertThat(again.port()).isEqualTo(before.port());
    }

    @Test
    void aRankGoesOnlyWhereItsPortIsFree() {
        var three = Play.withNodes(1, 1, 3);
        var first = new OneJob(three, a);
        first.runs(failing(policy(Otherwise.POD), spec("default", onHost(role("worker", 1, 1)))));
        var port = first.rank(0).making().port();
        var other = job("b", 10_001); // Begins its search where the first one did.
        three.on(new Event.Submitted(other, spec("default", onHost(role("worker", 1, 1))), null));
        var its = three.takeOne(RunPlan.class).pods().getFirst();
        assertThat(its.port()).isEqualTo(port);
        assertThat(its.node()).isEqualTo("node-1");
        three.on(new Event.NodeReleased(WATCHER, "node-0"));
        first.gone(0);
        three.passHeard(SETTLE.plusSeconds(11), 0);
        assertThat(first.rank(0).making().node()).isEqualTo("node-2");
        assertThat(first.rank(0).making().port()).isEqualTo(port);
    }

    @Test
    void portOfARankThatComesBackIsNobodyElses() {
        var single = Play.withNodes(2);
        var first = new OneJob(single, a);
        first.runs(failing(policy(Otherwise.POD), spec("default", onHost(role("worker", 1, 1)))));
        var before = first.rank(0).making();
        first.fail(0, 137);
        var other = job("b", 10_001); // Begins its search where the first one did.
        single.on(new Event.Submitted(other, spec("default", onHost(role("worker", 1, 1))), null));
        var its = single.takeOne(RunPlan.class).pods().getFirst();
        assertThat(its.node()).isEqualTo(before.node());
        assertThat(its.port()).isNotEqualTo(before.port());
        single.restart();
        single.passHeard(SETTLE.plusSeconds(11), 0);
        var again = first.rank(0).making();
        assertThat(again.incarnation()).isGreaterThan(before.incarnation());
        assertThat(again.node()).isEqualTo(before.node());
        assertThat(again.port()).isEqualTo(before.port());
    }

    @Test
    void portOfARankThatIsDoneIsFree() {
        var single = Play.withNodes(2);
        var first = new OneJob(single, a);
        first.runs(spec("default", onHost(role("worker", 2, 1))));
        var before = first.rank(0).making().port();
        first.succeed(0);
        var other = job("b", 10_001);
        single.on(new Event.Submitted(other, spec("default", onHost(role("worker", 1, 1))), null));
        assertThat(single.takeOne(RunPlan.class).pods().getFirst().port()).isEqualTo(before);
    }

    @Test
    void theNextAttemptListensElsewhere() {
        one.runs(spec("default", onHost(role("worker", 1, 1))));
        var before = one.rank(0).making().port();
        one.fail(0, 1);
        play.passHeard(SETTLE, 0);
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.takeOne(RunPlan.class).attempt()).isEqualTo(2);
        assertThat(one.rank(0).making().port()).isNotEqualTo(before);
    }

    private RunPlan submitted(JobId job, JobSpec spec) {
        play.on(new Event.Submitted(job, spec, null));
        return play.takeOne(RunPlan.class);
    }

    private static List<@Nullable Integer> ports(RunPlan plan) {
        return plan.pods().stream().<@Nullable Integer>map(PlannedPod::port).toList();
    }
}
