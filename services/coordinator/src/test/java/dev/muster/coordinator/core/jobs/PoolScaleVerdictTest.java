package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.InPlaceJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands of scale that are complete without news of a pod: by a verdict, or after a delay. */
class PoolScaleVerdictTest {
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();
    private static final Rule IGNORED_ON_7 =
            new Rule(List.of(new ExitCodes(7, 7)), List.of(), null, new Action.Ignore());

    @Test
    void commandSucceedsWithTheVerdictThatIgnoresTheLastThatItWaitedFor() {
        var play = Play.withNodes(4, 4);
        var job = new ScaledJob(play, job("a", 1));
        job.one.runs(pair(IGNORED_ON_7));
        job.scale(new ScaleOut("worker", 2, Terms.PLAIN));
        endsIgnored(job.one);
        play.passHeard(SETTLE.minusSeconds(1), 0);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        play.takeEffects();
        play.restart();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(job.one.rank(2).state()).isEqualTo(RankState.IGNORED);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.take(Effect.Scaled.class)).hasSize(1);
    }

    @Test
    void commandSucceedsWhenTheDelayIsOverOfWhoRunsAgainInItsPod() {
        var play = Play.withNodes(4, 4);
        var job = new ScaledJob(play, job("a", 1));
        job.one.runs(pair(InPlaceJob.ON_42));
        job.one.seeAgain(1, 1, 42);
        job.scale(new ScaleOut("worker", 1, Terms.PLAIN));
        job.one.seeNewest(2, PodPhase.RUNNING, null);
        play.passHeard(InPlaceJob.SETTLE_AND_DELAY.minusSeconds(1), 0);
        assertThat(job.one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(job.one.rank(1).state()).isEqualTo(RankState.RUNNING);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void hookIsRunOnceTheVerdictIgnoresTheLastThatItsCommandWaitedFor() {
        var job = new HookedJob();
        job.one.runs(pair(IGNORED_ON_7));
        var inTime = new Terms(Duration.ofMinutes(5), true, HookedJob.DRAIN, false, HookedJob.TELL);
        job.ask(new ScaleOut("worker", 2, inTime));
        endsIgnored(job.one);
        assertThat(job.planned()).isNull();
        job.play.passHeard(SETTLE, 0);
        assertThat(job.ordered().added()).containsExactly(2, 3);
        job.ends(0, "told");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        job.play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(job.play.job(job.a).spec().role("worker").replicas()).isEqualTo(4);
    }

    private static JobSpec pair(Rule rule) {
        return failing(policy(Otherwise.POD, rule), elastic("default", 2, 2, 4));
    }

    /** Of two that came, one has run and ended, and the other runs. */
    private static void endsIgnored(OneJob one) {
        one.seeNewest(2, PodPhase.RUNNING, null);
        one.seeNewest(2, PodPhase.FAILED, 7);
        one.seeNewest(3, PodPhase.RUNNING, null);
    }
}
