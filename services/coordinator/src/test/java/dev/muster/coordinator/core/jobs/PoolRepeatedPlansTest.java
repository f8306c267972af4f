package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Planned;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A late pod of a rank that has left a running job: the plan is published again, and says that what
 * it does not want was made late only where nothing else can be meant by that.
 */
class PoolRepeatedPlansTest {
    private static final Duration DRAIN = Duration.ofMinutes(2);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int requests;

    @BeforeEach
    void oneHasLeft() {
        one.runs(ElasticJobs.elastic("default", 1, 4, 6));
        shrink(Duration.ZERO);
        one.gone(3);
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        listed(0, 1, 2);
        play.takeEffects();
    }

    @Test
    void whatThePlanBeforeDidNotWantEitherWasMadeLate() {
        seeLate();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        var plan = play.takeOne(RunPlan.class);
        assertThat(Planned.pods(plan)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(plan.repeats()).isTrue();
    }

    /** The pool hears that both times have come at once, and that of the repair was first. */
    @Test
    void whoeverIsToldToGoByThisPlanWasNotMadeLate() {
        shrink(DRAIN);
        play.passHeard(DRAIN.minusSeconds(7), 0);
        listed(0, 1, 2);
        seeLate();
        play.takeEffects();
        play.jump(Duration.ofSeconds(8));
        assertThat(play.take(RunPlan.class))
                .isNotEmpty()
                .noneMatch(RunPlan::repeats)
                .allMatch(plan -> Planned.pods(plan).equals(List.of("worker-0", "worker-1")));
    }

    @Test
    void whoeverIsSeenToGoIsNotToldByThisPlan() {
        shrink(Duration.ZERO);
        var node = one.rank(2).making().node();
        var pod = Fixtures.pod(OneJob.mark(2), one.nextVersion(), PodPhase.RUNNING, node, null);
        play.on(new Event.PodSeen(WATCHER, a, Fixtures.deleting(pod)));
        listed(0, 1, 2);
        seeLate();
        play.takeEffects();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(RunPlan.class).repeats()).isTrue();
    }

    /** What has just left may not have been told to go yet. */
    @Test
    void planThatIsNotCarriedOutYetIsNotRepeated() {
        seeLate();
        play.passHeard(Jobs.REPAIR_INTERVAL.minusMillis(100), 0);
        shrink(Duration.ZERO);
        one.gone(2);
        play.takeEffects();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.take(RunPlan.class)).isNotEmpty().noneMatch(RunPlan::repeats);
    }

    @Test
    void planThatIsToChangeAnywayIsNotRepeated() {
        seeLate();
        play.passHeard(Jobs.REPAIR_INTERVAL.minusMillis(100), 0);
        var grow = new Change.ScaleOut("worker", 1, Change.Terms.PLAIN);
        play.on(new Event.ChangeAsked(a, grow, request()));
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.take(RunPlan.class)).isNotEmpty().noneMatch(RunPlan::repeats);
    }

    /** Its pod was deleted and made again while it was wanted. */
    @Test
    void whatWasMadeInTheSteadOfAnEndWasNotMadeLate() {
        one.succeed(2);
        one.gone(2);
        play.pass(Jobs.PUBLISH_DELAY);
        listed(new Event.PodMark(OneJob.mark(2).rank(), 1, 3, 1, "another"));
        seeLate();
        play.takeEffects();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(RunPlan.class).repeats()).isFalse();
        listed(0, 1);
        seeLate();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(RunPlan.class).repeats()).isTrue();
    }

    /** The newest plan is carried out, and this is there. */
    private void listed(int... indices) {
        listed(IntStream.of(indices).mapToObj(OneJob::mark).toArray(Event.PodMark[]::new));
    }

    private void listed(Event.PodMark... marks) {
        var pods = Stream.of(marks).map(mark -> new Event.ListedPod(a.uid(), mark, false)).toList();
        play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), false, pods));
    }

    /** A pod of a rank that is the job's no more. */
    private void seeLate() {
        var mark = OneJob.mark(3);
        var late = new Event.PodMark(mark.rank(), 1, mark.incarnation(), 1, "late");
        var pod = Fixtures.pod(late, one.nextVersion(), PodPhase.RUNNING, "node-0", null);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    /** By the worker with the highest index. */
    private void shrink(Duration drain) {
        var terms = new Change.Terms(Duration.ofMinutes(9), true, drain, false);
        var scale = new Change.ScaleIn("worker", 1, new TreeSet<>(), terms);
        play.on(new Event.ChangeAsked(a, scale, request()));
    }

    private Event.Request request() {
        return new Event.Request("ml/a", "r-" + requests++);
    }
}
