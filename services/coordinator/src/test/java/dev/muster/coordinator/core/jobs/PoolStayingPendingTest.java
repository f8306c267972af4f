package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Change.Withdraw;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod does not run yet whose rank was to leave, and stays after all. */
class PoolStayingPendingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final HookedJob hooked = new HookedJob();
    private final Play play = hooked.play;

    @BeforeEach
    void isMadeAgain() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        hooked.one.runs(elastic("default", 2, 4, 6));
        hooked.one.fail(3, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(hooked.one.rank(3).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void itIsPlacedAgainWhereItsNodeWouldNotHaveIt() {
        see(pending(null));
        leaves();
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        var before = hooked.one.rank(3).making().node();
        hooked.ask(Withdraw.ANY);
        isPlacedElsewhere(before);
    }

    @Test
    void soItIsWhereTheHookOfTheCommandHasFailed() {
        see(pending(null));
        leaves();
        var before = hooked.one.rank(3).making().node();
        hooked.failsForGood();
        isPlacedElsewhere(before);
    }

    private void isPlacedElsewhere(String before) {
        assertThat(hooked.one.rank(3).isLeaving()).isFalse();
        play.restart();
        play.takeEffects();
        play.passHeard(Alarm.RETRY_INTERVAL.multipliedBy(2), 0);
        var placed = play.take(Effect.RankPlaced.class);
        assertThat(placed).singleElement().returns("worker-3", it -> it.rank().toString());
        assertThat(hooked.one.rank(3).making().node()).isNotEqualTo(before);
    }

    /** Its time has run since it was seen so, and goes on. */
    @Test
    void itsJobFailsWhereItsImageNeverComes() {
        var secret = new Event.Hindrance("CreateContainerConfigError", "no such secret");
        see(OneJob.hindered(pending(hooked.one.rank(3).making().node()), secret));
        leaves();
        play.passHeard(MINUTE.dividedBy(2), 0);
        hooked.ask(Withdraw.ANY);
        assertThat(hooked.one.rank(3).isLeaving()).isFalse();
        play.restart();
        var left = Hindrances.LIMIT.minus(MINUTE.dividedBy(2));
        play.passHeard(left.minus(SECOND), 0);
        assertThat(play.job(hooked.a).state()).isInstanceOf(JobState.Running.class);
        play.takeEffects();
        play.passHeard(SECOND, 0);
        assertThat(play.take(Effect.Moved.class).getLast().reason())
                .isEqualTo("CreateContainerConfigError");
    }

    /** What keeps its pod from running is in nobody's way as long as it is to leave. */
    @Test
    void itsJobWaitsForItOnlyWhenItStays() {
        see(OneJob.hindered(pending(hooked.one.rank(3).making().node())));
        assertThat(codes()).contains(Code.CONTAINER_WAITING);
        leaves();
        assertThat(codes()).doesNotContain(Code.CONTAINER_WAITING);
        hooked.ask(Withdraw.ANY);
        play.restart();
        assertThat(codes()).contains(Code.CONTAINER_WAITING);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(Effect.Status.class).getLast().word().reason())
                .isEqualTo("ErrImagePull");
    }

    /** Its pod is there still, and what it waits for is not what the others need. */
    @Test
    void othersOfItsGangThatDoNotRunInTimeGoElsewhereAllTheSame() {
        see(OneJob.hindered(pending(hooked.one.rank(3).making().node())));
        var names = new TreeSet<>(List.of("worker-3"));
        hooked.ask(new ScaleIn("worker", 0, names, Terms.PLAIN));
        hooked.one.fail(2, 137);
        hooked.one.fail(1, 137);
        play.passHeard(MINUTE, 0);
        assertThat(hooked.one.rank(1).state()).isEqualTo(RankState.ORDERED);
        hooked.one.seeNewest(1, PodPhase.PENDING, null);
        hooked.one.seeNewest(2, PodPhase.PENDING, null);
        var before = hooked.one.rank(1).making().node();
        play.passHeard(play.job(hooked.a).spec().gang().timeout(), 0);
        assertThat(hooked.one.rank(3).sight().hindrance()).isNotNull();
        assertThat(play.job(hooked.a).state()).isInstanceOf(JobState.Running.class);
        assertThat(hooked.one.rank(1).making().avoided()).containsExactly(before);
    }

    private List<Code> codes() {
        var reasons = play.explain(hooked.a).orElseThrow().reasons();
        return reasons.stream().map(WaitReason::code).toList();
    }

    private void leaves() {
        hooked.ask(new ScaleIn("worker", 1, new TreeSet<>(), HookedJob.terms(true)));
        assertThat(hooked.one.rank(3).isLeaving()).isTrue();
    }

    private void see(Pod pod) {
        play.on(new Event.PodSeen(WATCHER, hooked.a, pod));
    }

    private Pod pending(String node) {
        var mark = hooked.one.newest(3);
        return Fixtures.pod(mark, hooked.one.nextVersion(), PodPhase.PENDING, node, null);
    }
}
