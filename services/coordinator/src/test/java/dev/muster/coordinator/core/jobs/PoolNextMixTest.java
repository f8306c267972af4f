package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.BackedPools.DELEGATED;
import static dev.muster.coordinator.core.fixtures.BackedPools.play;
import static dev.muster.coordinator.core.fixtures.BackedPools.served;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Gangs that any mix of their roles makes up, in a pool whose nodes a backend alone chooses. */
class PoolNextMixTest {
    private final JobId a = job("a", 1);

    /** Three of one and one of the other, two of each, one and three, and three and one again. */
    @Test
    void gangThatItDoesNotBindInTimeIsTriedWithTheNextMix() {
        var play = play(DELEGATED);
        submitMixable(play);
        assertThat(mixes(play, 4)).containsExactly("3/1", "2/2", "1/3", "3/1");
    }

    @Test
    void mixThatQuotasDoNotAllowIsPassedOver() {
        var play = play(DELEGATED);
        play.on(new Event.QueuePut("default", QueueSpecs.limited(7), null));
        play.on(
                new Event.Submitted(
                        a,
                        together(
                                4,
                                spec(
                                        "default",
                                        atLeast(1, role("a", 3, 1)),
                                        atLeast(1, role("b", 3, 3)))),
                        null));
        // Of 1 and 3 the cores would be 10.
        assertThat(mixes(play, 2)).containsExactly("3/1", "3/1");
    }

    /** All was bound that was to start together: another mix would not help. */
    @Test
    void gangThatDoesNotRunInTimeThoughItIsBoundKeepsItsMix() {
        var play = play(DELEGATED);
        submitMixable(play);
        bind(play, "a", 3);
        bind(play, "b", 1);
        assertThat(mixes(play, 1)).containsExactly("3/1");
        assertThat(mixes(play, 2)).containsExactly("3/1", "2/2");
    }

    /** Its turn has not come: that it is bound nowhere says nothing of the mix. */
    @Test
    void roleThatWasNotOrderedYetIsNoReasonForAnotherMix() {
        var play = play(DELEGATED);
        var last = after("b", Milestone.RUNNING, role("last", 1, 1));
        var spec = spec("default", atLeast(1, role("a", 4, 1)), atLeast(1, role("b", 4, 1)), last);
        play.on(new Event.Submitted(a, together(5, spec), null));
        bind(play, "a", 4);
        bind(play, "b", 4);
        assertThat(mixes(play, 1)).containsExactly("3/1");
        assertThat(mixes(play, 2)).containsExactly("3/1", "2/2");
    }

    private void bind(Play play, String role, int pods) {
        for (var rank : List.copyOf(play.ranks(a))) {
            int index = rank.id().index();
            if (rank.id().role().equals(role) && index < pods) {
                var mark = Fixtures.mark(role, index, rank.making().incarnation());
                var pod = Fixtures.pod(mark, 7, PodPhase.PENDING, "node-0");
                play.on(new Event.PodSeen(WATCHER, a, pod));
            }
        }
    }

    private void submitMixable(Play play) {
        var spec = spec("default", atLeast(1, role("a", 4, 1)), atLeast(1, role("b", 4, 1)));
        play.on(new Event.Submitted(a, together(4, spec), null));
    }

    /** What it is told of a gang, each time of which nothing runs until it is taken back. */
    private List<String> mixes(Play play, int times) {
        var mixes = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            var minimum = new TreeMap<String, Integer>();
            var plan = play.take(RunPlan.class).getLast();
            plan.grouping().groups().forEach(group -> minimum.putAll(group.minimum()));
            mixes.add(minimum.get("a") + "/" + minimum.get("b"));
            var ranks = List.copyOf(play.ranks(a));
            play.passHeard(Duration.ofMinutes(5), 0);
            assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
            play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), false, List.of()));
            ranks.forEach(rank -> {
                var making = rank.making();
                var uid = "pod-" + rank.id().role() + rank.id().index() + making.incarnation();
                var mark =
                        new Event.PodMark(
                                rank.id(), making.attempt(), making.incarnation(), 1, uid);
                play.on(new Event.PodGone(WATCHER, a, mark));
            });
            play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), true, List.of()));
            play.restart();
            play.passHeard(Duration.ofHours(1), 0);
            play.on(served());
        }
        return mixes;
    }
}
