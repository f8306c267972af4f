package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.placement.Repulsions.in;
import static dev.muster.coordinator.core.placement.Repulsions.labelled;
import static dev.muster.coordinator.core.placement.Repulsions.shunning;
import static dev.muster.coordinator.core.placement.Repulsions.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Operator;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Requirement;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of one job keep apart from those of another, whoever of them came first and asks for it. */
class PoolStrangersTest {
    private static final AntiAffinityTerm NOISY = in("app", "noisy");

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final JobId c = job("c", 3);
    private final JobId d = job("d", 4);
    private final JobId next = job("next", 5);

    private static JobSpec calm() {
        return workers(1, 1);
    }

    private static JobSpec noisy() {
        return labelled(calm(), "worker", "app", "noisy");
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private void node(String name, long cores) {
        play.on(Zones.node(name, "z", cores));
    }

    private String where(JobId id) {
        var rank = (Rank) play.rows(Row.Table.RANK).get(Rank.id(id, new RankId("worker", 0)));
        return rank == null ? "nowhere" : rank.making().node();
    }

    private WaitReason reason(JobId id) {
        return play.explain(id).orElseThrow().reasons().getFirst();
    }

    @Test
    void whoShunsAStandingPodGoesElsewhere() {
        submit(a, noisy());
        submit(b, shunning(calm(), NOISY));
        assertThat(where(a)).isEqualTo("node-0");
        assertThat(where(b)).isEqualTo("nowhere");
        assertThat(reason(b).code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(reason(b).message())
                .isEqualTo(
                        "enough is free in all, but spread over nodes: of 1 pods of role worker, 0 find a node for themselves; 1 with room has pods that it keeps apart from");
        assertThat(reason(b).remedy())
                .isEqualTo("room on a node without pods that role worker keeps apart from");
        assertThat(reason(b).nearest())
                .containsExactly(
                        new WaitReason.Lack(
                                "node-0",
                                "has pods of job ml/a, which role worker keeps apart from"));
        play.restart();
        node("node-1", 1);
        assertThat(where(b)).isEqualTo("node-1");
    }

    @Test
    void whomAStandingPodShunsGoesElsewhere() {
        submit(a, shunning(calm(), NOISY));
        submit(b, noisy());
        assertThat(where(a)).isEqualTo("node-0");
        assertThat(where(b)).isEqualTo("nowhere");
        assertThat(reason(b).nearest())
                .containsExactly(
                        new WaitReason.Lack(
                                "node-0",
                                "has pods of job ml/a, which keep apart from role worker"));
        play.restart();
        node("node-1", 1);
        assertThat(where(b)).isEqualTo("node-1");
    }

    @Test
    void endOfAPodLetsThoseInThatItKeptOff() {
        submit(a, shunning(calm(), NOISY));
        submit(b, noisy());
        var one = new OneJob(play, a);
        one.applied(false);
        one.see(0, PodPhase.RUNNING, null);
        play.restart();
        one.succeed(0);
        assertThat(where(b)).isEqualTo("node-0");
    }

    /** Its job was one like any other until somebody came who shuns its pods. */
    @Test
    void podThatHasEndedKeepsNobodyOffThoughItsJobGoesOn() {
        var both = List.of(role("master", 1, 1), role("worker", 1, 1));
        submit(a, labelled(Respec.of(calm(), both), "worker", "app", "noisy"));
        new OneJob(play, a).seeNewest(0, PodPhase.SUCCEEDED, 0);
        assertThat(play.job(a).state().isUp()).isTrue();
        submit(b, shunning(calm(), NOISY));
        assertThat(where(b)).isEqualTo("node-0");
    }

    @Test
    void otherJobsPassOneThatIsKeptOff() {
        submit(a, shunning(calm(), NOISY));
        submit(b, at(5, noisy()));
        submit(c, calm());
        assertThat(List.of(where(b), where(c))).containsExactly("nowhere", "node-0");
    }

    @Test
    void termFindsJobsThatWaitedAndRanBeforeItCame() {
        submit(a, noisy());
        submit(b, labelled(workers(1, 4), "worker", "app", "noisy"));
        submit(c, shunning(calm(), NOISY));
        assertThat(List.of(where(a), where(b), where(c)))
                .containsExactly("node-0", "nowhere", "nowhere");
        node("node-1", 5);
        // Both fit it, but not beside each other: the older one goes there.
        assertThat(List.of(where(b), where(c))).containsExactly("node-1", "nowhere");
        play.restart();
        node("node-2", 1);
        assertThat(where(c)).isEqualTo("node-2");
    }

    @Test
    void termOfAJobThatIsGoneKeepsNobodyOff() {
        submit(a, shunning(calm(), NOISY));
        submit(b, noisy());
        new OneJob(play, a).applied(false);
        play.on(Fixtures.cancel(a, "", null));
        assertThat(where(b)).isEqualTo("nowhere");
        new OneJob(play, a).applied(true);
        assertThat(where(b)).isEqualTo("node-0");
        play.passHeard(Duration.ofDays(2), 0);
        assertThat(play.rows(Row.Table.JOB)).doesNotContainKey(a.toString());
        play.restart();
        submit(c, noisy());
        assertThat(where(c)).isEqualTo("node-0");
    }

    @Test
    void jobsOfOneKindThatShunEachOtherGetANodeEach() {
        node("node-1", 4);
        var each = shunning(noisy(), NOISY);
        submit(a, each);
        submit(b, each);
        submit(c, each);
        assertThat(List.of(where(a), where(b), where(c)))
                .containsExactlyInAnyOrder("node-0", "node-1", "nowhere");
    }

    @Test
    void jobKeepsApartFromOthersAndNotFromItself() {
        submit(a, shunning(labelled(workers(2, 1), "worker", "app", "noisy"), NOISY));
        assertThat(play.ranks(a)).extracting(rank -> rank.making().node()).containsOnly("node-0");
    }

    @Test
    void podThatIsMadeAgainStaysWhereItIsAndKeepsOffTheOthers() {
        var again = failing(policy(Otherwise.POD), shunning(noisy(), NOISY));
        submit(a, again);
        submit(b, noisy());
        var one = new OneJob(play, a);
        one.applied(false);
        one.see(0, PodPhase.RUNNING, null);
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        Fixtures.pod(one.newest(0), 900, PodPhase.FAILED, where(a), 137)));
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        var made = play.ranks(a).getFirst().making();
        assertThat(made.incarnation()).isEqualTo(2);
        assertThat(List.of(made.node(), where(b))).containsExactly("node-0", "nowhere");
    }

    @Test
    void podThatIsMadeAgainGoesToWhereNobodyKeepsItOff() {
        node("node-1", 1);
        submit(a, failing(policy(Otherwise.POD), workers(1, 1)));
        assertThat(where(a)).isEqualTo("node-1");
        submit(b, shunning(calm(), in(AntiAffinityTerm.JOB, "a")));
        assertThat(where(b)).isEqualTo("node-0");
        var one = new OneJob(play, a);
        one.applied(false);
        one.see(0, PodPhase.RUNNING, null);
        play.on(Zones.cordoned("node-1", "z", 1));
        one.fail(0, 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(where(a)).isEqualTo("node-1");
        assertThat(reason(a).message()).contains("1 with room has pods that it keeps apart from");
        play.restart();
        node("node-2", 1);
        assertThat(where(a)).isEqualTo("node-2");
    }

    private String held() {
        return play.rows.getOrDefault(Row.Table.HOLD_ROOM, new TreeMap<>()).values().stream()
                .map(room -> ((Hold.Room) room).node())
                .collect(Collectors.joining(" "));
    }

    /** One of two kinds that keep apart, whoever of them asks for it. */
    private static JobSpec oneKind(boolean shuns) {
        return shuns ? noisy() : shunning(calm(), NOISY);
    }

    private static JobSpec otherKind(boolean shuns, JobSpec spec) {
        return shuns ? shunning(spec, NOISY) : labelled(spec, "worker", "app", "noisy");
    }

    private void end(JobId id) {
        var one = new OneJob(play, id);
        one.gone(0);
        one.applied(true);
    }

    /** What is free there soonest is of no use to it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHoldsWaitsWhereNobodyKeepsHimOff(boolean shuns) {
        submit(a, oneKind(shuns));
        submit(c, workers(1, 1));
        node("node-1", 4);
        submit(d, workers(1, 4));
        assertThat(List.of(where(a), where(c), where(d)))
                .containsExactly("node-0", "node-0", "node-1");
        submit(b, otherKind(shuns, workers(1, 3)));
        play.passHeard(Duration.ofMinutes(11), 0);
        assertThat(held()).isEqualTo("node-1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHoldsWaitsElsewhereWhenSomebodyComesWhoKeepsHimOff(boolean shuns) {
        submit(a, workers(1, 4));
        node("node-1", 5);
        new OneJob(play, c).runs(workers(1, 4));
        node("node-2", 5);
        submit(d, workers(1, 4));
        submit(b, otherKind(shuns, workers(2, 4)));
        play.passHeard(Duration.ofMinutes(11), 0);
        assertThat(held()).isEqualTo("node-0 node-1");
        new OneJob(play, c).succeed(0);
        submit(next, at(9, oneKind(shuns)));
        assertThat(where(next)).isEqualTo("node-1");
        assertThat(held()).isEqualTo("node-0 node-2");
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(held()).isEqualTo("node-0 node-2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void othersEndForWhoHoldsWhenSomebodyComesWhoKeepsHimOff(boolean shuns) {
        var rules = new PoolSpec.Preemption(Mode.LOWER_PRIORITY, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        new OneJob(play, a).runs(workers(1, 4));
        play.pass(Duration.ofSeconds(1));
        node("node-1", 5);
        new OneJob(play, c).runs(workers(1, 5));
        play.pass(Duration.ofSeconds(1));
        node("node-2", 5);
        new OneJob(play, d).runs(workers(1, 5));
        submit(b, at(5, otherKind(shuns, workers(2, 4))));
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(ended()).containsExactly(d, c);
        end(c);
        play.passHeard(Duration.ofSeconds(2), 0);
        submit(next, at(9, oneKind(shuns)));
        assertThat(where(next)).isEqualTo("node-1");
        assertThat(ended()).as("with that very event").containsExactly(a);
        assertThat(held()).isEqualTo("node-0 node-2");
        end(a);
        end(d);
        assertThat(play.ranks(b))
                .extracting(rank -> rank.making().node())
                .containsExactlyInAnyOrder("node-0", "node-2");
    }

    private List<JobId> ended() {
        return play.take(Effect.Preempted.class).stream().map(Effect.Preempted::job).toList();
    }

    @Test
    void whoHoldsHasThoseEndedThatKeepItOff() {
        var rules = new PoolSpec.Preemption(Mode.LOWER_PRIORITY, Duration.ofMinutes(1), 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        var low = new OneJob(play, a);
        low.runs(shunning(calm(), NOISY));
        submit(b, at(5, noisy()));
        play.passHeard(Duration.ofMinutes(11), 0);
        assertThat(play.take(Effect.Preempted.class))
                .extracting(Effect.Preempted::job)
                .containsExactly(a);
        assertThat(where(b)).isEqualTo("nowhere");
        low.gone(0);
        low.applied(true);
        assertThat(where(b)).isEqualTo("node-0");
    }

    @Test
    void termMeansItsNamespacesAlone() {
        var other = new JobId("other", "b", new Uid(0, 2));
        submit(a, shunning(calm(), NOISY));
        submit(other, noisy());
        assertThat(where(other)).isEqualTo("node-0");
        submit(b, shunning(calm(), in(Set.of("other"), "app", "noisy")));
        assertThat(where(b)).isEqualTo("nowhere");
        var d = job("d", 4);
        submit(d, shunning(calm(), in(Set.of(), "app", "noisy")));
        assertThat(where(d)).isEqualTo("nowhere");
    }

    @Test
    void termSelectsAsKubernetesDoes() {
        submit(a, noisy());
        var id = 2;
        for (var kept :
                List.of(
                        term(),
                        term(new Requirement("app", Operator.EXISTS, List.of())),
                        term(new Requirement("app", Operator.NOT_IN, List.of("calm"))),
                        term(new Requirement("tier", Operator.DOES_NOT_EXIST, List.of())),
                        in(AntiAffinityTerm.JOB, "x", "a"),
                        in(AntiAffinityTerm.ROLE, "worker"))) {
            var next = job("j" + id, id++);
            submit(next, shunning(calm(), kept));
            assertThat(where(next)).as(kept.toString()).isEqualTo("nowhere");
            play.on(Fixtures.cancel(next, "", null));
        }
        for (var free :
                List.of(
                        term(new Requirement("app", Operator.DOES_NOT_EXIST, List.of())),
                        term(new Requirement("app", Operator.NOT_IN, List.of("noisy"))),
                        in(AntiAffinityTerm.JOB, "b"))) {
            var next = job("j" + id, id++);
            submit(next, shunning(labelled(calm(), "worker", "app", "noisy"), free));
            assertThat(where(next)).as(free.toString()).isEqualTo("node-0");
            play.on(Fixtures.cancel(next, "", null));
            play.passHeard(Duration.ofMinutes(2), 0);
        }
    }
}
