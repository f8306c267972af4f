package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Scaling;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job of three that was to have one, of which one has left already while the other leaver waits
 * for the answer that the job owes, is to have three again.
 */
class PoolOwedAnswerTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final OneJob one = new OneJob(play, a);
    private final Asking asking = new Asking(play, a);

    @BeforeEach
    void oneOfTwoHasLeftBeforeTheJobHasSaved() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 2, new TreeSet<>(), Terms.PLAIN));
        asking.isAsked("worker goes from 3 to 1: worker-2, worker-1 leave");
        one.succeed(2);
        one.gone(2);
        asking.isAsked("worker goes from 3 to 1: worker-2, worker-1 leave");
        assertThat(asking.ranks()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noAnswerIsOwedWhereNobodyComesForWhomThereIsNoRoom(boolean atomic) {
        play.on(new Event.Submitted(b, Fixtures.workers(2, 1), null));
        play.restart();
        scale(growth(atomic));
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.last().message()).isEqualTo("what it was asked for does not come");
        assertThat(asking.members()).containsExactly("worker-0", "worker-1");
        assertThat(scaling().stage()).isEqualTo(Scaling.Stage.WAITING);
        play.pass(Jobs.PUBLISH_DELAY);
        var plan = play.take(Effect.RunPlan.class).getLast();
        assertThat(Asking.ranks(plan)).containsExactly("worker-0", "worker-1");
        assertThat(plan.ask()).isZero();
    }

    @Test
    void itIsAskedAnewWhenThereIsRoomAfterAll() {
        play.on(new Event.Submitted(b, Fixtures.workers(2, 1), null));
        scale(growth(true));
        long first = asking.last().id();
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        asking.isAsked("more of worker are to come");
        assertThat(asking.last().id()).isNotEqualTo(first);
        assertThat(asking.members()).hasSize(3);
        asking.answer(true);
        one.seeNewest(2, PodPhase.RUNNING, null);
        assertThat(scaling().stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
    }

    @Test
    void whoComesWaitsForTheSameAnswer() {
        long first = asking.last().id();
        scale(growth(true));
        assertThat(asking.last().id()).isEqualTo(first);
        asking.isAsked("worker goes from 3 to 1: worker-2, worker-1 leave");
        assertThat(asking.members()).hasSize(3);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1");
        asking.answer(true);
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1", "worker-2");
    }

    @Test
    void forWhoHasLeftAnotherComesAtOnceWhereTheJobCannotSaveAndIsToHaveThreeAgain() {
        asking.answer(false);
        assertThat(scaling().reason()).isEqualTo("CheckpointFailed");
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
        assertThat(asking.members()).hasSize(3);
        asking.isAsked("more of worker are to come");
    }

    private static SetReplicas growth(boolean atomic) {
        var terms = new Terms(Terms.PLAIN.timeout(), atomic, Terms.PLAIN.drain(), false);
        return new SetReplicas("worker", 3, terms);
    }

    private void scale(Change.Scale command) {
        play.on(new Event.ChangeAsked(a, command, null));
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }
}
