package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.HookedJob.MINUTE;
import static dev.muster.coordinator.core.fixtures.HookedJob.TELL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hooks in namespaces that may have so many pods. */
class PoolHookQuotaTest {
    private static final String WAITS =
            "waits for a pod of its namespace's quota, all of which are used";

    private final HookedJob job = new HookedJob();
    private final Play play = job.play;
    private final JobId b = job("b", 2);
    private final JobId c = job("c", 3);
    private final OneJob other = new OneJob(play, b);

    private void podsOfNamespace(long pods, long ofOthers) {
        var hard = Amounts.of(Map.of("pods", pods));
        var others = Amounts.of(Map.of("pods", ofOthers));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", hard, others));
    }

    private Hooked hooked() {
        return Objects.requireNonNull(job.scaling().hook());
    }

    /** All five pods of the namespace are there, four of them of the job that shrinks. */
    private void hookHasNoSlot() {
        podsOfNamespace(5, 0);
        other.runs(workers(1, 1));
        job.shrink(true);
        job.ordered();
    }

    private void otherEnds() {
        other.succeed(0);
        assertThat(play.job(b).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void podOfAHookCountsInItsNamespaceWhileItIsOrdered() {
        podsOfNamespace(5, 0);
        job.grow(true);
        job.ordered();
        play.on(new Event.Submitted(b, workers(1, 1), null));
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        play.restart();
        job.ends(0, "");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void slotIsFreeBetweenTwoTries() {
        podsOfNamespace(5, 0);
        job.grow(true);
        job.ordered();
        play.on(new Event.Submitted(b, workers(1, 1), null));
        job.ends(1, "");
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void slotIsFreeOnceTheJobRestarts() {
        podsOfNamespace(5, 0);
        var together = Fixtures.policy(FailurePolicy.Otherwise.GANG);
        job.one.runs(Fixtures.failing(together, elastic("default", 2, 3, 6)));
        job.ask(new ScaleOut("worker", 1, HookedJob.terms(true)));
        job.one.seeNewest(3, PodPhase.RUNNING, null);
        job.ordered();
        play.on(new Event.Submitted(b, workers(1, 1), null));
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        job.one.fail(0, 1);
        play.passHeard(Duration.ofSeconds(11), 0);
        assertThat(play.job(job.a).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(job.scaling().hook()).isNull();
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void hookWaitsForASlotHoweverLongItTakes() {
        hookHasNoSlot();
        assertThat(hooked().words()).isEqualTo(WAITS);
        play.passHeard(Duration.ofMinutes(20), 0);
        play.restart();
        play.passHeard(Duration.ofMinutes(20), 0);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        assertThat(hooked()).isEqualTo(new Hooked(1, false, null, "", "", true));
        assertThat(new Asking(play, job.a).members()).hasSize(3);
        otherEnds();
        play.passHeard(Duration.ofSeconds(15), 0);
        assertThat(hooked().words()).isEqualTo("runs");
        job.see(PodPhase.RUNNING, job.ordered().incarnation(), null);
        play.passHeard(MINUTE, 0);
        job.ends(0, "told");
        assertThat(hooked()).isEqualTo(new Hooked(1, true, 0, "", "told"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, Long.MAX_VALUE})
    void whatTheLastTryLeftIsKeptWhileTheNextOneWaitsAndRuns(long others) {
        podsOfNamespace(5, 0);
        job.shrink(true);
        job.ends(2, "no");
        podsOfNamespace(5, others);
        play.pass(MINUTE);
        assertThat(hooked()).isEqualTo(new Hooked(2, false, 2, "Error", "no", true));
        assertThat(hooked().words()).isEqualTo(WAITS);
        play.restart();
        podsOfNamespace(5, 0);
        job.see(PodPhase.RUNNING, job.ordered().incarnation(), null);
        assertThat(hooked()).isEqualTo(new Hooked(2, false, 2, "Error", "no"));
        job.ends(0, "told");
        assertThat(hooked()).isEqualTo(new Hooked(2, true, 0, "", "told"));
    }

    @Test
    void whatComesFreeIsTheHooks() {
        hookHasNoSlot();
        play.on(new Event.Submitted(c, workers(1, 1), null));
        otherEnds();
        assertThat(play.job(c).state()).isInstanceOf(JobState.Queued.class);
        job.ends(0, "");
        assertThat(play.job(c).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void podThatIsNotThereThoughThereIsASlotHasItsTimeAndFails() {
        hookHasNoSlot();
        play.passHeard(MINUTE.multipliedBy(2), 0);
        otherEnds();
        play.passHeard(MINUTE, 0);
        assertThat(hooked().words()).isEqualTo("runs");
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(hooked().reason()).isEqualTo("DeadlineExceeded");
    }

    /** The quota was not meant for it: the API server has the last word. */
    @Test
    void podThatIsThereThoughNoSlotIsKnownRunsAsAnyOther() {
        hookHasNoSlot();
        job.see(PodPhase.RUNNING, job.ordered().incarnation(), null);
        assertThat(hooked().words()).isEqualTo("runs");
        play.passHeard(MINUTE.plusSeconds(15), 0);
        assertThat(hooked().reason()).isEqualTo("DeadlineExceeded");
    }

    @Test
    void hookWhoseOwnJobHasAllPodsOfTheNamespaceFails() {
        podsOfNamespace(4, 0);
        job.shrink(true);
        job.ordered();
        assertThat(hooked().words()).isEqualTo(WAITS);
        play.passHeard(MINUTE.plusSeconds(15), 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().reason()).isEqualTo("HookFailed");
        assertThat(job.scaling().message())
                .isEqualTo(
                        "its hook's pod cannot be: the quota of namespace ml allows 4 pods, and the"
                                + " job itself has 4; who was to leave stays");
        assertThat(job.members()).hasSize(4);
    }

    @Test
    void hookFailsWhereItsJobHasMoreThanTheNamespaceMayHaveByNow() {
        job.one.runs(elastic("default", 2, 4, 6));
        podsOfNamespace(2, 0);
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), HookedJob.terms(true)));
        job.ordered();
        play.passHeard(MINUTE.plusSeconds(15), 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().message())
                .isEqualTo(
                        "its hook's pod cannot be: the quota of namespace ml allows 2 pods, and the"
                                + " job itself has 4; who was to leave stays");
    }

    @Test
    void podsOfOthersAreWaitedForToo() {
        job.one.runs(elastic("default", 2, 4, 6));
        podsOfNamespace(5, 3);
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), HookedJob.terms(true)));
        job.ordered();
        play.passHeard(MINUTE.multipliedBy(5), 0);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        podsOfNamespace(5, 0);
        job.ends(0, "");
        play.pass(HookedJob.DRAIN);
        job.one.gone(3);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void commandsTimeCountsWhileItsHookWaits() {
        podsOfNamespace(5, 0);
        other.runs(workers(1, 1));
        job.one.runs(elastic("default", 2, 4, 6));
        var terms = new Terms(MINUTE, true, Duration.ZERO, false, TELL);
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms));
        play.passHeard(MINUTE.plusSeconds(5), 0);
        assertThat(job.scaling().reason()).isEqualTo("Timeout");
        assertThat(job.scaling().message())
                .isEqualTo(
                        "its hook did not end in time: it waited for a pod of its namespace's"
                                + " quota; who was to leave stays");
        assertThat(new Asking(play, job.a).members()).hasSize(4);
    }

    @Test
    void quotaOfSomethingElseIsNoMatterToAHook() {
        var hard = Amounts.of(Map.of("requests.cpu", 4000L, "limits.memory", 0L));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", hard, Amounts.NONE));
        job.shrink(true);
        job.ordered();
        assertThat(hooked().words()).isEqualTo("runs");
        assertThat(List.of(hooked().reason(), hooked().output())).containsOnly("");
    }
}
