package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Allowance;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a job waits before single pods of it are made again. */
class PoolDelaysTest {
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();
    private static final FailurePolicy PODS =
            new FailurePolicy(
                    Otherwise.POD,
                    new FailurePolicy.Limits(20, 100, Duration.ofHours(24)),
                    FailurePolicy.PLAIN.delay(),
                    SETTLE,
                    FailurePolicy.PLAIN.nodeLost(),
                    List.of());
    private static final Duration LONG = FailurePolicy.PLAIN.delay().max();

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void delayOfPodsThatAreMadeAgainGrowsThoughTheirJobHasRunForLong() {
        one.runs(failing(PODS, workers(2, 1)));
        play.passHeard(LONG, 0);
        one.fail(1, 137);
        assertThat(delay()).isEqualTo(Duration.ofSeconds(10));
        again();
        assertThat(delay()).isEqualTo(Duration.ofSeconds(20));
        again();
        assertThat(delay()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void delayStaysTheLongestWhereTheLastOneWasAsLongAsThat() {
        one.runs(failing(PODS, workers(2, 1)));
        one.fail(1, 137);
        for (int i = 0; i < 6; i++) {
            delay();
            again();
        }
        assertThat(delay()).isEqualTo(LONG);
        again();
        assertThat(delay()).isEqualTo(LONG);
    }

    @Test
    void restartByTheKubeletDoesNotEndTheDelayOfAnother() {
        one.runs(failing(PODS, workers(2, 1)));
        failsUntilTheDelayIsTheLongest();
        one.seeAgain(0, 1, 1);
        play.passHeard(LONG, 0);
        failsAtOnce();
        assertThat(delay()).isEqualTo(LONG);
    }

    @Test
    void restartOfARoleWithAShorterDelayDoesNotEndTheDelayOfAnother() {
        runsBesideAHelper(new Action.RestartPod(), Duration.ofSeconds(1));
        failsUntilTheDelayIsTheLongest();
        one.see("helper", PodPhase.FAILED, 137);
        play.passHeard(SETTLE.plusSeconds(1), 0);
        one.see("helper", PodPhase.RUNNING, null);
        play.passHeard(LONG.minus(SETTLE), 0);
        failsAtOnce();
        assertThat(delay()).isEqualTo(LONG);
    }

    /** Nobody waits any more for the delay of who was to be made again alone. */
    @Test
    void gangThatStartsAgainDoesSoForAll() {
        runsBesideAHelper(new Action.RestartGang(), Duration.ofSeconds(1));
        failsUntilTheDelayIsTheLongest();
        one.see("helper", PodPhase.FAILED, 137);
        play.passHeard(SETTLE, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(play.job(a).past().budgets().until()).isEqualTo(play.now().plusSeconds(1));
    }

    /**
     * @param delay the helper's
     */
    private void runsBesideAHelper(Action onFailure, Duration delay) {
        var own =
                new FailurePolicy(
                        PODS.otherwise(),
                        PODS.limits(),
                        new FailurePolicy.Delay(delay, delay),
                        SETTLE,
                        PODS.nodeLost(),
                        List.of(Fixtures.rule(onFailure)));
        var helper =
                Fixtures.caring(
                        new JobSpec.Care(own, new TreeSet<>()), Fixtures.role("helper", 1, 1));
        var spec = Fixtures.spec("default", Fixtures.role("worker", 2, 1), helper);
        play.on(new Event.Submitted(a, failing(PODS, spec), null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.see("helper", PodPhase.RUNNING, null);
    }

    private void failsUntilTheDelayIsTheLongest() {
        one.seeNewest(1, PodPhase.FAILED, 137);
        while (delay().compareTo(LONG) < 0) {
            again();
        }
    }

    @Test
    void delayIsTheFirstAgainOnceNothingWasMadeAgainForLong() {
        one.runs(failing(PODS, workers(2, 1)));
        one.fail(1, 137);
        delay();
        play.passHeard(Duration.ofSeconds(10), 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.passHeard(LONG, 0);
        one.seeNewest(1, PodPhase.FAILED, 137);
        assertThat(delay()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void delayIsTheFirstAgainOnceItHadRunForLongThoughItWasSuspendedSince() {
        assertThat(delayAfterSuspend(workers(2, 1))).isEqualTo(Duration.ofSeconds(10));
    }

    /** It may be the role with the longest delays that fails next. */
    @Test
    void delayGoesOnWhereARoleHadNotRunForLongByItsOwnPolicy() {
        var longer = new FailurePolicy.Delay(PODS.delay().initial(), LONG.multipliedBy(2));
        var own =
                new FailurePolicy(
                        PODS.otherwise(),
                        PODS.limits(),
                        longer,
                        SETTLE,
                        PODS.nodeLost(),
                        List.of());
        var worker =
                Fixtures.caring(
                        new JobSpec.Care(own, new TreeSet<>()), Fixtures.role("worker", 2, 1));
        assertThat(delayAfterSuspend(Fixtures.spec("default", worker)))
                .isEqualTo(Duration.ofSeconds(40));
    }

    private Duration delayAfterSuspend(JobSpec spec) {
        one.runs(failing(PODS, spec));
        one.fail(1, 137);
        delay();
        again();
        delay();
        play.passHeard(Duration.ofSeconds(20), 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.passHeard(LONG, 0);
        isSuspendedAndResumed();
        one.seeNewest(1, PodPhase.FAILED, 137);
        return delay();
    }

    private void isSuspendedAndResumed() {
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        one.applied(false);
        play.on(new Event.PodGone(WATCHER, a, one.newest(0)));
        play.on(new Event.PodGone(WATCHER, a, one.newest(1)));
        one.applied(true);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
    }

    /** Who waited then comes with all others when it is resumed. */
    @Test
    void delayIsTheFirstAgainThoughAnotherWaitedLongerWhenItWasSuspended() {
        var delay = Duration.ofHours(1);
        var spec =
                ElasticJobs.evaluated(
                        delay, Fixtures.spec("default", workers(2, 1).roles().getFirst()));
        play.on(new Event.Submitted(a, failing(PODS, spec), null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.see("eval", PodPhase.RUNNING, null);
        one.see("eval", PodPhase.FAILED, 137);
        play.on(new Event.PodGone(WATCHER, a, Fixtures.mark("eval", 0, 3)));
        play.passHeard(SETTLE, 0);
        isSuspendedAndResumed();
        one.see("eval", PodPhase.RUNNING, null);
        play.passHeard(LONG, 0);
        one.seeNewest(1, PodPhase.FAILED, 137);
        assertThat(delay()).isEqualTo(Duration.ofSeconds(10));
    }

    /** Nor does the gang wait any more that was to start again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void delayIsTheFirstAgainThoughTheGangWaitedLongerWhenItWasSuspended(boolean isGone) {
        runsBesideAHelper(new Action.RestartGang(), Duration.ofHours(1));
        one.see("helper", PodPhase.FAILED, 137);
        play.passHeard(SETTLE, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        if (isGone) {
            leavesWithItsHelper();
        }
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        if (!isGone) {
            leavesWithItsHelper();
        }
        assertThat(play.job(a).state()).isInstanceOf(JobState.Suspended.class);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.see("helper", PodPhase.RUNNING, null);
        play.passHeard(LONG, 0);
        one.seeNewest(1, PodPhase.FAILED, 137);
        assertThat(delay()).isEqualTo(Duration.ofSeconds(10));
    }

    private void leavesWithItsHelper() {
        one.applied(false);
        play.on(new Event.PodGone(WATCHER, a, one.newest(0)));
        play.on(new Event.PodGone(WATCHER, a, one.newest(1)));
        play.on(new Event.PodGone(WATCHER, a, Fixtures.mark("helper", 0, 3)));
        one.applied(true);
    }

    @Test
    void whileItWaitsTheJobSaysWhatFailedAndWhenItIsMadeAgain() {
        one.runs(failing(PODS, workers(3, 1)));
        one.fail(1, 3);
        one.fail(2, 137);
        play.takeEffects();
        play.passHeard(SETTLE.plus(Jobs.PUBLISH_DELAY), 0);
        var until = play.now().minus(Jobs.PUBLISH_DELAY).plus(PODS.delay().initial());
        var word = play.take(Effect.Status.class).getLast().word();
        assertThat(word.reason()).isEqualTo("BackingOff");
        assertThat(word.message())
                .isEqualTo("worker-1 is to be made again (and 1 more): worker-1 exited with 3");
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .returns(WaitReason.Code.BACKING_OFF, WaitReason::code)
                .returns("worker-1", WaitReason::scope)
                .returns("it is made again at " + until, WaitReason::remedy);
        play.passHeard(PODS.delay().initial(), 0);
        assertThat(play.take(Effect.Status.class).getLast().word().message())
                .isEqualTo(
                        "less than its minimum runs: the pod of worker-1 is not there yet, nor do 1"
                                + " more");
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(2, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class).getLast().word().reason()).isEmpty();
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
    }

    @Test
    void statusSaysWhatEachPolicyHasAllowedAndAllows() {
        var hour = new FailurePolicy.Limits(5, 50, Duration.ofHours(1));
        var own =
                new FailurePolicy(
                        Otherwise.POD,
                        hour,
                        FailurePolicy.PLAIN.delay(),
                        SETTLE,
                        FailurePolicy.PLAIN.nodeLost(),
                        List.of());
        var worker = workers(2, 1).roles().getFirst();
        var role = Fixtures.caring(new JobSpec.Care(own, new TreeSet<>()), worker);
        one.runs(Fixtures.spec("default", role));
        one.fail(1, 137);
        play.passHeard(SETTLE, 0);
        play.pass(Jobs.PUBLISH_DELAY);
        var told = play.take(Effect.Status.class).getLast().allowances();
        assertThat(told.get("worker"))
                .isEqualTo(new Allowance(1, 0, 1, 0, hour, Duration.ofSeconds(20)));
        assertThat(told.get("").own()).isZero();
        assertThat(told.get("").limits()).isEqualTo(FailurePolicy.PLAIN.limits());
        play.passHeard(Duration.ofSeconds(10), 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofHours(1), 0);
        one.seeNewest(1, PodPhase.PENDING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class).getLast().allowances().get("worker"))
                .isEqualTo(new Allowance(1, 0, 0, 0, hour, Duration.ofSeconds(10)));
    }

    /** Of the failure that settles now. */
    private Duration delay() {
        play.passHeard(SETTLE, 0);
        var alarm =
                play.allRows()
                        .filter(Alarm.class::isInstance)
                        .map(Alarm.class::cast)
                        .filter(set -> set.kind() == Alarm.Kind.REMAKE)
                        .findFirst()
                        .orElseThrow();
        return Duration.between(play.now(), alarm.at());
    }

    /** It is made again, runs, and fails at once. */
    private void again() {
        var until = play.job(a).past().budgets().until();
        play.passHeard(Duration.between(play.now(), until), 0);
        failsAtOnce();
    }

    private void failsAtOnce() {
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.FAILED, 137);
    }
}
