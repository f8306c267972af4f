package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Decision.Keep;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.simulation.Chance;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that has ended, and has left a pod on a node that is dead since. */
class PoolFencingTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId again = job("a", 2);
    private final OneJob one = new OneJob(play, a);
    private @Nullable StopPlan plan;
    private int lost;
    private int requests;

    @BeforeEach
    void failsAndLeavesAPodOnADeadNode() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 4)));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        one.fail(1 - lost, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
    }

    @Test
    void whatItLeftIsForcedAndWhatIsToBeReadStays() {
        assertThat(ask(a).outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(plan).isNotNull();
        assertThat(plan.stop().forced()).containsExactly(ForcedPods.of(new RankId("worker", lost)));
        assertThat(plan.stop().keep()).isEqualTo(Keep.FINISHED);
        one.gone(lost);
        var answer = ask(a);
        assertThat(answer.outcome()).isEqualTo(Outcome.ENDED);
        assertThat(answer.message()).isEqualTo("it leaves nothing on a node that is not heard of");
    }

    @Test
    void whatTheSubmissionBeforeLeftIsForcedByItsUid() {
        play.on(new Event.Submitted(again, workers(1, 1), null));
        var answer = ask(again);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message())
                .isEqualTo("it leaves nothing on a node that is not heard of; uid 0-1 does");
        assertThat(ask(a).outcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(plan).isNotNull();
        assertThat(plan.job()).isEqualTo(a);
        assertThat(plan.stop().forced()).contains(ForcedPods.of(new RankId("worker", lost)));
    }

    @Test
    void finishedPodOfAnEndedJobIsLeftToBeRead() {
        one.see(lost, Event.PodPhase.FAILED, 143);
        assertThat(ask(a).outcome()).isEqualTo(Outcome.ENDED);
        assertThat(plan).isNull();
    }

    @Test
    void jobOfWhichNothingIsLeftSaysSo() {
        var answer = ask(job("a", 0));
        assertThat(answer.outcome()).isEqualTo(Outcome.ENDED);
        assertThat(answer.message()).isEqualTo("nothing is left of it");
    }

    @Test
    void wholePoolIsForcedWithItsEndedJobs() {
        play.takeEffects();
        var all = new Selector(null, null, new TreeMap<>());
        var request = new Request("default", "bulk");
        play.on(new Event.BulkAsked(all, new Change.ForceDelete(), request));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(1, 1));
    }

    private Effect.Answer ask(JobId id) {
        play.takeEffects();
        var request = new Request("ml/a", "r-" + requests++);
        play.on(new Event.ChangeAsked(id, new Change.ForceDelete(), request));
        var effects = play.takeEffects();
        plan =
                effects.stream()
                        .filter(StopPlan.class::isInstance)
                        .map(StopPlan.class::cast)
                        .findFirst()
                        .orElse(null);
        return effects.stream()
                .filter(Effect.Answer.class::isInstance)
                .map(Effect.Answer.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
