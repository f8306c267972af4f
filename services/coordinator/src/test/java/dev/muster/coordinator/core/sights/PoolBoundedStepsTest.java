package dev.muster.coordinator.core.sights;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Much follows for the ranks of one job from one event. */
class PoolBoundedStepsTest {
    /** Of one step, as it is promised. */
    private static final int PROMISED = 500;

    private final JobId a = job("a", 1);

    /** However many steps it takes, it is one loss. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void somebodysWordGivesManyNodesUpInSteps(int settle) {
        var play = withNodes(20, 50);
        new OneJob(play, a).runs(failing(settling(settle), workers(1_000, 1)));
        for (int i = 0; i < 20; i++) {
            play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-" + i, 50)));
        }
        play.passHeard(Duration.ofSeconds(5), 0);
        play.takeEffects();
        var word = new Event.ChangeAsked(a, new Change.ForceDelete(), new Request("ml/a", "r-1"));
        var step = play.onStep(word);
        assertThat(step.more()).isTrue();
        play.restart();
        play.goOn();
        var effects = play.takeEffects();
        assertThat(play.largestStep()).isLessThanOrEqualTo(PROMISED);
        assertThat(effects).filteredOn(Effect.RankEnded.class::isInstance).hasSize(1_000);
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).message())
                .containsExactly("1000 pods are forced");
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(settle == 0 ? 1 : 0);
        play.passHeard(Duration.ofSeconds(settle), 0);
        assertThat(play.ranks(a))
                .hasSize(1_000)
                .allMatch(rank -> rank.state() == RankState.RETURNING && rank.givenUp());
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    /** Of silent nodes and of those that have left the cluster. */
    @Test
    void somebodysWordHoldsThoughNobodyLooks() {
        var play = withNodes(4, 1);
        new OneJob(play, a).runs(failing(policy(Otherwise.POD), workers(4, 1)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 1)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 1)));
        play.on(new Event.NodeReleased(WATCHER, "node-2"));
        play.pass(Duration.ofMinutes(10));
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        assertThat(play.ranks(a))
                .filteredOn(rank -> rank.state() == RankState.FAILED)
                .extracting(rank -> rank.making().node())
                .containsExactlyInAnyOrder("node-0", "node-1", "node-2");
    }

    @Test
    void whoLeavesAndNeverHadAPodIsForgottenInSteps() {
        var play = withNodes(20, 100);
        var job = new ScaledJob(play, a);
        play.on(new Event.Submitted(a, ElasticJobs.elastic("default", 100, 2_000, 2_000), null));
        job.one.applied(false);
        for (int i = 0; i < 100; i++) {
            job.one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Duration.ofSeconds(1));
        assertThat(play.ranks(a)).hasSize(2_000);
        job.scale(new Change.SetReplicas("worker", 100, Change.Terms.PLAIN));
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        play.takeEffects();
        var pods =
                IntStream.range(0, 100)
                        .mapToObj(i -> new Event.ListedPod(a.uid(), job.one.newest(i), false))
                        .toList();
        var plan = play.job(a).fences().plan();
        var step = play.onStep(new Event.PlanApplied(a, plan, false, pods));
        assertThat(step.more()).isTrue();
        play.restart();
        play.goOn();
        assertThat(play.largestStep()).isLessThanOrEqualTo(PROMISED);
        assertThat(play.ranks(a)).hasSize(100).noneMatch(rank -> rank.isLeaving());
        assertThat(play.take(Effect.RankEnded.class))
                .hasSize(1_900)
                .allMatch(ended -> ended.reason().equals("ScaledIn"));
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    private static Play withNodes(int nodes, long cores) {
        var all = new long[nodes];
        Arrays.fill(all, cores);
        return Play.withNodes(all);
    }

    private static FailurePolicy settling(int seconds) {
        var plain = policy(Otherwise.POD);
        return new FailurePolicy(
                plain.otherwise(),
                plain.limits(),
                plain.delay(),
                Duration.ofSeconds(seconds),
                plain.nodeLost(),
                plain.rules());
    }
}
