package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Hitch;
import dev.muster.coordinator.core.model.Event.PlanHindered;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What pod-manager says is in the way of a job's plan. */
class PoolHitchesTest {
    private static final String DENIAL = "pods is forbidden: User \"pods\" cannot create pods";

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void missingRightIsToldWithTheServersWordsUntilThePlanIsCarriedOut() {
        submit();
        play.takeEffects();
        denied(1);
        play.restart();
        var told = play.now();
        play.pass(Jobs.PUBLISH_DELAY);
        var reason =
                new WaitReason(
                        Code.POOL_UNAVAILABLE,
                        "pod-manager",
                        null,
                        told,
                        "a role of the cluster that lets pod-manager do it; it tries again by"
                                + " itself",
                        "pod-manager may not carry out its plan: " + DENIAL,
                        List.of());
        assertThat(reasons()).containsExactly(reason);
        assertThat(word()).isEqualTo(new StateReason("PoolUnavailable", reason.message(), reason));

        one.applied(false);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(reasons()).isEmpty();
        assertThat(word().waits()).isNull();
    }

    @Test
    void gangThatIsTakenBackForItSaysSo() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        submit();
        denied(1);
        play.passHeard(Duration.ofMinutes(5).plusSeconds(1), 0);
        assertThat(play.take(Effect.Moved.class).getLast().message())
                .isEqualTo(
                        "0 of 2 pods ran within 5m; pod-manager may not carry out its plan: "
                                + DENIAL);
    }

    /** As where a LimitRange adds requests that nobody counted. */
    @Test
    void gangThatIsTakenBackForAFullQuotaSaysTheServersWordsWhileItBacksOff() {
        var words = "pods \"a-worker-1\" is forbidden: exceeded quota: cpu";
        var message = "1 of 2 pods ran within 5m; its plan is not carried out so far: " + words;
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        submit();
        one.see(0, PodPhase.RUNNING, null);
        play.on(new PlanHindered(a, 1, Hitch.NOT_TAKEN, words));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(1), 0);
        one.applied(false);
        one.gone(0);
        one.applied(true);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
        assertThat(reasons())
                .first()
                .returns(Code.BACKING_OFF, WaitReason::code)
                .returns("GangTimeout", WaitReason::scope)
                .returns(message, WaitReason::message);
        assertThat(word())
                .returns("BackingOff", StateReason::reason)
                .returns(message, StateReason::message);
    }

    /** It goes on, and its users know that nothing is made again. */
    @Test
    void runningJobSaysItToo() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        one.gone(1);
        play.passHeard(Duration.ofMinutes(1), 0);
        denied(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(reasons()).first().returns(Code.POOL_UNAVAILABLE, WaitReason::code);
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(reasons()).hasSize(1);
        one.applied(false);
        assertThat(reasons()).isEmpty();
    }

    /** Why it goes is said first. */
    @Test
    void jobWhosePodsMayNotBeDeletedSaysIt() {
        one.runs(workers(2, 1));
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, "for the night"), null));
        denied(1);
        play.pass(Jobs.PUBLISH_DELAY);
        var word = word();
        assertThat(word.reason()).isEqualTo("Suspended");
        assertThat(word.waits()).isNotNull().returns(Code.POOL_UNAVAILABLE, WaitReason::code);
        assertThat(reasons()).extracting(WaitReason::code).containsExactly(Code.POOL_UNAVAILABLE);
    }

    @Test
    void jobThatHasEndedSaysItBesideItsEnd() {
        one.runs(workers(2, 1));
        play.on(new Event.PlanRefused(a, play.job(a).fences().plan(), "Invalid", "no"));
        denied(1);
        play.pass(Jobs.PUBLISH_DELAY);
        var word = word();
        assertThat(word.reason()).isEqualTo("Invalid");
        assertThat(word.waits()).isNotNull().returns(Code.POOL_UNAVAILABLE, WaitReason::code);
    }

    @Test
    void sameNewsIsNoNewsAndAnotherTakesItsPlace() {
        submit();
        denied(1);
        var since = play.now();
        play.pass(Duration.ofSeconds(30));
        play.takeEffects();
        denied(1);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class)).isEmpty();
        assertThat(reasons()).extracting(WaitReason::since).containsExactly(since);

        play.on(new PlanHindered(a, 1, Hitch.NOT_TAKEN, "exceeded quota: pods"));
        assertThat(reasons())
                .extracting(WaitReason::message)
                .containsExactly("its plan is not carried out so far: exceeded quota: pods");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void whatComesAfterThePlanWasCarriedOutOrOfAnotherAttemptMeansNothing() {
        submit();
        denied(2);
        assertThat(reasons()).isEmpty();
        one.applied(false);
        denied(1);
        assertThat(reasons()).isEmpty();
        assertThat(play.job(a).fences().hitch()).isNull();
    }

    /** Another pool alone knows them. */
    @Test
    void podsThatAnotherPoolHasLeftAreNamedBeforeTheGangIsTakenBackForThem() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        submit();
        var words = "pod a-worker-0 of the submission before, 0-0, is still there";
        play.on(new PlanHindered(a, 1, Hitch.EARLIER_PODS, words));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(word()).returns("EarlierPods", StateReason::reason);
        assertThat(reasons())
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns("ml/a", WaitReason::scope)
                .returns(words, WaitReason::message);
        play.passHeard(Duration.ofMinutes(5).plusSeconds(1), 0);
        assertThat(play.take(Effect.Moved.class).getLast().message())
                .isEqualTo("0 of 2 pods ran within 5m; " + words);
    }

    /** Which node it is on pod-manager does not know. */
    @Test
    void podThatIsInTheWayOfItsSuccessorIsNamedAsOthersThatDoNotGo() {
        submit();
        play.on(new PlanHindered(a, 1, Hitch.STUCK_PODS, "pod a-worker-0 is still there"));
        assertThat(reasons())
                .singleElement()
                .returns(Code.EARLIER_PODS, WaitReason::code)
                .returns("pod a-worker-0 is still there", WaitReason::message)
                .returns(StuckPods.REMEDY, WaitReason::remedy);
    }

    private void submit() {
        play.on(new Event.Submitted(a, workers(2, 1), null));
    }

    private void denied(int attempt) {
        play.on(new PlanHindered(a, attempt, Hitch.RIGHT_MISSING, DENIAL));
    }

    private StateReason word() {
        var all = play.take(Effect.Status.class);
        return all.getLast().word();
    }

    private List<WaitReason> reasons() {
        return play.explain(a).orElseThrow().reasons();
    }
}
