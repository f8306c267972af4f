package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.critical;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indices that an elastic gang cannot do without, while it changes its size. */
class PoolCriticalTest {
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();
    private static final Duration NO_TIMEOUT = Duration.ZERO;

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final ScaledJob job = new ScaledJob(play, a);

    /** Four workers, of which the last is critical, have become two and are to be four again. */
    private void growsBy(Duration timeout, boolean atomic) {
        job.one.runs(critical(3, elastic("default", 2, 4, 4)));
        var names = new TreeSet<>(List.of("worker-2", "worker-3"));
        job.scale(new ScaleIn("worker", 0, names, terms(NO_TIMEOUT, true)));
        job.one.gone(2);
        job.one.gone(3);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        job.scale(new ScaleOut("worker", 2, terms(timeout, atomic)));
        assertThat(members()).hasSize(4);
        play.takeEffects();
    }

    private static Terms terms(Duration timeout, boolean atomic) {
        return new Terms(timeout, atomic, Duration.ZERO, false);
    }

    private List<String> members() {
        return job.asking.members();
    }

    private int charged() {
        return play.job(a).past().budgets().all();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lossOfOneThatACommandBroughtIsTheWholeGangs(boolean atomic) {
        growsBy(NO_TIMEOUT, atomic);
        job.one.seeNewest(3, PodPhase.RUNNING, null);
        job.one.seeNewest(3, PodPhase.FAILED, 137);
        job.one.seeNewest(2, PodPhase.FAILED, 137);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isEqualTo(1);
        assertThat(job.stage()).isEqualTo(Stage.WAITING);
        assertThat(members()).hasSize(4);
        startsAgain();
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(members()).hasSize(4);
        assertThat(charged()).isEqualTo(1);
    }

    private void startsAgain() {
        for (int i = 0; i < 4; i++) {
            play.on(new Event.PodGone(Fixtures.WATCHER, a, job.one.newest(i)));
        }
        job.one.applied(false);
        job.one.applied(true);
        play.passHeard(Duration.ofMinutes(1), 0);
        for (int i = 0; i < 4; i++) {
            job.one.seeNewest(i, PodPhase.RUNNING, null);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lossIsTheGangsAlsoWhereTheTimeOfTheCommandIsOverBeforeItIsJudged(boolean atomic) {
        growsBy(SETTLE.dividedBy(2), atomic);
        job.one.seeNewest(3, PodPhase.FAILED, 137);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatNeverRanIsNoLoss(boolean atomic) {
        growsBy(Duration.ofMinutes(30), atomic);
        var pod =
                Fixtures.pod(
                        job.one.newest(3),
                        job.one.nextVersion(),
                        PodPhase.PENDING,
                        job.one.rank(3).making().node());
        play.on(new Event.PodSeen(Fixtures.WATCHER, a, OneJob.hindered(pod)));
        play.passHeard(Hindrances.LIMIT, 0);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(members()).doesNotContain("worker-3");
        assertThat(charged()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatDoesNotComeInTimeIsNoLoss(boolean atomic) {
        growsBy(Duration.ofMinutes(1), atomic);
        job.one.seeNewest(2, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(members()).doesNotContain("worker-3");
    }

    @Test
    void theyLeaveNodesThatGoLast() {
        var place = Play.withNodes(2, 2);
        var gang = new OneJob(place, a);
        gang.runs(critical(3, elastic("default", 3, 4, 4)));
        var node = gang.rank(3).making().node();
        assertThat(gang.rank(2).making().node()).isEqualTo(node);
        place.on(new Event.NodeSeen(Fixtures.WATCHER, Nodes.cordoned(node, 2)));
        assertThat(new Asking(place, a).members()).doesNotContain("worker-2").contains("worker-3");
    }

    @Test
    void theyLeaveLast() {
        job.one.runs(critical(2, elastic("default", 1, 4, 4)));
        job.scale(new ScaleIn("worker", 2, ScaledJob.nobody(), terms(NO_TIMEOUT, true)));
        assertThat(members()).containsExactly("worker-0", "worker-2");
        job.scale(new ScaleIn("worker", 1, ScaledJob.nobody(), terms(NO_TIMEOUT, true)));
        assertThat(members()).containsExactly("worker-0");
    }
}
