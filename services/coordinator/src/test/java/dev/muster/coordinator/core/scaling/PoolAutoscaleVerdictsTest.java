package dev.muster.coordinator.core.scaling;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.measured;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.InPlaceJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.TrainedJob;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What jobs are told whose size is left as it is. */
class PoolAutoscaleVerdictsTest {
    private static final Duration COOLDOWN = Duration.ofMinutes(2);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final TrainedJob trained = new TrainedJob(play, a);

    private void isTold(String code, String message) {
        assertThat(trained.verdict().code().label()).isEqualTo(code);
        assertThat(trained.verdict().message()).isEqualTo(message);
        assertThat(play.explain(a).orElseThrow().autoscaling()).isEqualTo(trained.verdict());
    }

    private int size() {
        return play.job(a).spec().role("worker").replicas();
    }

    @Test
    void commandThatWaitsForRoomIsNotCrossed() {
        play.on(new Event.Submitted(job("b", 2), workers(6, 1), null));
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        play.on(new Event.ChangeAsked(a, new SetReplicas("worker", 4, Terms.PLAIN), null));
        trained.train(COOLDOWN, 100);
        isTold("CommandUnderWay", "a command changes its size");
        assertThat(size()).isEqualTo(4);
    }

    @Test
    void nothingIsMeasuredWhilePodsCome() {
        one.runs(measured(COOLDOWN, elastic("default", 2, 2, 8)));
        play.on(new Event.ChangeAsked(a, new SetReplicas("worker", 4, Terms.PLAIN), null));
        trained.train(COOLDOWN, 100);
        isTold("Incomplete", "its size is changing");
    }

    @Test
    void jobThatIsSmallerThanWishedDoesNotWishForMore() {
        play.on(new Event.Submitted(job("b", 2), workers(5, 1), null));
        play.on(new Event.Submitted(a, measured(COOLDOWN, elastic("default", 2, 4, 8)), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        trained.train(COOLDOWN, 100);
        isTold("Incomplete", "3 of 4 run; the others wait for room");
        assertThat(size()).isEqualTo(4);
    }

    /** Fewer trained well while a failure was ignored; as many members the gang may not have. */
    @Test
    void sizeThatAUserCouldNotHaveIsRefused() {
        var ignored = Fixtures.rule(new FailurePolicy.Action.Ignore());
        var ignoring = Fixtures.policy(FailurePolicy.Otherwise.POD, ignored);
        var spec = Fixtures.failing(ignoring, measured(COOLDOWN, elastic("default", 2, 3, 8)));
        one.runs(together(3, spec));
        one.fail(2, 1);
        play.passHeard(COOLDOWN, 0);
        trained.train(COOLDOWN, 200);
        one.seeNewest(3, PodPhase.RUNNING, null);
        trained.train(COOLDOWN, 205);
        isTold("Refused", "all roles together would have 2 pods, and gang.min is 3");
        assertThat(size()).isEqualTo(4);
    }

    /** Its processes know the incarnation that their pod was made with, and no later one. */
    @Test
    void digestOfAPodThatStartedAgainInItsPlaceCounts() {
        var policy = Fixtures.policy(FailurePolicy.Otherwise.GANG, InPlaceJob.ON_42);
        one.runs(Fixtures.failing(policy, measured(COOLDOWN, elastic("default", 1, 1, 8))));
        int incarnation = one.rank(0).making().incarnation();
        one.seeAgain(0, 1, 42);
        play.passHeard(InPlaceJob.SETTLE_AND_DELAY, 0);
        assertThat(one.rank(0).making().newest()).isGreaterThan(incarnation);
        say(incarnation);
        isTold("Measuring", "it has come to 1");
    }

    @Test
    void digestOfAPodThatWasMadeAgainSinceCountsForNothing() {
        var policy = Fixtures.policy(FailurePolicy.Otherwise.POD);
        one.runs(Fixtures.failing(policy, measured(COOLDOWN, elastic("default", 1, 1, 8))));
        int incarnation = one.rank(0).making().incarnation();
        one.fail(0, 137);
        play.passHeard(InPlaceJob.SETTLE_AND_DELAY, 0);
        one.gone(0);
        one.seeNewest(0, PodPhase.RUNNING, null);
        assertThat(one.rank(0).making().incarnation()).isGreaterThan(incarnation);
        say(incarnation);
        assertThat(play.rows.get(Row.Table.THROUGHPUT)).isNull();
    }

    private void say(int incarnation) {
        int attempt = play.job(a).fences().attempt();
        play.on(new Event.Trained(a, TrainedJob.digest(attempt, incarnation, null, 100)));
    }

    /** The same job, of which so many start together. */
    private static JobSpec together(int pods, JobSpec spec) {
        var work = spec.work();
        var gang = new JobSpec.Gang(pods, work.gang().timeout(), work.gang().topology());
        return Fixtures.with(
                spec, gang, work.failure(), work.deadlines(), work.limits(), work.elastic());
    }
}
