package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.together;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Sweep;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gang whose total is above its roles' minima starts with any mix of roles that is enough. */
class PoolMixesTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    /** Four of at most eight pods: three large ones and a small one, if there is room. */
    private static final JobSpec GANG =
            together(4, spec("default", atLeast(1, role("large", 4, 3)), atLeast(1, small())));

    private static JobSpec.Role small() {
        return role("small", 4, 1);
    }

    @Test
    void firstRolesHaveAsManyAsCanBe() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        play.on(new Event.Submitted(a, GANG, null));
        assertThat(pods(a)).startsWith("large-0", "large-1", "large-2", "small-0");
    }

    @Test
    void othersTakeTheirPlaceWhereThereIsNoRoomForThose() {
        play.on(new Event.Submitted(a, GANG, null));
        assertThat(pods(a)).containsExactly("large-0", "large-1", "small-0", "small-1");
    }

    /** Turns try its mixes only once it is resumed: whoever asks before is told what comes then. */
    @Test
    void suspendedJobIsSaidToFitWithWhateverMixItWouldStart() {
        play.on(new Event.Submitted(a, Fixtures.suspended(GANG), null));
        var asked = play.explain(a).orElseThrow();
        assertThat(asked.outlook().fits()).isTrue();
        assertThat(asked.reasons()).isEmpty();
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(pods(a)).containsExactly("large-0", "large-1", "small-0", "small-1");
    }

    @Test
    void whatCameFreeIsEnoughForOneMixOrAnother() {
        play.on(new Event.Submitted(b, workers(2, 4), null));
        play.on(new Event.Submitted(a, GANG, null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 6)));
        assertThat(pods(a)).containsExactly("large-0", "small-0", "small-1", "small-2");
    }

    @Test
    void howeverManyOfAQueueThatIsPausedAreOlder() {
        play.on(new Event.QueuePut("rests", QueueSpecs.queue(1, true, true, 1000), null));
        for (int i = 0; i < 40; i++) {
            play.on(new Event.Submitted(job("p" + i, 10 + i), gang("rests", i), null));
        }
        play.on(new Event.Submitted(a, GANG, null));
        assertThat(pods(a)).containsExactly("large-0", "large-1", "small-0", "small-1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void howeverManyThatAreOlderFitWithNoMix(boolean alike) {
        for (int i = 0; i < 200; i++) {
            var stuck = gang("default", alike ? 0 : i);
            play.on(new Event.Submitted(job("s" + i, 10 + i), stuck, null));
        }
        play.restart();
        play.on(new Event.Submitted(a, GANG, null));
        for (int i = 0; i < 40; i++) {
            play.restart();
            play.goOn();
        }
        assertThat(pods(a)).containsExactly("large-0", "large-1", "small-0", "small-1");
        assertThat(play.rows(Row.Table.SWEEP).values())
                .allMatch(row -> ((Sweep) row).mixes() == null);
    }

    /** It was looked at before, and is none of those that every round looks at. */
    @Test
    void roomThatComesWhileTheOthersAreLookedThroughIsHeeded() {
        stuck(10, 40);
        var large = atLeast(1, role("large", 4, 300));
        var job = together(4, spec("default", large, atLeast(1, role("small", 4, 100))));
        play.on(new Event.Submitted(a, job, null));
        stuck(100, 150);
        play.onStep(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 1)));
        while (lookedAt() <= play.job(a).ticket()) {
            assertThat(play.onStep().more()).isTrue();
        }
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 700)));
        assertThat(pods(a)).contains("large-0").doesNotContain("large-1");
    }

    private long lookedAt() {
        return play.rows(Row.Table.SWEEP).values().stream()
                .map(row -> ((Sweep) row).mixes())
                .mapToLong(mixes -> mixes == null ? 0 : mixes.after())
                .sum();
    }

    private void stuck(int first, int count) {
        for (int i = first; i < first + count; i++) {
            play.on(new Event.Submitted(job("s" + i, i), gang("default", i), null));
        }
    }

    /** Too large for the nodes that there are. */
    private static JobSpec gang(String queue, int kind) {
        var large = atLeast(1, role("large", 4, 5000 + kind));
        return together(4, spec(queue, large, atLeast(1, role("small", 4, 5000))));
    }

    /** Each of them gets the mix that could still fit, and none of them starts. */
    @Test
    void mixesOfManyAreChosenInSteps() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, false, true, 10_000), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 64)));
        for (int i = 0; i < 3; i++) {
            play.on(new Event.Submitted(job("b" + i, 1 + i), workers(1, i == 0 ? 64 : 4), null));
        }
        for (int i = 0; i < 2500; i++) {
            play.on(new Event.Submitted(job("w" + i, 10 + i), GANG, null));
        }
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-2", 64)));
        play.goOn();
        assertThat(play.job(job("w2499", 2509)).spec().gang().mix()).containsExactly(1, 1);
        assertThat(play.mostRows()).isLessThan(2100);
    }

    @Test
    void quotaMayLeaveNoOtherMix() {
        play.on(new Event.QueuePut("default", QueueSpecs.limited(6), null));
        play.on(new Event.Submitted(a, GANG, null));
        assertThat(pods(a)).containsExactly("large-0", "small-0", "small-1", "small-2");
    }

    /** The mix with which it started is its minimum from then on. */
    @Test
    void runsOnceThatMixDoes() {
        play.on(new Event.Submitted(a, GANG, null));
        allRun();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(ranks(a)).extracting(Rank::state).containsOnly(RankState.RUNNING);
    }

    private void allRun() {
        new OneJob(play, a).applied(false);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        long version = 100;
        for (var rank : ranks(a)) {
            var making = rank.making();
            var mark = Fixtures.mark(rank.id().role(), rank.id().index(), making.incarnation());
            var node = making.node();
            play.on(
                    new Event.PodSeen(
                            WATCHER,
                            a,
                            Fixtures.pod(mark, version++, PodPhase.RUNNING, node, null)));
        }
    }

    private static JobSpec ofFive() {
        var workers = atLeast(1, role("worker", 5, 1));
        var spec = together(5, spec("default", atLeast(1, role("large", 5, 3)), workers));
        return ElasticJobs.elastic(1, 5, spec);
    }

    private void scale(int workers) {
        play.on(
                new Event.ChangeAsked(
                        a, new Change.SetReplicas("worker", workers, Change.Terms.PLAIN), null));
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }

    /** Only one of the large ones has come. */
    @Test
    void jobDoesNotShrinkBelowItsTotalByPodsThatItHasNotGot() {
        play.on(new Event.Submitted(a, ofFive(), null));
        assertThat(pods(a)).hasSize(6).doesNotContain("large-1");
        allRun();
        scale(3);
        assertThat(wished()).isEqualTo(5);
        scale(4);
        assertThat(wished()).isEqualTo(4);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    /** Its minimum never comes to be pods that it has not got. */
    @Test
    void jobThatShrinksKeepsOfItsMixWhatItHas() {
        play.on(new Event.Submitted(a, ofFive(), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 3)));
        assertThat(pods(a)).hasSize(7).contains("large-1").doesNotContain("large-2");
        allRun();
        scale(3);
        assertThat(wished()).isEqualTo(3);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void everyRoleHasItsMinimumInAnyCase() {
        var small = Play.withNodes(2, 2);
        small.on(new Event.Submitted(a, GANG, null));
        assertThat(small.job(a).state()).isInstanceOf(JobState.Queued.class);
    }

    private List<Rank> ranks(JobId job) {
        return play.ranks(job);
    }

    private List<String> pods(JobId job) {
        return ranks(job).stream().map(rank -> rank.id().toString()).sorted().toList();
    }
}
