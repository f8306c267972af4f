package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.placement.Apart;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pods of one role keep apart from those of another, whenever they come. */
class PoolApartTest {
    private final Play play = Play.withNodes();
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private void node(String name, long cores) {
        play.on(Zones.node(name, "z", cores));
    }

    private String where(String role, int index) {
        var rank = (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, new RankId(role, index)));
        return rank == null ? "nowhere" : rank.making().node();
    }

    private List<String> workers() {
        return List.of(where("worker", 0), where("worker", 1));
    }

    private WaitReason reason() {
        return play.explain(a).orElseThrow().reasons().getFirst();
    }

    private void submitted(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
    }

    private void see(String role, int index, int making, PodPhase phase, @Nullable Integer exit) {
        var mark = Fixtures.mark(role, index, making);
        var node = where(role, index);
        var pod = Fixtures.pod(mark, one.nextVersion(), phase, node, exit);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    private static JobSpec.Role aloof(JobSpec.Role role) {
        return Apart.from(role, Apart.all("worker"));
    }

    @Test
    void gangStartsWhereItsRolesFindNodesOfTheirOwn() {
        node("n1", 8);
        submitted(spec("default", aloof(role("master", 1, 1)), role("worker", 2, 1)));
        assertThat(reason().code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(reason().message())
                .isEqualTo(
                        "enough is free in all, and each role would find room if it were alone; all together do not fit the nodes, as pods keep apart from each other: master, worker");
        assertThat(reason().remedy()).startsWith("more nodes: it does not fit the empty pool");
        play.restart();
        node("n2", 8);
        assertThat(where("master", 0)).isNotEqualTo("nowhere");
        assertThat(workers()).doesNotContain(where("master", 0), "nowhere");
    }

    @Test
    void placeIsFoundWhereTheFirstChoiceLeavesNone() {
        node("n1", 2);
        node("n2", 3);
        node("n3", 1);
        // Two masters fit beside each other on n1 alone, if the workers are to have the others.
        submitted(spec("default", aloof(role("master", 2, 1)), role("worker", 4, 1)));
        assertThat(List.of(where("master", 0), where("master", 1))).containsExactly("n1", "n1");
    }

    @Test
    void whatComesLaterKeepsOffWhoAskedForIt() {
        node("n1", 8);
        node("n2", 2);
        submitted(spec("default", aloof(role("master", 1, 7)), atLeast(1, role("worker", 3, 1))));
        assertThat(where("master", 0)).isEqualTo("n1");
        assertThat(workers()).containsExactly("n2", "n2");
        assertThat(where("worker", 2)).isEqualTo("nowhere");
        one.applied(false);
        assertThat(reason().code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(reason().message())
                .isEqualTo(
                        "worker has 2 of 3 that are wished: enough is free in all, but spread over nodes: of 1 pods of role worker, 0 find a node for themselves; 1 with room has pods that it keeps apart from");
        assertThat(reason().remedy())
                .isEqualTo("room on a node without pods that role worker keeps apart from");
        assertThat(reason().nearest().getFirst())
                .isEqualTo(new WaitReason.Lack("n1", "has pods that role worker keeps apart from"));
        play.restart();
        node("n3", 1);
        assertThat(where("worker", 2)).isEqualTo("n3");
    }

    @Test
    void podThatIsMadeAgainKeepsOffTheOthersToo() {
        node("n1", 4);
        node("n2", 4);
        submitted(
                failing(
                        policy(Otherwise.POD),
                        spec("default", aloof(role("master", 1, 2)), role("worker", 1, 1))));
        var mastersOwn = where("master", 0);
        one.applied(false);
        see("master", 0, 1, PodPhase.RUNNING, null);
        see("worker", 0, 2, PodPhase.RUNNING, null);
        play.on(Zones.cordoned(mastersOwn, "z", 4));
        see("master", 0, 1, PodPhase.FAILED, 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(where("master", 0)).isEqualTo(mastersOwn);
        assertThat(reason().message()).contains("1 with room has pods that it keeps apart from");
        play.restart();
        node("n3", 2);
        assertThat(where("master", 0)).isEqualTo("n3");
    }

    @Test
    void laterStageKeepsOffThoseThatStillStand() {
        node("n1", 8);
        var eval = Fixtures.after("data", JobSpec.Milestone.SUCCEEDED, role("eval", 1, 1));
        submitted(spec("default", role("worker", 1, 1), role("data", 1, 1), aloof(eval)));
        one.applied(false);
        see("worker", 0, 1, PodPhase.RUNNING, null);
        see("data", 0, 2, PodPhase.RUNNING, null);
        see("data", 0, 2, PodPhase.SUCCEEDED, 0);
        assertThat(where("eval", 0)).isEqualTo("nowhere");
        assertThat(reason().message())
                .startsWith("eval waits: enough is free in all")
                .endsWith("1 with room has pods that it keeps apart from");
        node("n2", 1);
        assertThat(where("eval", 0)).isEqualTo("n2");
    }

    @Test
    void whoHasSucceededIsInNobodysWay() {
        node("n1", 2);
        var eval = Fixtures.after("worker", JobSpec.Milestone.SUCCEEDED, role("eval", 1, 1));
        submitted(spec("default", role("worker", 1, 1), aloof(eval)));
        one.applied(false);
        see("worker", 0, 1, PodPhase.RUNNING, null);
        see("worker", 0, 1, PodPhase.SUCCEEDED, 0);
        assertThat(where("eval", 0)).isEqualTo("n1");
    }

    @Test
    void onlyTheIndicesMeantKeepApart() {
        node("n1", 3);
        node("n2", 1);
        var first = new RankRange("worker", 0, 1);
        submitted(spec("default", Apart.from(role("worker", 4, 1), first)));
        assertThat(where("worker", 0)).isEqualTo("n2");
        assertThat(List.of(where("worker", 1), where("worker", 2), where("worker", 3)))
                .containsOnly("n1");
    }
}
